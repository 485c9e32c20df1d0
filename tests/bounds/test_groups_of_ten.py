"""Proofs for k = 10: of twenty records every group is looked at, and none undercuts its values."""

import itertools

import numpy as np
import pytest
from strategies import make

import tokumei as tk
from tokumei._check import Run
from tokumei._kernels import runtime
from tokumei.microaggregation.search.lagrangian_bound import lagrangian_duals
from tokumei.microaggregation.search.relaxation import negative_columns
from tokumei.microaggregation.search.subset_rows import SubsetRows

RUN = Run(1, runtime.best_instruction_set())
ROWS, K = 20, 10
# All sets of the rows, one a number: those of 10 to 19 records.
SETS = np.arange(1 << ROWS)
SIZES = np.bitwise_count(SETS)
LARGE = np.flatnonzero((SIZES >= K) & (SIZES < 2 * K))


def sums(values):
    """The sum of values over every set, by doubling."""
    out = np.zeros(1)
    for value in values:
        out = np.concatenate([out, out + value])
    return out


def costs_of(X):
    """The sum of squares of every set of records."""
    X = X - X.mean(axis=0)
    squares = sums((X**2).sum(axis=1))
    for column in X.T:
        squares -= sums(column) ** 2 / np.maximum(SIZES, 1)
    return squares


@pytest.fixture(params=["normal", "skewed", "ties"], scope="module")
def table(request):
    X = np.asfortranarray(make(request.param, ROWS, 3, seed=2))
    return X, costs_of(X)


def least_of(costs):
    """The least sum of squares: all records together, or any ten and the other ten."""
    halves = np.flatnonzero(SIZES == K)
    return min(costs[-1], (costs[halves] + costs[len(SETS) - 1 - halves]).min())


def test_the_sums_over_sets_are_those_of_single_groups(table):
    X, costs = table
    for group in itertools.islice(itertools.combinations(range(ROWS), K), 0, None, 40_000):
        rows = list(group)
        plain = ((X[rows] - X[rows].mean(axis=0)) ** 2).sum()
        assert costs[sum(1 << row for row in rows)] == pytest.approx(plain, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("steps", [1, 20, 2_000])
@pytest.mark.parametrize("raised", [1.0, 1.5, 4.0])
def test_whatever_is_claimed_no_group_undercuts_what_is_left(table, steps, raised):
    X, costs = table
    duals = raised * lagrangian_duals(X, K, RUN)
    _, correction = negative_columns(X, duals, K, steps, RUN)
    reduced = costs - sums(duals - correction)
    assert reduced[LARGE].min() >= -1e-9 * costs[-1]
    undercut = (costs - sums(duals))[LARGE].min()
    if undercut < -1e-6 * costs[-1]:
        assert correction.max() > 0


def test_tolls_of_rows_are_counted_in_groups_of_ten(table):
    X, costs = table
    duals = 2.0 * lagrangian_duals(X, K, RUN)
    sets = np.array([[0, 5, 9, -1, -1], [1, 2, 3, 4, 5], [7, 8, 19, -1, -1]])
    prices = duals.sum() * np.array([0.05, 0.02, 0.1])
    subsets = SubsetRows(np.asfortranarray(sets), prices)
    tolls = np.zeros(len(SETS))
    for row, price in zip(sets, prices, strict=True):
        held = np.bitwise_count(SETS & sum(1 << member for member in row[row >= 0].tolist()))
        tolls += price * (2 * held > (row >= 0).sum())
    _, correction = negative_columns(X, duals, K, 300, RUN, subsets)
    left = (costs + tolls - sums(duals - correction))[LARGE]
    assert left.min() >= -1e-9 * costs[-1]


@pytest.mark.parametrize("method", ["columns", "rows", "neighbours"])
def test_no_bound_is_above_the_optimum_of_twenty_records(table, method):
    X, costs = table
    bound = tk.lower_bound(X, K, method=method, time_limit=5)
    assert 0 <= bound * costs[-1] <= least_of(costs) * (1 + 1e-9)
