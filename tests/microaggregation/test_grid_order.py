"""The grid path: equal to its definition, record by record."""

import numpy as np
import oracle
from builders.orders import EVERY_KIND, MANY_ATTRIBUTES, known
from hypothesis import given
from hypothesis import strategies as st
from strategies import make, tables

import tokumei as tk
from tokumei.microaggregation.orders.grid import _balanced_counts


@st.composite
def tables_and_counts(draw):
    X = draw(tables())
    counts = st.integers(1, 6) | st.sampled_from([100, 2**30])
    return X, draw(st.lists(counts, min_size=X.shape[1], max_size=X.shape[1]))


@given(tables_and_counts())
def test_the_grid_path_is_that_of_the_definition(case):
    X, counts = case
    np.testing.assert_array_equal(
        tk.grid_order(X, blocks_per_axis=counts), oracle.grid_order(X, counts)
    )


@EVERY_KIND
@MANY_ATTRIBUTES
def test_the_grid_path_is_that_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 200, d, seed=d)
    for counts in ((2,) * d, (1,) * (d - 1) + (7,)):
        np.testing.assert_array_equal(
            tk.grid_order(X, blocks_per_axis=counts), known(oracle.grid_order, kind, 200, d, counts)
        )


@EVERY_KIND
def test_a_grid_of_one_block_gives_the_plain_path(kind):
    X = make(kind, 900, 3, seed=2)
    np.testing.assert_array_equal(tk.grid_order(X, blocks_per_axis=1), oracle.nearest_point_next(X))


@EVERY_KIND
def test_blocks_that_are_chosen_are_as_many_as_records_in_the_block_of_one(kind):
    X = make(kind, 3_000, 3, seed=4)
    counts = _balanced_counts(X)
    np.testing.assert_array_equal(tk.grid_order(X), tk.grid_order(X, blocks_per_axis=counts))
    if kind in ("normal", "offset"):
        cells = [oracle.cells_of(X[:, j], counts[j]) for j in range(3)]
        sizes = np.unique(np.transpose(cells), axis=0, return_counts=True)[1]
        others = (sizes * (sizes - 1)).sum() / len(X)
        assert others / 2 < len(sizes) < 4 * others


def test_axes_of_little_spread_stay_whole_and_equal_ones_are_cut_from_the_lowest():
    X = np.random.default_rng(1).uniform(size=(2_000, 40))
    X[:2], X[:, 5:] = [[0.0] * 40, [1.0] * 40], X[:, 5:] / 100
    X[:2, 5:] = [[0.0] * 35, [0.01] * 35]
    counts = _balanced_counts(X)
    assert (counts[5:] == 1).all()
    assert counts[0] > 1
    assert (np.diff(counts) <= 0).all()
