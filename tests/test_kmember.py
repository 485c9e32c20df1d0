"""Greedy k-member gives the oracle's groups, whatever it runs on, and refuses bad arguments."""

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import partition_problems

import tokumei as tk
from tokumei import machine
from tokumei._kernels.machine import best_level
from tokumei.microaggregation import kmember

LEVELS = machine.LEVELS[: best_level() + 1]


@settings(max_examples=300, deadline=None)
@given(partition_problems())
def test_labels_are_those_of_the_oracle(problem):
    X, k = problem
    assert np.array_equal(kmember(X, k, n_threads=1), oracle.kmember(X, k))


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 7, 8, 13, 16, 33, 64])
def test_labels_are_those_of_the_oracle_for_any_number_of_attributes(d):
    X = np.random.default_rng(d).normal(size=(300, d))
    for k in (2, 7):
        assert np.array_equal(kmember(X, k), oracle.kmember(X, k))


@pytest.mark.parametrize("decimals", [1, 9])
def test_labels_are_those_of_the_oracle_for_tables_of_several_blocks(decimals):
    X = np.round(np.random.default_rng(1).normal(size=(4500, 2)), decimals)
    assert np.array_equal(kmember(X, 90, n_threads=2), oracle.kmember(X, 90))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
def test_labels_do_not_depend_on_threads_or_instructions(monkeypatch, level, n_threads):
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(size=(9000, 5)), np.round(rng.normal(size=(4000, 5)))]) + 1e9
    expected = kmember(X, 100, n_threads=1)
    monkeypatch.setenv(machine.LEVEL_VARIABLE, level)
    assert np.array_equal(kmember(X, 100, n_threads=n_threads), expected)


@settings(max_examples=100, deadline=None)
@given(partition_problems())
def test_groups_have_k_records_and_the_last_records_join_them(problem):
    X, k = problem
    sizes = np.bincount(kmember(X, k))
    assert sizes.size == len(X) // k
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


def test_the_first_seed_is_the_record_farthest_from_the_mean():
    # The mean is 4.8: the seed is 10. Farthest from it is 0, the next seed.
    X = [[5.0], [0.0], [7.0], [10.0], [1.0], [6.0]]
    assert kmember(X, 3).tolist() == [0, 0, 1, 1, 0, 1]


def test_a_record_joins_the_box_it_widens_least_not_the_seed_it_is_nearest_to():
    # From the seed (0, 0), (3, 0) is nearest; then (4, 0) widens the box by 1, and (0, 3.5) by 3.5.
    X = [[0.0, 0.0], [3.0, 0.0], [4.0, 0.0], [0.0, 3.5], [8.0, 8.0], [8.0, 7.0], [7.0, 8.0]]
    labels = kmember(X, 3)
    assert labels[:3].tolist() == [0, 0, 0]
    assert np.array_equal(labels, oracle.kmember(X, 3))


def test_of_equal_losses_the_last_record_raises_that_of_the_lowest_row():
    # 1 and 3 form the first group, 9 and 7 the second.
    X = [[7.0], [1.0], [3.0], [9.0], [5.0]]
    assert kmember(X, 2).tolist() == [0, 1, 1, 0, 0]


@settings(max_examples=100, deadline=None)
@given(partition_problems(), st.integers(-20, 20))
def test_the_unit_of_an_attribute_does_not_matter(problem, exponent):
    X, k = problem
    units = np.ldexp(1.0, exponent * np.arange(X.shape[1]) % 41)
    assert np.array_equal(kmember(X * units, k), kmember(X, k))


def test_equal_rows_form_groups_of_k_in_their_order():
    assert kmember(np.full((700, 3), 2.5), 7).tolist() == np.repeat(np.arange(100), 7).tolist()


def test_the_table_is_left_as_it_was():
    X = np.random.default_rng(3).normal(size=(50, 3))
    X.flags.writeable = False
    before = X.copy()
    kmember(X, 3)
    assert np.array_equal(X, before)


def test_progress_rises_from_0_to_1():
    shares = []
    X = np.random.default_rng(4).normal(size=(20_000, 4))
    kmember(X, 5, n_threads=1, callback=shares.append)
    assert shares
    assert shares == sorted(shares)
    assert shares[0] >= 0.0
    assert shares[-1] <= 1.0


def test_an_exception_of_the_callback_ends_the_work():
    def stop(share):
        raise LookupError

    X = np.random.default_rng(5).normal(size=(40_000, 4))
    with pytest.raises(LookupError):
        kmember(X, 5, n_threads=1, callback=stop)


@pytest.mark.parametrize("k", [0, -1, 4])
def test_a_k_outside_1_to_n_is_refused(k):
    with pytest.raises(ValueError, match=r"k must be between 1 and the number of rows \(3\)"):
        kmember([[1.0], [2.0], [3.0]], k)


def test_text_is_refused():
    with pytest.raises(TypeError, match="X must be numeric"):
        kmember([["a"], ["b"]], 1)


def test_partition_knows_it_by_name():
    X = np.random.default_rng(6).normal(size=(40, 3))
    assert np.array_equal(tk.partition(X, 3, method="kmember"), kmember(X, 3))
