"""The best cut of an order: none is better, whatever the data, the threads, the processor."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import KINDS, make, tables_and_k

import tokumei as tk

# The longest loss that rounding may cost, relative to the least there is.
ROUNDING = 1e-12


def excess(X, labels, order, k):
    """By how much a partition exceeds the best cut of an order, relatively and exactly."""
    least = oracle.least_cut(X, order, k)
    loss = oracle.exact_sse(X, labels)
    assert loss >= least
    return float((loss - least) / least) if least else float(loss)


@st.composite
def tables_orders_and_k(draw, max_rows):
    X, k = draw(tables_and_k(max_rows))
    return X, np.random.default_rng(draw(st.integers(0, 2**32 - 1))).permutation(len(X)), k


@given(tables_orders_and_k(40))
def test_no_cut_of_the_order_is_better(case):
    X, order, k = case
    assert excess(X, tk.cut(X, order, k), order, k) <= ROUNDING


@given(tables_orders_and_k(100))
def test_no_cut_of_the_order_is_better_for_longer_groups(case):
    X, order, k = case
    assert excess(X, tk.cut(X, order, k), order, k) <= ROUNDING


@pytest.mark.parametrize("d", [1, 2, 3, 4, 7, 8, 9])
@pytest.mark.parametrize("k", [2, 8, 15, 16, 21])
@pytest.mark.parametrize("kind", KINDS)
def test_no_cut_is_better_in_many_dimensions(kind, k, d):
    X = make(kind, 90, d, seed=d)
    order = np.random.default_rng(k).permutation(90)
    assert excess(X, tk.cut(X, order, k), order, k) <= ROUNDING


@pytest.mark.parametrize("k", [3, 15, 16, 41])
def test_no_cut_is_better_over_many_records(k):
    # Far enough for path lengths to be measured anew, and for several stretches of the order.
    X = make("skewed", 2_500, 2, seed=k)
    order = np.argsort(X[:, 0], kind="stable")
    assert excess(X, tk.cut(X, order, k), order, k) <= ROUNDING


@pytest.mark.parametrize("k", [4, 16, 21])
def test_clusters_far_apart_are_cut_as_well_as_near_ones(k):
    rng = np.random.default_rng(k)
    X = rng.normal(size=(1_500, 2))
    X[:, 0] += 1e9 * rng.integers(0, 3, 1_500)
    X[:, 1] *= 1e-6
    order = np.lexsort((X[:, 1], X[:, 0] > 5e8, X[:, 0] > 1.5e9))
    assert excess(X, tk.cut(X, order, k), order, k) <= ROUNDING


@given(tables_orders_and_k(60))
def test_groups_are_stretches_of_the_order_with_k_to_2k_minus_1_records(case):
    X, order, k = case
    labels = tk.cut(X, order, k)
    borders = np.count_nonzero(np.diff(labels[order]))
    sizes = np.bincount(labels)
    assert borders == len(sizes) - 1
    assert sizes.min() >= k
    assert sizes.max() <= max(2 * k - 1, len(X) if len(X) < 2 * k else 0)


@given(tables_orders_and_k(60))
def test_groups_are_numbered_by_their_first_record(case):
    X, order, k = case
    _, first = np.unique(tk.cut(X, order, k), return_index=True)
    assert (np.diff(first) > 0).all()


@pytest.mark.parametrize("k", [1, 2, 15, 16, 50])
def test_ties_go_to_the_shorter_last_group(k):
    # All cuts of a constant cost nothing: every group is as short as can be, but for the first.
    n = 7 * k + k // 2
    labels = tk.cut(np.full((n, 2), 7.25), np.arange(n), k)
    assert np.bincount(labels).tolist() == [k + k // 2, *[k] * 6]


@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
@pytest.mark.parametrize(("n", "d", "k"), [(20_000, 3, 5), (20_000, 5, 20), (4_000, 9, 1_000)])
def test_labels_do_not_depend_on_threads(n, d, k, n_threads):
    X, order = make("normal", n, d, seed=1), np.random.default_rng(2).permutation(n)
    np.testing.assert_array_equal(
        tk.cut(X, order, k, n_threads=n_threads), tk.cut(X, order, k, n_threads=1)
    )


@pytest.mark.parametrize("d", [1, 3, 8, 21])
@pytest.mark.parametrize("k", [5, 16])
def test_labels_do_not_depend_on_how_the_table_lies_in_memory(k, d):
    X = make("skewed", 20_000, d, seed=d)
    order = np.random.default_rng(k).permutation(len(X))
    labels = tk.cut(np.asfortranarray(X), order, k)
    assert np.array_equal(tk.cut(np.ascontiguousarray(X), order, k), labels)
    assert np.array_equal(tk.cut(np.repeat(X, 2, axis=0)[::2], order, k), labels)


@pytest.mark.parametrize("k", [2, 7, 15, 16, 31])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_do_not_depend_on_the_instruction_set(kind, k, instructions, monkeypatch):
    X, order = make(kind, 700, 5, seed=k), np.random.default_rng(k).permutation(700)
    labels = tk.cut(X, order, k)
    monkeypatch.setenv("TOKUMEI_INSTRUCTIONS", "baseline")
    np.testing.assert_array_equal(labels, tk.cut(X, order, k))


def test_k_of_one_leaves_every_record_alone():
    X = make("normal", 50, 2, seed=3)
    np.testing.assert_array_equal(tk.cut(X, np.arange(50)[::-1], 1), np.arange(50))


@pytest.mark.parametrize("k", [4, 5, 6, 7])
def test_fewer_than_2k_records_are_one_group(k):
    X = make("normal", 7, 2, seed=4)
    np.testing.assert_array_equal(tk.cut(X, np.arange(7), k), np.zeros(7))


def test_the_data_and_the_order_are_not_written_to():
    X, order = make("normal", 300, 4, seed=5), np.arange(300)[::-1].copy()
    order.flags.writeable = False
    before = X.copy(), order.copy()
    tk.cut(X, order, 7)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(order, before[1])


@pytest.mark.parametrize(
    ("order", "error", "message"),
    [
        ([0.0, 1.0, 2.0], TypeError, "order must be whole numbers, got values of kind float64"),
        ([0, 1], ValueError, r"order must hold each of the 3 rows once, got shape \(2,\)"),
        ([[0, 1, 2]], ValueError, r"order must hold each of the 3 rows once, got shape \(1, 3\)"),
        ([0, 1, 3], ValueError, "order must hold rows from 0 to 2, got 1 others"),
        ([0, -1, -2], ValueError, "order must hold rows from 0 to 2, got 2 others"),
        (
            [0, 1, 1],
            ValueError,
            "order must hold each of the 3 rows once, got 1 of them not at all",
        ),
    ],
)
def test_what_is_not_an_order_is_refused(order, error, message):
    with pytest.raises(error, match=message):
        tk.cut([[1.0], [2.0], [3.0]], order, 1)


def test_values_whose_sums_cannot_be_squared_are_refused():
    with pytest.raises(ValueError, match="too large to be squared"):
        tk.cut([[1e131], [0.0]], [0, 1], 1)


def test_the_largest_values_allowed_are_cut():
    X = np.array([[1e130, -1e130]] * 3 + [[-1e130, 1e130]] * 3)
    np.testing.assert_array_equal(tk.cut(X, np.arange(6), 2), [0, 0, 0, 1, 1, 1])


class Enough(Exception):
    """Raised by a callback that wants no more."""


@pytest.mark.parametrize(("n", "d", "k"), [(8_000_000, 2, 12), (1_000_000, 8, 2_000)])
def test_a_callback_can_stop_the_work(n, d, k):
    def stop(done):
        assert 0 <= done <= 1
        raise Enough

    with pytest.raises(Enough):
        tk.cut(np.zeros((n, d), order="F"), np.arange(n), k, callback=stop)
