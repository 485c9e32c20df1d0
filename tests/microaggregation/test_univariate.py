"""One attribute: no partition of any kind is better, wherever the values lie."""

import numpy as np
import oracle
import pytest
from builders.one_attribute import KINDS, values
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk

ROUNDING = 1e-12


def excess(x, labels, k):
    """By how much a partition exceeds the best of all, relatively and exactly."""
    least = oracle.least_univariate(x, k)
    loss = oracle.exact_sse(np.asarray(x, dtype=float)[:, None], labels)
    assert loss >= least
    return float((loss - least) / least) if least else float(loss)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_cut_of_the_sorted_values_is_the_best_partition_of_all(kind, k):
    x = values(kind, 7, seed=k)
    of_all = min(
        oracle.exact_sse(x[:, None], oracle.canonical(groups))
        for groups in oracle.partitions(list(range(7)), k)
    )
    assert oracle.least_univariate(x, k) == of_all


@pytest.mark.parametrize("kind", KINDS)
def test_no_partition_is_better(kind):
    rng = np.random.default_rng(len(kind))
    for seed in range(150):
        k = int(rng.integers(1, 25))
        n = int(rng.choice([rng.integers(k, 60), k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k]))
        x = values(kind, n, seed)
        labels = tk.univariate(x, k)
        assert np.bincount(labels).min() >= k
        assert excess(x, labels, k) <= ROUNDING


@pytest.mark.parametrize("k", [11, 12, 30])
@pytest.mark.parametrize("kind", ["seconds", "lognormal", "cauchy", "clusters"])
def test_no_partition_is_better_over_many_values(kind, k):
    x = values(kind, 2_100, seed=k)
    assert excess(x, tk.univariate(x, k), k) <= ROUNDING


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=30), st.integers(1, 8))
def test_no_partition_of_few_small_numbers_is_better(x, k):
    k = min(k, len(x))
    assert excess(x, tk.univariate(x, k), k) <= ROUNDING


# The faults of another package that is widely used for this, by its own numbers.


@pytest.mark.parametrize("k", [5, 21, 22])
def test_fault_1_groups_that_touch_three_blocks_of_k_lose_none(k):
    for seed in range(40):
        x = values("normal", 59, seed)
        assert excess(x, tk.univariate(x, k), k) <= ROUNDING


def test_fault_2_labels_of_2k_values_are_in_the_order_given():
    np.testing.assert_array_equal(tk.univariate([5, 1, 5.1, 0.9], 2), [0, 1, 0, 1])


@pytest.mark.parametrize("offset", [1e6, 1e8, 1.7e9, -1e9])
@pytest.mark.parametrize("k", [3, 5, 15, 22])
def test_fault_3_an_offset_changes_nothing(k, offset):
    x = np.random.default_rng(k).integers(-(2**20), 2**20, 500) / 2**10
    np.testing.assert_array_equal(tk.univariate(x + offset, k), tk.univariate(x, k))


@pytest.mark.parametrize("k", [3, 8, 15])
def test_fault_4_centred_values_lose_nothing(k):
    for seed in range(40):
        x = values("normal", 57, seed)
        x -= x.mean()
        assert excess(x, tk.univariate(x, k), k) <= ROUNDING


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_fault_5_values_that_are_no_numbers_are_refused(bad):
    with pytest.raises(ValueError, match=r"x: column 0 has 1 (missing|infinite) values"):
        tk.univariate([1.0, bad, 2.0], 1)


@pytest.mark.parametrize("k", [1, 2, 5, 12, 30])
def test_equal_values_are_in_row_order(k):
    n = 4 * k
    np.testing.assert_array_equal(tk.univariate(np.full(n, -0.0), k), np.arange(n) // k)
    signs = np.where(np.arange(n) % 2, 0.0, -0.0)
    np.testing.assert_array_equal(tk.univariate(signs, k), np.arange(n) // k)


@pytest.mark.parametrize("n", [10, 100, 3_000, 70_000])
@pytest.mark.parametrize("kind", KINDS)
def test_groups_are_stretches_of_a_stable_sort(kind, n):
    x = values(kind, n, seed=n)
    order = np.argsort(x + 0.0, kind="stable")
    labels = tk.univariate(x, 3)
    assert np.count_nonzero(np.diff(labels[order])) == labels.max()
    _, first = np.unique(labels, return_index=True)
    assert (np.diff(first) > 0).all()


@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
@pytest.mark.parametrize("k", [5, 50])
def test_labels_do_not_depend_on_threads(k, n_threads):
    x = values("lognormal", 200_000, seed=k)
    np.testing.assert_array_equal(
        tk.univariate(x, k, n_threads=n_threads), tk.univariate(x, k, n_threads=1)
    )


@pytest.mark.parametrize("k", [2, 11, 12, 40])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_do_not_depend_on_the_instruction_set(kind, k, instructions, monkeypatch):
    x = values(kind, 2_000, seed=k)
    labels = tk.univariate(x, k)
    monkeypatch.setenv("TOKUMEI_INSTRUCTIONS", "baseline")
    np.testing.assert_array_equal(labels, tk.univariate(x, k))


@pytest.mark.parametrize("scale", [2.0**-1074, 2.0**-990, 2.0**-530, 2.0**530, 2.0**1017])
@pytest.mark.parametrize("k", [2, 13])
def test_the_unit_of_measurement_changes_nothing(k, scale):
    x = np.random.default_rng(k).integers(-50, 50, 100).astype(float)
    np.testing.assert_array_equal(tk.univariate(x * scale, k), tk.univariate(x, k))


def test_the_whole_range_of_numbers_is_cut():
    largest = np.finfo(float).max
    x = [largest, -largest, 0.0, largest, -largest, 1.0]
    np.testing.assert_array_equal(tk.univariate(x, 2), [0, 1, 2, 0, 1, 2])


def test_a_table_of_one_column_will_do():
    np.testing.assert_array_equal(tk.univariate([[1], [5], [1], [5]], 2), [0, 1, 0, 1])


@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        ([[1, 2], [3, 4]], ValueError, r"x must be one attribute, .* got shape \(2, 2\)"),
        (3.0, ValueError, r"x must be one attribute, .* got shape \(\)"),
        ([], ValueError, "x is empty"),
        (["a", "b"], TypeError, "x must be numeric"),
    ],
)
def test_what_is_not_one_attribute_is_refused(x, error, message):
    with pytest.raises(error, match=message):
        tk.univariate(x, 1)


@pytest.mark.parametrize("k", [0, 4])
def test_group_sizes_that_cannot_be_are_refused(k):
    with pytest.raises(ValueError, match=r"k must be between 1 and the number of rows \(3\)"):
        tk.univariate([1, 2, 3], k)


class Enough(Exception):
    """Raised by a callback that wants no more."""


def test_a_callback_can_stop_the_work():
    def stop(done):
        assert 0 <= done <= 1
        raise Enough

    with pytest.raises(Enough):
        tk.univariate(np.random.default_rng(0).random(8_000_000), 10, callback=stop)
