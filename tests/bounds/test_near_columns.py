"""Groups near a better partition: none within reach is missed, and what is added is worth it."""

from itertools import combinations

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from strategies import make, small_tables

from tokumei._check import Run
from tokumei._kernels import runtime
from tokumei.microaggregation.search import near_columns, row_generation
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.relaxation import Relaxation

RUN = Run(1, runtime.best_instruction_set())


def groups_of(pool):
    return [tuple(row[row >= 0].tolist()) for row in pool.groups]


@settings(max_examples=20, deadline=None)
@given(case=small_tables(kinds=("normal", "skewed"), most_rows=9, most_k=3))
def test_no_group_within_the_widest_reach_is_missed(case):
    X, k = case
    x = np.asfortranarray(X)
    relaxation = row_generation.bound(x, k, RUN)
    near_columns.add_near_columns(x, k, relaxation, RUN)
    found = groups_of(relaxation.pool)
    assert len(found) == len(set(found))
    subsets, duals = relaxation.subsets, relaxation.duals
    sets = [
        (set(row[row >= 0].tolist()), p)
        for row, p in zip(subsets.sets, subsets.prices, strict=True)
    ]
    room = np.maximum(duals, near_columns.LEAST_PRICE * duals.mean())
    raised = duals + near_columns.REACHES[-1] * room
    costs = oracle.with_tolls(oracle.group_costs(X, k), sets)
    grain = 1e-9 * np.abs(duals).max()
    if len(relaxation.pool) < near_columns.ENOUGH * len(X):
        wanted = {g for g, gain in oracle.negative_columns(costs, raised).items() if gain > grain}
        assert wanted <= set(found)


@pytest.mark.parametrize("seed", range(2))
def test_the_reach_ends_where_there_are_enough_groups(seed):
    x = np.asfortranarray(make("skewed", 90, 2, seed=seed))
    relaxation = row_generation.bound(x, 3, RUN)
    before = len(relaxation.pool)
    near_columns.add_near_columns(x, 3, relaxation, RUN)
    assert before < len(relaxation.pool) <= before + near_columns.KEPT * len(x)
    sizes = (relaxation.pool.groups >= 0).sum(axis=1)
    assert sizes.min() >= 3
    assert sizes.max() <= 5
    again = Relaxation(relaxation.duals, ColumnPool(x, 3), relaxation.subsets)
    two = Run(2, runtime.best_instruction_set())
    near_columns.add_near_columns(x, 3, again, two)
    assert set(groups_of(again.pool)) <= set(groups_of(relaxation.pool))


def test_ranks_are_the_lowest_places_among_the_groups_of_a_record():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(8, 2))
    pool = ColumnPool(x, 2)
    pairs = np.array(list(combinations(range(8), 2)))
    pool.add(np.column_stack([pairs, np.full(len(pairs), -1)]))
    reduced = rng.integers(0, 6, len(pairs)).astype(float)
    ranks = pool.ranks(reduced)
    for number, pair in enumerate(pairs):
        places = []
        for record in pair:
            own = [i for i, other in enumerate(pairs) if record in other]
            own.sort(key=lambda i: (reduced[i], i))
            places.append(own.index(number))
        assert ranks[number] == min(places)
