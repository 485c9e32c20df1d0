"""Lower bounds: never above the optimum, found by search as by enumeration, alike everywhere."""

from fractions import Fraction

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import HARSH, KINDS, make, small_tables, tables_and_k

import tokumei as tk
from tokumei._check import Run
from tokumei._kernels import bounds, runtime
from tokumei.bounds import LowerBound, lower_bound_report
from tokumei.microaggregation.search.subset_rows import NO_ROWS

BEST = runtime.best_instruction_set()


def solved(X, duals, k, steps=10**6, kept=300, threads=1, level=BEST, subsets=NO_ROWS):
    """The kernel's groups of negative reduced cost as sets of rows, and its dual correction."""
    x = np.asfortranarray(X)
    groups = np.empty((len(x) * kept, 2 * k - 1), dtype=np.int64, order="F")
    correction = np.empty(len(x))
    run = Run(threads, level)
    count = bounds.solve_pricing(
        x, duals, subsets.sets, subsets.prices, k, steps, kept, groups, correction, run
    )
    return [tuple(row[row >= 0].tolist()) for row in groups[:count]], correction


def half_sums_to_nearest(X, k):
    """Half the squared distances from each record to its k - 1 nearest others."""
    nearest = np.sort(((X[:, None] - X[None]) ** 2).sum(axis=2), axis=1)
    return nearest[:, 1:k].sum(axis=1) / 2


def some_duals(X, k, seed):
    """Dual values near those at which groups begin to have negative reduced costs, some far off."""
    rng = np.random.default_rng(seed)
    duals = (
        half_sums_to_nearest(X, k) / k * rng.uniform(0.2, 3.0, len(X))
        + rng.choice([0, 1], len(X)) * 0.1
    )
    duals[rng.integers(len(X))] *= -1
    return duals


def lagrangian_duals(X, k, sweeps, threads=1, level=BEST):
    out = np.zeros(len(X))
    bounds.lagrangian_bound(np.asfortranarray(X), k, sweeps, out, Run(threads, level))
    return out


@settings(max_examples=200)
@given(case=small_tables(), seed=st.integers(0, 99))
def test_pricing_finds_the_negative_columns_of_full_enumeration(case, seed):
    X, k = case
    duals = some_duals(X, k, seed)
    gains = oracle.negative_columns(oracle.group_costs(X, k), duals)
    found, correction = solved(X, duals, k)
    grain = 1e-9 * np.abs(duals).max()
    assert len(found) == len(set(found))
    assert set(found) <= set(gains)
    assert {group for group, gain in gains.items() if gain > grain} <= set(found)
    for row in range(len(X)):
        wanted = max((gains[g] / len(g) for g in found if row in g), default=Fraction(0))
        assert float(wanted) == pytest.approx(correction[row], abs=grain)


@given(case=small_tables(), seed=st.integers(0, 99), steps=st.integers(1, 12))
def test_corrected_duals_are_feasible_even_if_the_search_is_cut_short(case, seed, steps):
    X, k = case
    duals = some_duals(X, k, seed)
    _, correction = solved(X, duals, k, steps=steps, kept=2)
    assert not oracle.negative_columns(oracle.group_costs(X, k), duals - correction)


@given(case=small_tables(kinds=KINDS + HARSH), sweeps=st.integers(1, 30))
def test_the_lagrangian_bound_has_feasible_duals(case, sweeps):
    X, k = case
    safe = lagrangian_duals(X, k, sweeps) * (1 - 2 * (X.shape[1] + 4) * np.finfo(float).eps)
    assert not oracle.negative_columns(oracle.group_costs(X, k), safe)


def test_the_first_sweep_is_half_the_distance_to_the_nearest():
    X = make("normal", 500, 3, seed=1)
    expected = half_sums_to_nearest(X, 5) / 5
    np.testing.assert_allclose(lagrangian_duals(X, 5, 1), expected, rtol=1e-12)


def test_sweeps_raise_the_bound():
    X = make("skewed", 400, 4, seed=3)
    sums = [lagrangian_duals(X, 3, sweeps).sum() for sweeps in (1, 10, 100)]
    assert sums[0] < sums[1] <= sums[2]
    assert sums[2] > 1.15 * sums[0]


@pytest.mark.parametrize("method", ["columns", "neighbours"])
@settings(max_examples=60)
@given(case=small_tables(kinds=KINDS + HARSH))
def test_the_bound_is_never_above_the_optimum(method, case):
    X, k = case
    total = oracle.exact_sst(X)
    if total == 0:
        with pytest.raises(ValueError, match="X has no information to lose"):
            tk.lower_bound(X, k, method=method)
        return
    least = oracle.least_sse(oracle.group_costs(X, k), len(X))
    bound = tk.lower_bound(X, k, method=method)
    assert 0 <= Fraction(bound) <= least / total


@settings(max_examples=40)
@given(case=small_tables(kinds=("normal", "ties", "skewed", "offset")))
def test_columns_reach_the_linear_relaxation(case):
    X, k = case
    if X.shape[1] == 1 or (total := float(oracle.exact_sst(X))) == 0:
        return
    relaxed = oracle.relaxed_sse(oracle.group_costs(X, k), len(X)) / total
    bound = tk.lower_bound(X, k, method="columns")
    assert bound == pytest.approx(relaxed, rel=1e-4, abs=1e-9)


def test_the_bound_and_refinement_meet_at_the_optimum_of_twelve_records():
    X = make("normal", 12, 2, seed=5)
    costs = oracle.group_costs(X, 3)
    least = float(oracle.least_sse(costs, 12) / oracle.exact_sst(X))
    labels = tk.refine(X, tk.mdav(X, 3), 3, effort="optimal")
    assert tk.loss.ilssdm(X, labels) == pytest.approx(least, rel=1e-12)
    assert tk.lower_bound(X, 3) <= least


@given(case=tables_and_k(max_rows=40))
def test_one_attribute_and_one_group_have_bounds_that_are_reached(case):
    X, k = case
    x = X[:, :1]
    if x.min() == x.max():
        return
    report = lower_bound_report(x, k)
    assert report.gap(tk.loss.ilssdm(x, tk.univariate(x, k))) <= 1e-10


def test_neither_threads_nor_instructions_change_the_bound(instructions):
    X = make("skewed", 700, 5, seed=8)
    level = ("baseline", "avx2", "avx512").index(instructions)
    duals = some_duals(X, 4, 1)
    reference, correction = solved(X, duals, 4, steps=50, kept=3)
    for threads in (1, 2, 3, 8):
        found, same = solved(X, duals, 4, steps=50, kept=3, threads=threads, level=level)
        assert found == reference
        assert (same == correction).all()
        assert (lagrangian_duals(X, 4, 5, threads, level) == lagrangian_duals(X, 4, 5)).all()


@pytest.mark.parametrize("kind", sorted({*KINDS, *HARSH} - {"tiny"}))
def test_a_larger_table_of_any_kind_has_a_bound_below_what_is_reached(kind):
    X = make(kind, 300, 3, seed=4)
    reached = tk.loss.ilssdm(X, tk.partition(X, 3))
    assert 0 <= tk.lower_bound(X, 3, method="neighbours") <= reached
    assert 0 <= tk.lower_bound(X, 3, method="columns") <= reached


@pytest.mark.parametrize(
    ("name", "columns", "k", "value"),
    [
        ("census.csv", None, 3, 4.6460),
        ("tarragona.csv", None, 3, 13.857),
        ("eia.csv", [0, *range(5, 15)], 3, 0.3233),
    ],
)
def test_bounds_of_reference_data_are_those_known(reference_table, name, columns, k, value):
    Z = tk.standardize(reference_table(name, columns))
    assert 100 * tk.lower_bound(Z, k, method="columns") == pytest.approx(value, rel=1e-4)
    assert 85 < 100 * tk.lower_bound(Z, k, method="neighbours") / value * 100 < 100


def test_the_gap_says_how_far_a_partition_is_from_the_best():
    X = make("normal", 90, 2, seed=2)
    labels = tk.partition(X, 3)
    loss, bound = tk.loss.ilssdm(X, labels), tk.lower_bound(X, 3)
    assert tk.bounds.gap(X, labels, 3) == pytest.approx(loss / bound - 1, abs=1e-9)
    assert tk.bounds.gap(X, np.arange(90) // 45, 3) > tk.bounds.gap(X, labels, 3)
    assert LowerBound(0.0, "neighbours").gap(0.0) == 0.0
    assert LowerBound(0.0, "neighbours").gap(0.1) == np.inf


def test_a_stopped_search_gives_a_bound_that_is_true():
    X = make("normal", 600, 3, seed=2)
    whole = tk.lower_bound(X, 4)

    def stop(done):
        raise StopIteration

    assert 0 <= tk.lower_bound(X, 4, callback=stop) <= whole
    assert 0 < tk.lower_bound(X, 4, time_limit=0.1) <= whole * (1 + 1e-4)


def test_an_exception_of_the_callback_comes_home():
    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        tk.lower_bound(make("normal", 600, 3, seed=2), 4, method="columns", callback=stop)


def test_progress_never_falls_and_stays_a_share():
    reports = []
    tk.lower_bound(
        make("normal", 4_000, 3, seed=2), 4, method="neighbours", callback=reports.append
    )
    assert reports == sorted(reports)
    assert 0 <= reports[0] <= reports[-1] <= 1


def test_auto_takes_columns_up_to_a_size_and_for_small_tables_with_scipy_only(monkeypatch):
    X, larger = make("normal", 60, 2, seed=2), make("normal", 5_001, 2, seed=2)
    assert lower_bound_report(X, 3).method == "columns"
    assert lower_bound_report(X, 6).method == "neighbours"
    assert lower_bound_report(make("normal", 20_001, 2, seed=2), 3).method == "neighbours"
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert lower_bound_report(X, 3).method == "neighbours"
    assert lower_bound_report(larger, 3, time_limit=0.5).method == "columns"


@pytest.mark.parametrize(
    "call",
    [
        lambda X: tk.lower_bound(X, 3, method="columns"),
        lambda X: tk.partition(X, 3, effort="optimal"),
    ],
)
def test_without_scipy_the_error_says_what_to_install(call, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "scipy.optimize", None)
    with pytest.raises(ImportError, match=r"needs scipy: pip install 'tokumei\[bound\]'"):
        call(make("normal", 60, 2, seed=2))


def test_a_solver_that_gives_up_leaves_the_bound_proven_so_far(monkeypatch):
    X = make("normal", 60, 2, seed=2)
    monkeypatch.setattr(
        "tokumei.microaggregation.search.column_generation.restricted_master", lambda *a: None
    )
    plain = tk.lower_bound(X, 3, method="neighbours")
    assert tk.lower_bound(X, 3, method="columns") == plain


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"X": [[1.0, np.nan]] * 4}, ValueError, "column 1 has 4 missing values"),
        ({"X": [[1, 2]] * 4}, ValueError, "all its rows are equal"),
        ({"X": []}, ValueError, "two dimensions"),
        ({"k": 5}, ValueError, "k must be between 1 and the number of rows"),
        ({"k": 0}, ValueError, "k must be between"),
        ({"k": 2.0}, TypeError, "k must be a whole number"),
        ({"method": "magic"}, ValueError, "method must be one of 'auto', 'columns'"),
        ({"time_limit": 0}, ValueError, "time_limit must be positive"),
        ({"n_threads": 0}, ValueError, "n_threads must be between"),
        ({"callback": 1}, TypeError, "callback must be callable"),
    ],
)
def test_bad_arguments_are_refused(options, error, words):
    arguments = {"X": [[1, 0], [2, 0], [10, 3], [11, 4]], "k": 2} | options
    with pytest.raises(error, match=words):
        tk.lower_bound(**arguments)
