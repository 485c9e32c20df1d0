"""Means, standardised values and sums of squares: right to the last digits, far from zero too."""

import math
from fractions import Fraction

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import make, tables, tables_and_labels

import tokumei as tk

finite = st.floats(allow_nan=False, allow_infinity=False, width=64)


@given(st.lists(finite, min_size=6, max_size=30))
def test_groups_follow_from_the_correctly_rounded_mean(values):
    # Values of all magnitudes cancel in the sum, so a careless mean would choose other records.
    x = np.clip(np.array(values), -1e100, 1e100)[:, None]
    np.testing.assert_array_equal(tk.mdav(x, 2), oracle.mdav(x, 2))


@given(tables())
def test_standardized_values_are_exact_to_twelve_digits(X):
    # Rounding the result to double precision leaves about one unit in the last place of the
    # deviation, which for values near the mean is what the data's own precision allows.
    np.testing.assert_allclose(tk.standardize(X), oracle.standardize(X), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_standardizing_survives_extreme_scales(scale):
    X = np.array([[1.0], [2.0], [4.0], [-3.0]])
    np.testing.assert_allclose(tk.standardize(X * scale), tk.standardize(X), atol=1e-15)


def test_standardized_eleven_companies():
    area = [790, 710, 730, 810, 950, 510, 400, 330, 510, 760, 50]
    employees = [55, 44, 32, 17, 3, 25, 45, 50, 5, 52, 12]
    expected = np.array(
        [
            [0.778, 0.458, 0.538, 0.857, 1.417, -0.342, -0.781, -1.061, -0.342, 0.658, -2.180],
            [1.297, 0.705, 0.059, -0.749, -1.502, -0.318, 0.758, 1.028, -1.395, 1.135, -1.018],
        ]
    ).T
    np.testing.assert_allclose(
        tk.standardize(np.column_stack([area, employees])), expected, atol=1.01e-3
    )


@given(tables())
def test_standardizing_does_not_depend_on_the_order_of_the_rows(X):
    backwards = np.ascontiguousarray(X[::-1])
    np.testing.assert_array_equal(tk.standardize(backwards)[::-1], tk.standardize(X))


def test_a_constant_attribute_becomes_zero_and_costs_nothing():
    X = np.column_stack([np.arange(6.0), np.full(6, 0.1)])
    Z = tk.standardize(X)
    assert (Z[:, 1] == 0).all()
    assert tk.loss.sse(X, [0, 0, 0, 1, 1, 1]) == tk.loss.sse(X[:, :1], [0, 0, 0, 1, 1, 1])


def close(value, exact):
    return value == float(exact) or math.isclose(value, float(exact), rel_tol=1e-12)


@given(tables_and_labels())
def test_sse_is_exact_to_twelve_digits(case):
    X, labels = case
    assert close(tk.loss.sse(X, labels), oracle.exact_sse(X, labels))


@given(tables())
def test_sst_is_exact_to_twelve_digits(X):
    assert close(tk.loss.sst(X), oracle.exact_sst(X))


@given(tables_and_labels())
def test_group_means_are_correctly_rounded(case):
    X, labels = case
    np.testing.assert_array_equal(tk.aggregate(X, labels), oracle.aggregate(X, labels))


@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
def test_sums_do_not_depend_on_threads(n_threads):
    X = make("skewed", 5_000, 7, seed=2)
    labels = np.arange(5_000) // 3
    assert tk.loss.sse(X, labels, n_threads=n_threads) == tk.loss.sse(X, labels, n_threads=1)
    assert tk.loss.sst(X, n_threads=n_threads) == tk.loss.sst(X, n_threads=1)
    np.testing.assert_array_equal(
        tk.standardize(X, n_threads=n_threads), tk.standardize(X, n_threads=1)
    )


def test_the_example_of_four_numbers():
    X = [[1], [2], [3], [4]]
    assert tk.loss.ilssdm(X, [0, 0, 1, 1]) == 0.2
    np.testing.assert_array_equal(tk.microaggregate(X, 2), [[1.5], [1.5], [3.5], [3.5]])


def test_labels_may_have_gaps_and_large_numbers():
    X = np.arange(6.0)[:, None]
    for labels in ([5, 5, 5, 0, 0, 0], [9**9, 9**9, 9**9, 4, 4, 4]):
        assert Fraction(tk.loss.sse(X, labels)) == 4


def test_rows_that_are_all_equal_have_no_loss_to_speak_of():
    with pytest.raises(ValueError, match="all its rows are equal"):
        tk.loss.ilssdm(np.ones((4, 2)), [0, 0, 1, 1])
