"""One attribute, absolute deviations: no partition is better; and individual ranking."""

import numpy as np
import oracle
import pytest
from builders.one_attribute import KINDS, values
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk

ROUNDING = 1e-12


def excess(x, labels, k):
    """By how much squares exceed the least there are, relatively and exactly."""
    least = oracle.least_univariate(x, k)
    loss = oracle.exact_sse(np.asarray(x, dtype=float)[:, None], labels)
    return float((loss - least) / least) if least else float(loss)


def deviations_above_least(x, labels, k):
    """By how much absolute deviations exceed the least there are, relatively and exactly."""
    least = oracle.least_absolute(x, k)
    cost = sum(
        oracle.deviations_from_median(np.asarray(x, dtype=float)[labels == g]) for g in set(labels)
    )
    assert cost >= least
    return float((cost - least) / least) if least else float(cost)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_cut_is_the_best_partition_of_all_for_absolute_deviations_too(kind, k):
    x = values(kind, 7, seed=k)
    of_all = min(
        sum(oracle.deviations_from_median(x[group]) for group in groups)
        for groups in oracle.partitions(list(range(7)), k)
    )
    assert oracle.least_absolute(x, k) == of_all


@pytest.mark.parametrize("kind", KINDS)
def test_no_partition_deviates_less_from_its_medians(kind):
    rng = np.random.default_rng(len(kind))
    for seed in range(20):
        k = int(rng.integers(1, 12))
        n = int(rng.choice([rng.integers(k, 50), k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k]))
        x = values(kind, n, seed)
        labels = tk.univariate(x, k, cost="absolute")
        assert np.bincount(labels).min() >= k
        assert deviations_above_least(x, labels, k) <= ROUNDING


@pytest.mark.parametrize(("n", "k"), [(700, 2), (700, 5), (900, 31), (900, 150)])
@pytest.mark.parametrize("kind", ["seconds", "lognormal", "cauchy", "clusters"])
def test_no_partition_deviates_less_over_many_values(kind, n, k):
    x = values(kind, n, seed=k)
    assert deviations_above_least(x, tk.univariate(x, k, cost="absolute"), k) <= ROUNDING


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=30), st.integers(1, 8))
def test_no_partition_of_few_small_numbers_deviates_less(x, k):
    k = min(k, len(x))
    assert deviations_above_least(x, tk.univariate(x, k, cost="absolute"), k) == 0


def test_absolute_deviations_of_the_whole_range_of_numbers():
    largest = np.finfo(float).max
    x = [largest, -largest, 0.0, largest, -largest, 1.0]
    assert tk.univariate(x, 2, cost="absolute").tolist() == [0, 1, 2, 0, 1, 2]
    tiny = np.array([5, 0, 1, 5, 0, 1]) * 5e-324
    assert tk.univariate(tiny, 2, cost="absolute").tolist() == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize("cost", ["squares", "absolute"])
def test_no_search_of_one_column_ends_above_the_optimum(cost):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(8, 60)), int(rng.integers(2, 5))
        x = values(KINDS[seed % len(KINDS)], n, seed)
        labels = tk.partition(x[:, None], k, cost=cost)
        above = excess if cost == "squares" else deviations_above_least
        assert above(x, labels, k) <= ROUNDING


@pytest.mark.parametrize(("cost", "how"), [("squares", "mean"), ("absolute", "median")])
def test_individual_ranking_is_the_optimum_of_each_column_alone(cost, how):
    X = np.column_stack([values(kind, 60, 3) for kind in ("normal", "lognormal", "ties")])
    found = tk.microaggregate(X, 5, method="individual", cost=cost, how=how)
    for j in range(3):
        labels = tk.univariate(X[:, j], 5, cost=cost)
        expected = tk.aggregate(X[:, j : j + 1], labels, how=how)[:, 0]
        np.testing.assert_array_equal(found[:, j], expected)
        assert np.unique(found[:, j], return_counts=True)[1].min() >= 5


def test_individual_ranking_knows_no_other_option():
    with pytest.raises(ValueError, match="strata cannot be asked of method='individual'"):
        tk.microaggregate([[1.0], [2.0]], 1, method="individual", strata=[0, 1])
    with pytest.raises(ValueError, match="method must be one of"):
        tk.partition([[1.0], [2.0]], 1, method="individual")


def test_a_cost_that_is_none_is_refused():
    with pytest.raises(ValueError, match="cost must be one of"):
        tk.univariate([1.0, 2.0], 1, cost="cubes")
