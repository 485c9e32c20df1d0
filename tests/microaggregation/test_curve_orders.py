"""Orders along a curve, a column and the principal axis: equal to their definitions."""

import itertools

import numpy as np
import oracle
import pytest
from builders.orders import EVERY_KIND, MANY_ATTRIBUTES, known
from hypothesis import given
from hypothesis import strategies as st
from strategies import make, tables

from tokumei import microaggregation as ma


@given(tables(), st.sampled_from([1, 2, 3, 5, 16, 31]))
def test_the_hilbert_order_is_that_of_the_definition(X, bits):
    np.testing.assert_array_equal(ma.hilbert_order(X, bits=bits), oracle.hilbert_order(X, bits))


@EVERY_KIND
@MANY_ATTRIBUTES
def test_the_hilbert_order_is_that_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 300, d, seed=d)
    for bits in (1, 6, 31):
        np.testing.assert_array_equal(
            ma.hilbert_order(X, bits=bits), known(oracle.hilbert_order, kind, 300, d, bits)
        )


@pytest.mark.parametrize(
    ("d", "bits"), [(1, 7), (2, 1), (2, 4), (3, 1), (3, 3), (4, 2), (5, 2), (6, 1), (10, 1)]
)
def test_the_hilbert_curve_goes_from_each_cell_to_one_next_to_it(d, bits):
    cells = np.array(list(itertools.product(range(2**bits), repeat=d)))
    shuffled = np.random.default_rng(d).permutation(cells)
    curve = shuffled[ma.hilbert_order(shuffled, bits=bits)]
    assert (np.abs(np.diff(curve, axis=0)).sum(axis=1) == 1).all()
    # A coarser curve is the same one seen from farther away.
    coarse = curve[:: 2**d] // 2 if bits > 1 else curve
    assert (np.abs(np.diff(coarse, axis=0)).sum(axis=1) == 1).all()


def test_the_hilbert_curve_of_the_plane_is_the_classical_one():
    def classical(bits):
        if bits == 0:
            return [(0, 0)]
        inner, half = classical(bits - 1), 2 ** (bits - 1)
        return [
            *((y, x) for x, y in inner),
            *((x, y + half) for x, y in inner),
            *((x + half, y + half) for x, y in inner),
            *((2 * half - 1 - y, half - 1 - x) for x, y in inner),
        ]

    curve = classical(5)
    shuffled = np.random.default_rng(5).permutation(curve)
    np.testing.assert_array_equal(shuffled[ma.hilbert_order(shuffled, bits=5)], curve)


@given(tables(), st.data())
def test_the_column_order_is_that_of_the_definition(X, data):
    column = data.draw(st.integers(0, X.shape[1] - 1))
    np.testing.assert_array_equal(ma.column_order(X, column), oracle.column_order(X, column))


def test_the_column_order_is_stable_for_long_columns_and_both_zeros():
    values = np.random.default_rng(8).integers(-40, 40, size=20_000) / 7
    values[::3] *= -0.0
    np.testing.assert_array_equal(
        ma.column_order(values[:, None]), np.argsort(values, kind="stable")
    )


@given(tables())
def test_the_principal_order_is_that_of_the_definition(X):
    np.testing.assert_array_equal(ma.principal_order(X), oracle.principal_order(X))


@EVERY_KIND
@pytest.mark.parametrize("d", [1, 2, 5, 8, 9, 20])
def test_the_principal_order_is_that_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 700, d, seed=d)
    np.testing.assert_array_equal(
        ma.principal_order(X), known(oracle.principal_order, kind, 700, d)
    )


@pytest.mark.parametrize("scale", [1e-310, 1e-160, 1.0, 1e137])
def test_the_principal_order_follows_the_longest_direction(scale):
    rng = np.random.default_rng(6)
    X = rng.normal(size=(500, 6)) * [1, 2, 30, 1, 3, 1] @ np.linalg.qr(rng.normal(size=(6, 6)))[0]
    axis = np.linalg.eigh(np.cov(X.T))[1][:, -1]
    projections = (X - X.mean(axis=0)) @ axis * np.sign(axis[np.abs(axis).argmax()])
    found = projections[ma.principal_order(X * scale)]
    assert (np.diff(found) > -1e-9).all()
