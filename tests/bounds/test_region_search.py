"""Regions of a partition chosen anew: never worse, and the optimum where a region is the table."""

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from strategies import make, small_tables

import tokumei as tk
from tokumei._check import Run
from tokumei._kernels import runtime
from tokumei.microaggregation.search import near_columns, region_search, row_generation
from tokumei.microaggregation.search.region_search import by_regions
from tokumei.microaggregation.search.set_partitioning import choice_of

RUN = Run(1, runtime.best_instruction_set())


def all_groups(costs, k):
    groups = np.full((len(costs), 2 * k - 1), -1)
    for row, group in zip(groups, costs, strict=True):
        row[: len(group)] = group
    return groups


@given(case=small_tables(kinds=("normal", "ties", "skewed"), most_rows=10, most_k=3))
@settings(max_examples=20, deadline=None)
def test_a_region_of_the_whole_table_is_the_optimum_if_all_groups_are_known(case):
    X, k = case
    x = np.asfortranarray(X)
    costs = oracle.group_costs(X, k)
    relaxation = row_generation.bound(x, k, RUN)
    relaxation.pool.add(all_groups(costs, k))
    labels = np.arange(len(x)) // k
    labels[labels == len(x) // k] -= 1
    choice = choice_of(relaxation, labels, np.inf)
    found = by_regions(labels, choice, RUN)
    assert np.bincount(found).min() >= k
    least = float(oracle.least_sse(costs, len(x)))
    assert tk.loss.sse(X, found) <= least * (1 + 1e-9) + 1e-12 * tk.loss.sst(X)


@pytest.mark.parametrize("kind", ["normal", "skewed"])
def test_regions_lower_the_loss_of_a_quick_partition_whatever_the_threads(kind, monkeypatch):
    monkeypatch.setattr(region_search, "SIZE", 12)
    monkeypatch.setattr(region_search, "INNER", 4)
    X = np.asfortranarray(make(kind, 75, 2, seed=3))
    labels = tk.partition(X, 3, effort="fast")
    found = []
    for threads in (1, 2):
        run = Run(threads, runtime.best_instruction_set())
        relaxation = row_generation.bound(X, 3, run)
        near_columns.add_near_columns(X, 3, relaxation, run)
        gap = tk.loss.sse(X, labels) - relaxation.least
        choice = choice_of(relaxation, labels, gap)
        found.append(by_regions(labels, choice, run))
    assert (found[0] == found[1]).all()
    assert np.bincount(found[0]).min() >= 3
    assert tk.loss.sse(X, found[0]) < tk.loss.sse(X, labels)


@pytest.mark.parametrize("calls", [0, 3])
def test_a_region_search_that_is_stopped_leaves_whole_groups(calls, monkeypatch):
    monkeypatch.setattr(region_search, "SIZE", 8)
    monkeypatch.setattr(region_search, "INNER", 2)
    X = np.asfortranarray(make("normal", 75, 2, seed=3))
    labels = tk.partition(X, 3, effort="fast")
    relaxation = row_generation.bound(X, 3, RUN)
    left = iter(range(calls))
    run = Run(1, runtime.best_instruction_set(), lambda share: next(left) and None)
    found = by_regions(labels, choice_of(relaxation, labels, np.inf), run)
    assert next(left, None) is None
    assert np.bincount(found).min() >= 3
    assert tk.loss.sse(X, found) <= tk.loss.sse(X, labels)
    assert (found == labels).all() or calls > 0
