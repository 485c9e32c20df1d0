"""Bounds by climbing a pool's dual values: never above the optimum, and nothing slips the check."""

import itertools
import sys

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import HARSH, KINDS, make, small_tables

import tokumei as tk
from tokumei._check import Run
from tokumei._kernels import bounds, runtime
from tokumei.bounds.lower_bound import lower_bound_of
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.lagrangian_bound import lagrangian_duals
from tokumei.microaggregation.search.relaxation import negative_columns
from tokumei.microaggregation.search.subset_rows import NO_ROWS

BEST = runtime.best_instruction_set()
LOWER_BOUND = sys.modules[lower_bound_of.__module__]
RUN = Run(1, BEST)


def all_groups(X, k):
    """A pool of all groups of k to 2k-1 records."""
    pool = ColumnPool(np.asfortranarray(X), k)
    for size in range(k, min(2 * k - 1, len(X)) + 1):
        groups = np.array(list(itertools.combinations(range(len(X)), size)))
        filled = np.full((len(groups), 2 * k - 1), -1)
        filled[:, :size] = groups
        pool.add(filled)
    return pool


def climbed(pool, low, high, threads=1, level=BEST, sweeps=4_000, tolerance=1e-6):
    prices, shares = (low + high) / 2, np.full(len(pool), 0.1)
    groups, run = np.asfortranarray(pool.groups), Run(threads, level)
    bounds.price_ascent(groups, pool.costs, low, high, sweeps, tolerance, prices, shares, run)
    return prices, shares


def settled(pool, prices):
    out = prices.copy()
    bounds.settle_prices(np.asfortranarray(pool.groups), pool.costs, out)
    return out


def by_columns(X, k, **options):
    """The bound as it is found for large tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LOWER_BOUND, "SOLVED_ROWS", 0)
        return tk.lower_bound(X, k, method="columns", **options)


@settings(max_examples=60)
@given(case=small_tables(kinds=KINDS + HARSH))
def test_the_bound_is_never_above_the_optimum(case):
    X, k = case
    total = oracle.exact_sst(X)
    if total == 0:
        return
    least = oracle.least_sse(oracle.group_costs(X, k), len(X))
    assert 0 <= by_columns(X, k) <= least / total


@pytest.mark.parametrize("kind", sorted({*KINDS, *HARSH} - {"tiny"}))
@pytest.mark.parametrize("k", [2, 5])
def test_the_bound_of_any_kind_of_table_is_below_what_is_reached(kind, k):
    X = make(kind, 300, 3, seed=4)
    reached = tk.loss.ilssdm(X, tk.partition(X, k))
    assert 0 <= by_columns(X, k) <= reached


@pytest.mark.parametrize(("kind", "k"), [("normal", 3), ("skewed", 3), ("normal", 5)])
def test_it_is_nearly_that_of_the_solved_program(kind, k):
    X = make(kind, 240, 4, seed=3)
    solved = tk.lower_bound(X, k, method="columns")
    assert 0.99 * solved < by_columns(X, k) <= solved * (1 + 1e-4)


@settings(max_examples=40)
@given(case=small_tables(kinds=("normal", "ties", "skewed", "offset")), seed=st.integers(0, 9))
def test_climbed_values_stay_in_their_box_and_settled_ones_are_feasible(case, seed):
    X, k = case
    if k < 2 or not (pool := all_groups(X, k)).costs.any():
        return
    rng = np.random.default_rng(seed)
    mean = pool.costs.mean() / k
    low, high = -mean * rng.uniform(0, 1, len(X)), mean * rng.uniform(1, 9, len(X))
    prices, shares = climbed(pool, low, high)
    assert (low <= prices).all()
    assert (prices <= high).all()
    assert (shares >= 0).all()
    grain = 1e-12 * np.abs(pool.costs).max()
    out = settled(pool, prices)
    assert pool.reduced_costs(out).min() >= -grain
    # No value can rise alone.
    reduced = pool.reduced_costs(out)
    for row in range(len(X)):
        assert reduced[(pool.groups == row).any(axis=1)].min() <= 1e-9 * np.abs(pool.costs).max()


def test_climbing_comes_near_the_value_of_the_linear_program():
    X = make("normal", 10, 2, seed=1)
    pool, wide = all_groups(X, 3), np.full(10, 100.0)
    relaxed = oracle.relaxed_sse(oracle.group_costs(X, 3), 10)
    prices, shares = climbed(pool, -wide, wide, sweeps=20_000)
    assert settled(pool, prices).sum() == pytest.approx(relaxed, rel=1e-3)
    assert shares @ pool.costs == pytest.approx(relaxed, rel=1e-2)


@pytest.mark.parametrize("kind", ["normal", "skewed", "offset"])
@pytest.mark.parametrize("k", [2, 3])
def test_values_raised_by_a_billionth_are_refused(kind, k):
    X = np.asfortranarray(make(kind, 200, 3, seed=7))
    if kind == "offset":
        X = np.asfortranarray(X - X.mean(axis=0))
    pool = ColumnPool(X, k)
    pool.add_partition(tk.partition(X, k))
    duals = lagrangian_duals(X, k, RUN)
    for _ in range(50):
        bounds.settle_prices(np.asfortranarray(pool.groups), pool.costs, duals)
        found, correction = negative_columns(X, duals, k, 10**4, RUN)
        if pool.add(found) == 0:
            break
    assert len(found) == 0
    assert correction.max() < 1e-10 * duals.max()
    reduced = pool.reduced_costs(duals)
    dear = pool.costs > 0.1 * np.median(pool.costs)
    tight = pool.groups[dear & (np.abs(reduced) <= 1e-12 * pool.costs.max())]
    assert len(tight) > 5
    for group in tight[:: max(len(tight) // 20, 1)]:
        rows = group[group >= 0]
        cost = pool.costs[(pool.groups == group).all(axis=1)][0]
        raised = duals.copy()
        raised[rows] += 1e-9 * max(cost, 0.05 * duals.max()) / len(rows)
        found, correction = negative_columns(X, raised, k, 10**4, RUN)
        assert (found == group).all(axis=1).any()
        assert raised[rows].sum() - correction[rows].sum() <= cost


def test_of_a_larger_table_every_pair_and_triple_is_checked():
    X = np.asfortranarray(make("skewed", 70, 3, seed=5))
    pool = all_groups(X, 2)
    duals = np.full(70, np.quantile(pool.costs, 0.02) / 2)
    wanted = {tuple(row) for row in pool.groups[pool.reduced_costs(duals) < -1e-9].tolist()}
    groups, correction = np.empty((70 * 900, 3), dtype=np.int64, order="F"), np.empty(70)
    count = bounds.solve_pricing(
        X, duals, NO_ROWS.sets, NO_ROWS.prices, 2, 10**6, 900, groups, correction, RUN
    )
    assert {tuple(row) for row in groups[:count].tolist()} == wanted
    assert pool.reduced_costs(duals - correction).min() >= 0


def test_neither_threads_nor_instructions_change_climbed_values(instructions):
    X = make("skewed", 3_000, 4, seed=8)
    pool = ColumnPool(np.asfortranarray(X), 3)
    for seed in range(3):
        pool.add_partition(tk.refine(X, tk.mdav(X, 3), 3, effort="fast", random_state=seed))
    size = np.full(3_000, pool.costs.mean())
    reference = climbed(pool, -size, size, sweeps=200)
    level = ("baseline", "avx2", "avx512").index(instructions)
    for threads in (1, 2, 3, 8):
        same = climbed(pool, -size, size, threads, level, sweeps=200)
        assert (same[0] == reference[0]).all()
        assert (same[1] == reference[1]).all()


def test_threads_do_not_change_the_bound():
    X = make("normal", 1_500, 3, seed=1)
    assert by_columns(X, 3, n_threads=1) == by_columns(X, 3, n_threads=3)


@pytest.mark.parametrize("calls", [1, 30, 200])
def test_a_search_that_is_stopped_gives_a_bound_that_is_true(calls):
    X = make("normal", 900, 3, seed=2)
    left, reached = iter(range(calls)), tk.loss.ilssdm(X, tk.partition(X, 4))

    def stop(done):
        if next(left, None) is None:
            raise StopIteration

    assert 0 <= by_columns(X, 4, callback=stop) <= reached
    assert 0 <= by_columns(X, 4, time_limit=0.05) <= reached


def test_progress_never_falls_and_an_exception_comes_home():
    X, reports = make("normal", 1_200, 3, seed=2), []
    by_columns(X, 3, callback=reports.append)
    assert reports == sorted(reports)
    assert 0 <= reports[0] <= reports[-1] <= 1

    def fail(done):
        msg = "enough"
        raise KeyError(msg)

    with pytest.raises(KeyError, match="enough"):
        by_columns(X, 3, callback=fail)
