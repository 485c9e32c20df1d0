"""Bounds with subset rows: tolls are counted as by hand, and no optimum lies below."""

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import HARSH, KINDS, make, small_tables

import tokumei as tk
from tokumei._check import Run
from tokumei._kernels import bounds, runtime
from tokumei.microaggregation.search import row_generation
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.linear_programs import restricted_master
from tokumei.microaggregation.search.relaxation import negative_columns
from tokumei.microaggregation.search.subset_rows import SubsetRows, broken_rows

RUN = Run(1, runtime.best_instruction_set())


def odd_sets(rows, seed, price):
    """Some sets of three and five rows at prices, and the same as the oracle takes them."""
    rng = np.random.default_rng(seed)
    sets = np.full((int(rng.integers(1, 9)), 5), -1)
    for row in sets:
        size = 3 if rows < 5 else int(rng.choice([3, 5]))
        row[:size] = np.sort(rng.choice(rows, size, replace=False))
    prices = price * rng.uniform(0, 1, len(sets))
    plain = [(set(row[row >= 0].tolist()), p) for row, p in zip(sets, prices, strict=True)]
    return SubsetRows(np.asfortranarray(sets), prices), plain


def priced(X, duals, k, subsets, steps=10**6, kept=300):
    groups = np.empty((len(X) * kept, 2 * k - 1), dtype=np.int64, order="F")
    correction = np.empty(len(X))
    x = np.asfortranarray(X)
    count = bounds.solve_pricing(
        x, duals, subsets.sets, subsets.prices, k, steps, kept, groups, correction, RUN
    )
    return [tuple(row[row >= 0].tolist()) for row in groups[:count]], correction


@settings(max_examples=200)
@given(case=small_tables(), seed=st.integers(0, 999), share=st.floats(0.01, 2))
def test_pricing_counts_tolls_in_as_full_enumeration_does(case, seed, share):
    X, k = case
    if len(X) < 3:
        return
    costs = oracle.group_costs(X, k)
    mean = float(sum(costs.values()) / len(costs)) / k
    duals = mean * np.random.default_rng(seed).uniform(0, 2, len(X))
    subsets, plain = odd_sets(len(X), seed, share * mean)
    gains = oracle.negative_columns(oracle.with_tolls(costs, plain), duals)
    found, correction = priced(X, duals, k, subsets)
    grain = 1e-9 * max(np.abs(duals).max(), subsets.prices.sum())
    assert len(found) == len(set(found))
    assert set(found) <= set(gains)
    assert {group for group, gain in gains.items() if gain > grain} <= set(found)
    for row in range(len(X)):
        wanted = max((float(gains[g]) / len(g) for g in found if row in g), default=0.0)
        assert wanted == pytest.approx(correction[row], abs=grain)


@given(case=small_tables(), seed=st.integers(0, 99), steps=st.integers(1, 12))
def test_corrected_duals_are_feasible_with_tolls_if_the_search_is_cut_short(case, seed, steps):
    X, k = case
    if len(X) < 3:
        return
    costs = oracle.group_costs(X, k)
    mean = float(sum(costs.values()) / len(costs)) / k
    duals = mean * np.random.default_rng(seed).uniform(0, 2, len(X))
    subsets, plain = odd_sets(len(X), seed, mean)
    _, correction = priced(X, duals, k, subsets, steps=steps, kept=2)
    assert not oracle.negative_columns(oracle.with_tolls(costs, plain), duals - correction)


@settings(max_examples=60)
@given(case=small_tables(kinds=KINDS + HARSH))
def test_the_bound_is_never_above_the_optimum(case):
    X, k = case
    total = oracle.exact_sst(X)
    if total == 0:
        return
    least = oracle.least_sse(oracle.group_costs(X, k), len(X))
    bound = tk.lower_bound(X, k, method="rows")
    assert bound <= least / total
    assert bound >= tk.lower_bound(X, k, method="columns")


def test_rows_close_the_gap_of_the_linear_relaxation():
    closed = []
    for seed in range(12):
        X = make("normal", 11, 2, seed=seed)
        costs = oracle.group_costs(X, 3)
        least = float(oracle.least_sse(costs, 11))
        plain = oracle.relaxed_sse(costs, 11)
        raised = tk.lower_bound(X, 3, method="rows") * float(oracle.exact_sst(X))
        if plain < least * (1 - 1e-6):
            closed.append((raised - plain) / (least - plain))
    assert len(closed) >= 4
    assert max(closed) <= 1 + 1e-9
    assert np.mean(closed) > 0.6


def test_broken_rows_are_broken_and_no_partition_breaks_them():
    X = np.asfortranarray(make("skewed", 160, 3, seed=3))
    pool = row_generation.bound(X, 3, RUN).pool
    wide = np.full(160, pool.costs.max())
    shares = restricted_master(pool, -wide, wide).shares
    sets = broken_rows(pool, shares, 160, 5, 40)
    assert {3, 5} >= set((sets >= 0).sum(axis=1)) >= {3}
    members = [set(row[row >= 0].tolist()) for row in pool.groups]
    whole = tk.partition(X, 3)
    for row in sets:
        most = {*row[row >= 0].tolist()}
        held = [len(most & group) * 2 > len(most) for group in members]
        assert shares[held].sum() > 1.01
        assert (np.bincount(whole[list(most)]) * 2 > len(most)).sum() <= 1


def test_held_and_tolls_are_those_of_counting():
    X = np.asfortranarray(make("normal", 30, 2, seed=3))
    pool = ColumnPool(X, 3)
    for seed in range(6):
        pool.add_partition(tk.refine(X, tk.mdav(X, 3), 3, effort="fast", random_state=seed))
        pool.add_partition(np.random.default_rng(seed).permutation(30) // 5)
    subsets, plain = odd_sets(30, 5, 1.0)
    held = subsets.held(pool).toarray()
    for number, (members, _) in enumerate(plain):
        for group, row in enumerate(pool.groups):
            most = 2 * len(members & set(row.tolist())) > len(members)
            assert held[number, group] == most
    assert held.any()
    np.testing.assert_allclose(subsets.tolls(pool), held.T @ subsets.prices)


def test_joined_sets_are_those_that_were_not_there_and_cost_nothing():
    subsets, _ = odd_sets(9, 4, 1.0)
    new = np.array([[0, 4, 8, -1, -1], [1, 2, 3, 4, 5]])
    both = subsets.joined(np.vstack([subsets.sets, new]))
    assert len(both) == len(subsets) + 2
    assert (both.prices[len(subsets) :] == 0).all()
    assert (both.sets[-2:] == new).all()
    assert both.joined(new) is both


@pytest.mark.parametrize("k", [2, 3])
def test_values_raised_by_a_billionth_are_refused_beside_tolls(k):
    X = np.asfortranarray(make("normal", 200, 3, seed=7))
    relaxation = row_generation.bound(X, k, RUN)
    assert (relaxation.subsets.prices > 0.01 * relaxation.duals.max()).sum() > 3
    pool, duals = relaxation.pool, relaxation.duals.copy()
    for _ in range(60):
        # Each group that costs more than it must has its first record's value raised.
        slack = pool.reduced_costs(duals) + relaxation.subsets.tolls(pool)
        for row in range(len(X)):
            held = (pool.groups == row).any(axis=1)
            rise = slack[held].min()
            duals[row] += rise
            slack[held] -= rise
        found, _ = negative_columns(X, duals, k, 10**4, RUN, relaxation.subsets)
        if pool.add(found) == 0:
            break
    reduced = pool.reduced_costs(duals) + relaxation.subsets.tolls(pool)
    paying = relaxation.subsets.tolls(pool) > 0
    tight = np.flatnonzero(paying & (np.abs(reduced) <= 1e-12 * pool.costs.max()))
    assert len(tight) > 5
    for group in tight[:: max(len(tight) // 20, 1)]:
        rows = pool.groups[group][pool.groups[group] >= 0]
        raised = duals.copy()
        raised[rows] += 1e-9 * duals.max() / len(rows)
        found, correction = negative_columns(X, raised, k, 10**4, RUN, relaxation.subsets)
        assert (found == pool.groups[group]).all(axis=1).any()
        assert raised[rows].sum() - correction[rows].sum() <= duals[rows].sum() + 1e-12


@pytest.mark.parametrize("kind", sorted({*KINDS, *HARSH} - {"tiny"}))
def test_the_bound_of_any_kind_of_table_is_below_what_is_reached(kind):
    X = make(kind, 200, 3, seed=4)
    reached = tk.loss.ilssdm(X, tk.partition(X, 3))
    bound = tk.lower_bound(X, 3, method="rows")
    assert tk.lower_bound(X, 3, method="columns") <= bound <= reached


def test_threads_do_not_change_the_bound():
    X = make("skewed", 300, 3, seed=1)
    one = tk.lower_bound(X, 3, method="rows", n_threads=1)
    assert one == tk.lower_bound(X, 3, method="rows", n_threads=3)


@pytest.mark.parametrize("calls", [1, 30, 300])
def test_a_search_that_is_stopped_gives_a_bound_that_is_true(calls):
    X = make("skewed", 300, 3, seed=2)
    left, reached = iter(range(calls)), tk.loss.ilssdm(X, tk.partition(X, 3))

    def stop(done):
        if next(left, None) is None:
            raise StopIteration

    assert 0 <= tk.lower_bound(X, 3, method="rows", callback=stop) <= reached
    assert 0 <= tk.lower_bound(X, 3, method="rows", time_limit=0.05) <= reached


def test_progress_never_falls():
    reports = []
    tk.lower_bound(make("skewed", 200, 3, seed=2), 3, method="rows", callback=reports.append)
    assert reports == sorted(reports)
    assert 0 <= reports[0] <= reports[-1] <= 1


@pytest.mark.parametrize(
    ("name", "columns", "known", "percent"),
    [("tarragona.csv", None, 14.4673, 0.1), ("eia.csv", [0, *range(5, 15)], 0.3489, 2.0)],
)
def test_reference_data_lose_little_more_than_the_bound(
    reference_table, name, columns, known, percent
):
    Z = tk.standardize(reference_table(name, columns))
    bound = 100 * tk.lower_bound(Z, 3, method="rows")
    assert bound <= known * (1 + 1e-4)
    assert known <= bound * (1 + percent / 100)
