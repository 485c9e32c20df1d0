"""Orders of records: every record once, ties by row, whatever the machine."""

import numpy as np
import pytest
from builders.orders import EVERY_KIND
from hypothesis import given, settings
from strategies import make, tables

import tokumei as tk
from tokumei import microaggregation as ma

ORDERS = {
    "grid": tk.grid_order,
    "grid of 4": lambda X, **more: tk.grid_order(X, blocks_per_axis=4, **more),
    "flexdice": tk.flexdice_order,
    "flexdice of 30": lambda X, **more: tk.flexdice_order(X, c1=30, **more),
    "flexdice, all axes": lambda X, **more: tk.flexdice_order(
        X, c1=100, c2=9, axes=X.shape[1], **more
    ),
    "hilbert": ma.hilbert_order,
    "principal": ma.principal_order,
}
EVERY_ORDER = pytest.mark.parametrize("order", list(ORDERS.values()), ids=list(ORDERS))


@EVERY_ORDER
@given(X=tables())
@settings(max_examples=40)
def test_every_record_is_visited_once(order, X):
    np.testing.assert_array_equal(np.sort(order(X)), np.arange(len(X)))


@EVERY_ORDER
@EVERY_KIND
def test_orders_do_not_depend_on_threads_or_instructions(order, kind, instructions):
    # Several blocks of every loop that threads share.
    X = make(kind, 9_000, 5, seed=7)
    for n_threads in (1, 2, 3, 8):
        np.testing.assert_array_equal(order(X, n_threads=n_threads), reference(order, X, kind))


def reference(order, X, kind, _known={}):  # noqa: B006 - the first answer, computed once
    return _known.setdefault((order, kind), order(X, n_threads=1))


@EVERY_ORDER
def test_equal_rows_are_visited_in_their_order(order):
    np.testing.assert_array_equal(order(np.full((300_000, 3), 2.5)), np.arange(300_000))


@pytest.mark.parametrize("name", ["grid", "grid of 4", "flexdice", "flexdice of 30"])
def test_copies_of_a_record_are_visited_together_the_lowest_row_first(name):
    rng = np.random.default_rng(9)
    points = rng.normal(size=(50, 4))
    which = rng.integers(0, 50, size=20_000)
    path = ORDERS[name](points[which])
    visits = np.flatnonzero(np.diff(which[path], prepend=-1))
    assert len(visits) == 50
    for run in np.split(path, visits[1:]):
        assert (np.diff(run) > 0).all()


@pytest.mark.parametrize("name", ["grid", "flexdice"])
def test_one_record_far_out_does_no_harm(name):
    X = make("normal", 4_000, 3, seed=1).copy()
    X[17] = 1e139
    path = ORDERS[name](X)
    assert path[0] == 17
    np.testing.assert_array_equal(np.sort(path), np.arange(4_000))


@pytest.mark.parametrize(
    ("order", "n", "d"),
    [
        (tk.grid_order, 200_000, 8),
        (tk.flexdice_order, 300_000, 8),
        (ma.principal_order, 3_000, 250),
    ],
)
def test_a_callback_is_told_how_far_the_work_is_and_may_stop_it(order, n, d):
    X = make("normal", n, d, seed=1)
    progress = []
    order(X, callback=progress.append)
    assert progress
    assert progress == sorted(progress)
    assert all(0 <= done <= 1 for done in progress)

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        order(X, callback=stop)


@EVERY_ORDER
def test_one_record_is_an_order_of_its_own(order):
    np.testing.assert_array_equal(order(np.array([[3.0, 4.0]])), [0])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda X: tk.grid_order(X, blocks_per_axis=0), ValueError, "1 other numbers"),
        (lambda X: tk.grid_order(X, blocks_per_axis=[2, 0]), ValueError, "1 other numbers"),
        (lambda X: tk.grid_order(X, blocks_per_axis=[2]), ValueError, "each of the 2 columns"),
        (lambda X: tk.grid_order(X, blocks_per_axis=2.0), TypeError, "float64"),
        (lambda X: tk.grid_order(X, blocks_per_axis=2**31), ValueError, "1 and 1073741824"),
        (lambda X: tk.flexdice_order(X, c1=0), ValueError, "c1 must be at least 1, got 0"),
        (lambda X: tk.flexdice_order(X, c2=-1), ValueError, "c2 must be at least 0, got -1"),
        (lambda X: tk.flexdice_order(X, c1=2.5), TypeError, "c1 must be a whole number"),
        (lambda X: tk.flexdice_order(X, axes=3), ValueError, "axes must be between 1 and 2, got 3"),
        (lambda X: ma.flexdice_blocks(X, axes=0), ValueError, "axes must be between 1 and 2"),
        (lambda X: ma.hilbert_order(X, bits=32), ValueError, "bits must be between 1 and 31"),
        (lambda X: ma.column_order(X, 2), ValueError, "column must be between 0 and 1, got 2"),
        (lambda X: ma.column_order(X, -1), ValueError, "column must be between 0 and 1, got -1"),
        (lambda X: tk.flexdice_order(X * np.nan), ValueError, "2 missing values"),
        (lambda X: ma.principal_order(X, n_threads=0), ValueError, "n_threads"),
    ],
)
def test_bad_arguments_are_refused(call, error, words):
    with pytest.raises(error, match=words):
        call(np.array([[1.0, 2.0], [3.0, 4.0]]))


@EVERY_ORDER
def test_the_callers_data_are_never_written_to(order):
    X = np.asfortranarray(make("normal", 500, 3, seed=1))
    before = X.copy()
    order(X)
    np.testing.assert_array_equal(X, before)
