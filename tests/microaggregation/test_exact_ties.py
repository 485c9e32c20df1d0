"""Who is farthest from the mean is decided exactly, wherever a method or a path asks for it."""

import numpy as np
import oracle
import pytest
from strategies import make

import tokumei as tk

TRIANGLE = np.array([[0.0, 0], [0, 2], [2, 2]])


def test_equally_far_records_go_by_row_although_the_mean_rounds():
    # Rows 0 and 2 are equally far from (2/3, 4/3); the rounded mean is nearer to row 0.
    rounded = TRIANGLE.mean(axis=0)
    assert oracle.squared_distances(TRIANGLE, rounded)[[0, 2]].argmax() == 1
    for turned in (TRIANGLE, TRIANGLE[::-1], TRIANGLE[:, ::-1]):
        assert tk.npn_order(turned)[0] == 0
        assert tk.grid_order(turned, blocks_per_axis=2)[0] == 0
        assert tk.flexdice_order(turned, c1=1)[0] == 0


@pytest.mark.parametrize("unit", [1.0, 0.1, 1 / 3, 1e-200, 1e100])
@pytest.mark.parametrize("offset", [0.0, 0.3, 1e8])
def test_lattices_of_any_unit_and_offset_have_the_labels_of_the_definition(unit, offset):
    chance = np.random.default_rng(5)
    for n, d, levels in ((21, 2, 3), (40, 1, 4), (61, 3, 2), (300, 2, 2)):
        X = (chance.integers(0, levels, (n, d)) + offset) * unit
        np.testing.assert_array_equal(tk.mdav(X, 3), oracle.mdav(X, 3))
        np.testing.assert_array_equal(tk.vmdav(X, 4, gamma=0.4), oracle.vmdav(X, 4, 0.4))
        assert tk.npn_order(X)[0] == oracle.path_start(X)
        assert tk.grid_order(X)[0] == tk.flexdice_order(X)[0] == oracle.path_start(X)


@pytest.mark.parametrize("n", [700, 5_000])
def test_a_start_among_many_equals_is_the_lowest_row(n, instructions):
    X = make("ties", n, 2, seed=n)
    start = oracle.path_start(X)
    for threads in (1, 3):
        assert tk.npn_order(X, n_threads=threads)[0] == start
        assert tk.grid_order(X, n_threads=threads)[0] == start
        assert tk.flexdice_order(X, n_threads=threads)[0] == start
