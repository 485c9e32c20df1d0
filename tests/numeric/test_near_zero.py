"""Numbers near zero are told apart like others: a power of two changes no group and no loss."""

import math

import numpy as np
import pytest

import tokumei as tk

RNG = np.random.default_rng(1)
X = RNG.normal(size=(60, 3))
LABELS = tk.mdav(X, 5)
EXPONENTS = [-531, -560, -800, -1000]  # squares lose bits, vanish; values are all but the least
DISTANCES = [
    tk.distances.Euclidean(),
    tk.distances.Minkowski(1),
    tk.distances.Minkowski(3),
    tk.distances.Minkowski(math.inf),
]
METHODS = ["auto", "mdav", "vmdav", "mondrian", "kmember", "npn", "grid", "flexdice", "hilbert"]


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("method", METHODS)
def test_groups_are_those_of_the_table_near_one(method, exponent):
    expected = tk.partition(X, 5, method=method)
    assert np.array_equal(tk.partition(np.ldexp(X, exponent), 5, method=method), expected)


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_searches_and_cuts_are_those_of_the_table_near_one(exponent):
    small, order = np.ldexp(X, exponent), tk.npn_order(X)
    assert np.array_equal(tk.npn_order(small), order)
    assert np.array_equal(tk.cut(small, order, 5), tk.cut(X, order, 5))
    assert np.array_equal(tk.refine(small, LABELS, 5), tk.refine(X, LABELS, 5))
    assert np.array_equal(tk.univariate(small[:, 0], 5), tk.univariate(X[:, 0], 5))
    in_a_row = tk.univariate(X[:, 0], 5)
    assert np.array_equal(tk.mil(small[:, 0], in_a_row, 5), tk.mil(X[:, 0], in_a_row, 5))
    assert tk.bounds.gap(small, LABELS, 5) == tk.bounds.gap(X, LABELS, 5)


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("power", [1, 1.5, 2])
@pytest.mark.parametrize("distance", DISTANCES, ids=repr)
def test_losses_are_those_of_the_table_near_one(distance, power, exponent):
    small = np.ldexp(X, exponent)
    expected = tk.loss.ild(X, tk.aggregate(X, LABELS), distance, power=power)
    found = tk.loss.ild(small, tk.aggregate(small, LABELS), distance, power=power)
    assert found == pytest.approx(expected, rel=1e-12)
    for options in ({}, {"method": "pairs"}):
        amount = tk.loss.information(X, distance, power=power, **options)
        least = tk.loss.information(small, distance, power=power, **options)
        assert least == pytest.approx(amount * 2.0 ** (exponent * power), rel=1e-12, abs=5e-324)


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_sums_of_squares_near_zero_are_rounded_once(exponent):
    small = np.ldexp(X, exponent)
    assert tk.loss.ilssdm(small, LABELS) == tk.loss.ilssdm(X, LABELS)
    assert tk.loss.sse(small, LABELS) == math.ldexp(tk.loss.sse(X, LABELS), 2 * exponent)
    assert tk.loss.sst(small) == math.ldexp(tk.loss.sst(X), 2 * exponent)


def test_columns_that_weigh_each_other_keep_their_information_near_zero():
    small = np.column_stack([X[:, 0], np.ldexp(X[:, 1], -600)])
    product = tk.distances.Product(tk.distances.Euclidean(), tk.distances.Euclidean())
    masked = tk.aggregate(small, LABELS)
    expected = tk.loss.ild(X[:, :2], tk.aggregate(X[:, :2], LABELS), product)
    assert tk.loss.ild(small, masked, product) == pytest.approx(expected, rel=1e-12)
    estimate = tk.loss.ild(small, masked, product, estimate=True, random_state=0)
    again = tk.loss.ild(
        X[:, :2], tk.aggregate(X[:, :2], LABELS), product, estimate=True, random_state=0
    )
    assert estimate.value == pytest.approx(again.value, rel=1e-9)
