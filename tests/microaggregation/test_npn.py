"""The nearest-point-next path: equal to the plain definition, step by step."""

import math

import numpy as np
import oracle
import pytest
from hypothesis import given
from strategies import HARSH, KINDS, make, tables

import tokumei as tk


@given(tables(kinds=KINDS + HARSH))
def test_the_path_is_that_of_the_definition(X):
    np.testing.assert_array_equal(tk.npn_order(X), oracle.nearest_point_next(X))


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 7, 8, 9, 16, 33, 64])
@pytest.mark.parametrize("kind", KINDS + HARSH)
def test_the_path_is_that_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 80, d, seed=d)
    np.testing.assert_array_equal(tk.npn_order(X), oracle.nearest_point_next(X))


def brute_path(X):
    """The definition once more, with scans of whole arrays: for tables of thousands of records."""
    X = oracle.table(X)
    mean = [math.fsum(column) / len(X) for column in X.T]
    left = np.arange(len(X))
    here = int(np.argmax(oracle.squared_distances(X, mean)))
    path = [here]
    while len(left) > 1:
        left = left[left != here]
        here = left[np.argmin(oracle.squared_distances(X[left], X[here]))]
        path.append(here)
    return np.array(path)


@pytest.mark.parametrize("kind", ["normal", "ties", "duplicates", "skewed", *HARSH])
@pytest.mark.parametrize(("n", "d"), [(2_100, 1), (3_000, 6), (5_000, 3)])
def test_the_path_is_that_of_the_definition_where_bounds_decide(kind, n, d):
    X = make(kind, n, d, seed=n)
    np.testing.assert_array_equal(tk.npn_order(X), brute_path(X))


@pytest.mark.parametrize("levels", [2, 12])
def test_ties_in_a_large_table_go_to_the_lowest_row(levels):
    X = np.random.default_rng(levels).integers(0, levels, size=(9_000, 3)).astype(float)
    np.testing.assert_array_equal(tk.npn_order(X), brute_path(X))


@pytest.mark.parametrize("n_threads", [2, 3, 8])
def test_the_path_does_not_depend_on_threads(n_threads, instructions):
    X = make("normal", 40_000, 3, seed=4)
    np.testing.assert_array_equal(
        tk.npn_order(X, n_threads=n_threads), tk.npn_order(X, n_threads=1)
    )


@given(tables())
def test_every_row_is_visited_once(X):
    np.testing.assert_array_equal(np.sort(tk.npn_order(X)), np.arange(len(X)))


def test_equal_records_are_visited_in_the_order_of_their_rows():
    np.testing.assert_array_equal(tk.npn_order(np.full((30_000, 4), 0.1)), np.arange(30_000))


def test_a_callback_is_told_how_far_the_work_is_and_may_stop_it():
    progress = []
    tk.npn_order(make("normal", 100_000, 4, seed=1), callback=progress.append)
    assert progress == sorted(progress)
    assert all(0 <= done <= 1 for done in progress)

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        tk.npn_order(make("normal", 400_000, 4, seed=1), callback=stop)
