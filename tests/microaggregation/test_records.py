"""Records of numbers and codes: distances, means and squares are those of points."""

from fractions import Fraction

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import mixed_tables, plain

from tokumei import _check
from tokumei.microaggregation import records

RUN = _check.run(1)
POLICIES = ["impute", "category"]
NEAR_ZERO = ("normal", "ties", "duplicates", "constant")


def squared(points):
    return ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)


def points_of(attribute):
    return records.coordinates(records.join([attribute], len(attribute.codes)))[:, 1:]


@given(mixed_tables(kinds=NEAR_ZERO), st.integers(0, 2**32 - 1))
def test_distances_are_those_of_the_points_in_rational_numbers(table, seed):
    X = oracle.Mixed(*plain(table))
    group = np.random.default_rng(seed).permutation(len(X))[: 1 + seed % len(X)].tolist()
    for middle in ([group[0]], group):
        found = oracle.squared_distances(X, X.mean(middle))
        parts = [([[Fraction(v) for v in row] for row in X.numbers.tolist()], Fraction(1))]
        parts += [
            ([[Fraction(v) for v in row] for row in points.tolist()], Fraction(weight))
            for points, weight in oracle.corners(X)
        ]
        for row in range(len(X)):
            exact = Fraction(0)
            for points, weight in parts:
                for j, value in enumerate(points[row]):
                    mean = sum(points[member][j] for member in middle) / len(middle)
                    exact += weight * (value - mean) ** 2
            assert found[row] == pytest.approx(float(exact), rel=1e-12, abs=1e-12)


@given(mixed_tables(kinds=NEAR_ZERO), st.integers(0, 2**32 - 1))
def test_sums_of_squares_are_those_of_the_points(table, seed):
    labels = np.random.default_rng(seed).integers(0, 3, size=len(table))
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    groups = int(labels.max()) + 1
    exact = float(oracle.exact_sse(oracle.Mixed(*plain(table)), labels))
    scale = float(oracle.exact_sst(oracle.Mixed(*plain(table))))
    assert records.sse_of(table, labels, groups, RUN) == pytest.approx(
        exact, rel=1e-12, abs=1e-15 * scale
    )
    points = records.coordinates(table)
    assert records.sse_of(points, labels, groups, RUN) == pytest.approx(
        exact, rel=1e-12, abs=1e-13 * scale
    )


@pytest.mark.parametrize("categories", [2, 3, 7])
def test_different_nominal_categories_are_equally_far(categories):
    codes = np.array([*range(categories), 0, 0])
    far = squared(points_of(records.nominal(codes, "refuse")))
    different = codes[:, None] != codes[None, :]
    np.testing.assert_allclose(far[different], far[different][0], rtol=1e-12)
    assert (far[~different] == 0).all()


def test_squared_distances_in_a_tree_are_lengths_of_paths():
    # A root with two inner nodes, each with two leaves.
    ways = [np.array(way, dtype=int) for way in ([0, 4], [1, 4], [2, 5], [3, 5], [4], [5], [])]
    far = squared(points_of(records.tree(np.arange(7), ways, "refuse")))
    edges = {(0, 1): 2, (0, 2): 4, (0, 4): 1, (0, 5): 3, (0, 6): 2, (4, 5): 2, (4, 6): 1}
    for (a, b), length in edges.items():
        assert far[a, b] == pytest.approx(length * far[4, 6])


@pytest.mark.parametrize("missing", POLICIES)
def test_every_attribute_brings_total_variance_one(missing):
    rng = np.random.default_rng(1)
    values = rng.normal(size=50)
    values[:5] = np.nan
    codes = rng.integers(-1, 4, size=50)
    for block in (
        records.numeric(values, missing, RUN).numbers,
        points_of(records.nominal(codes, missing)),
        points_of(records.tree(codes, [np.array([v]) for v in range(4)], missing)),
    ):
        assert block.var(axis=0).sum() == pytest.approx(1.0)


def test_missing_values_attract_one_another_only_as_a_category():
    values = np.array([np.nan, np.nan, -3.0, 0.0, 3.0])
    apart = squared(records.numeric(values, "category", RUN).numbers)
    assert apart[0, 1] == 0
    assert apart[0, 3] > 0
    assert squared(records.numeric(values, "impute", RUN).numbers)[0, 3] == 0
    codes = np.array([-1, -1, 0, 1, 2])
    apart = squared(points_of(records.nominal(codes, "category")))
    assert apart[0, 2] == pytest.approx(apart[2, 3])
    apart = squared(points_of(records.nominal(codes, "impute")))
    assert apart[0, 2] == pytest.approx(apart[2, 3] / 2)


def test_constant_and_empty_attributes_bring_nothing_and_the_table_keeps_a_column():
    assert records.nominal(np.zeros(4, dtype=np.int64), "refuse").codes is None
    assert records.numeric(np.full(4, np.nan), "impute", RUN).numbers is None
    assert records.tree(np.full(4, -1), [np.array([0])], "impute").codes is None
    joined = records.join([records.Embedded(), records.Embedded()], 4)
    assert joined.shape == (4, 1)
    assert (joined == 0).all()


def test_a_weight_of_zero_leaves_an_attribute_out():
    codes = np.array([0, 1, 0])
    numbers = np.array([1.0, 2.0, 3.0])
    table = records.join(
        [records.nominal(codes, "refuse"), records.numeric(numbers, "refuse", RUN)],
        3,
        np.array([0.0, 4.0]),
    )
    np.testing.assert_allclose(table[:, 0], [-2 * 1.5**0.5, 0.0, 2 * 1.5**0.5])


def test_axes_have_one_number_an_attribute_and_its_variance():
    codes = np.array([2, 2, 2, 0, 0, 1, -1])
    table = records.join([records.nominal(codes, "impute")], 7)
    axis = records.on_axes(table)[:, 1]
    assert np.argsort(axis, kind="stable").tolist() == [6, 0, 1, 2, 3, 4, 5]
    assert axis.var() == pytest.approx(1.0)


def test_points_may_have_the_most_frequent_categories_alone():
    codes = np.array([3, 0, 1, 1, 2, 3, 3])
    table = records.join([records.nominal(codes, "refuse")], 7)
    every, some = records.coordinates(table), records.coordinates(table, 2)
    np.testing.assert_array_equal(some, every[:, [0, 2, 4]])
    np.testing.assert_array_equal(records.coordinates(table, 4), every)
