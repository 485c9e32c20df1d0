"""Mondrian gives the oracle's groups, whatever it runs on, and refuses what it cannot take."""

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import partition_problems

import tokumei as tk
from tokumei import machine
from tokumei._kernels.machine import best_level
from tokumei.microaggregation import mondrian

LEVELS = machine.LEVELS[: best_level() + 1]


@settings(max_examples=300, deadline=None)
@given(partition_problems(), st.booleans())
def test_labels_are_those_of_the_oracle(problem, strict):
    X, k = problem
    expected = oracle.mondrian(X, k, strict)
    assert np.array_equal(mondrian(X, k, strict=strict, n_threads=1), expected)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 7, 8, 13, 16, 33, 64])
def test_labels_are_those_of_the_oracle_for_any_number_of_attributes(d, strict):
    X = np.round(np.random.default_rng(d).normal(size=(500, d)), 1)
    assert np.array_equal(mondrian(X, 3, strict=strict), oracle.mondrian(X, 3, strict))


@pytest.mark.parametrize("strict", [True, False])
def test_labels_are_those_of_the_oracle_where_many_groups_are_large(strict):
    # 64 attributes: groups of more than 1024 records count as large.
    X = np.round(np.random.default_rng(1).normal(size=(9000, 64)), 1)
    assert np.array_equal(mondrian(X, 100, strict=strict), oracle.mondrian(X, 100, strict))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
def test_labels_do_not_depend_on_threads_or_instructions(monkeypatch, level, n_threads):
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(size=(40_000, 8)), np.round(rng.normal(size=(9000, 8)))]) + 1e9
    expected = mondrian(X, 5, n_threads=1)
    monkeypatch.setenv(machine.LEVEL_VARIABLE, level)
    assert np.array_equal(mondrian(X, 5, n_threads=n_threads), expected)


@settings(max_examples=100, deadline=None)
@given(partition_problems())
def test_every_group_has_at_least_k_records(problem):
    X, k = problem
    assert np.bincount(mondrian(X, k)).min() >= k


@settings(max_examples=100, deadline=None)
@given(partition_problems())
def test_without_strictness_groups_have_k_to_2k_minus_1_records(problem):
    X, k = problem
    sizes = np.bincount(mondrian(X, k, strict=False))
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("n", [10, 19, 20, 29, 30, 31, 1000])
def test_without_equal_values_groups_have_k_to_2k_minus_1_records(n):
    sizes = np.bincount(mondrian(np.random.default_rng(3).normal(size=(n, 4)), 10))
    assert sizes.min() >= 10
    assert sizes.max() <= 19


@settings(max_examples=100, deadline=None)
@given(partition_problems())
def test_equal_records_are_in_one_group(problem):
    X, k = problem
    labels = mondrian(X, k)
    _, first, back = np.unique(X, axis=0, return_index=True, return_inverse=True)
    assert np.array_equal(labels, labels[first][back.ravel()])


def test_the_widest_attribute_is_cut_and_the_first_of_equals():
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    assert mondrian(X, 2).tolist() == [0, 1, 0, 1]
    assert mondrian(X[:, ::-1], 2).tolist() == [0, 1, 1, 0]
    # After the first cut, the second attribute is the wider one in both halves.
    X = np.array([[0.0, 0.0], [1.0, 9.0], [9.0, 0.0], [10.0, 9.0]])
    assert mondrian(X, 1).tolist() == [0, 1, 2, 3]


def test_the_next_attribute_is_cut_where_equal_values_forbid_the_widest():
    X = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 5.0], [9.0, 6.0], [0.0, 3.0], [0.0, 4.5]])
    assert mondrian(X, 2).tolist() == [0, 0, 1, 1, 0, 1]


def test_records_at_the_median_go_where_the_halves_are_more_equal():
    X = np.array([[1.0], [1.0], [2.0], [2.0], [2.0]])
    assert mondrian(X, 2).tolist() == [0, 0, 1, 1, 1]
    assert mondrian(3.0 - X, 2).tolist() == [0, 0, 1, 1, 1]
    assert mondrian([[1.0], [2.0], [2.0], [3.0]], 1).tolist() == [0, 1, 1, 2]


@settings(max_examples=100, deadline=None)
@given(partition_problems(), st.integers(-20, 20))
def test_the_unit_of_an_attribute_does_not_matter(problem, exponent):
    X, k = problem
    units = np.ldexp(1.0, exponent * np.arange(X.shape[1]) % 41)
    assert np.array_equal(mondrian(X * units, k), mondrian(X, k))


def test_a_million_equal_rows_are_one_group():
    labels = mondrian(np.full((1_000_000, 2), 3.5), 5)
    assert labels.shape == (1_000_000,)
    assert not labels.any()


def test_a_million_equal_rows_are_divided_without_strictness():
    sizes = np.bincount(mondrian(np.full((1_000_000, 2), 3.5), 5, strict=False))
    assert sizes.min() >= 5
    assert sizes.max() <= 9


def test_a_value_that_most_records_have_does_not_deepen_the_search():
    X = np.zeros((300_000, 2))
    X[:30, 0] = np.arange(1, 31)
    X[-30:, 1] = np.arange(-30, 0)
    sizes = np.sort(np.bincount(mondrian(X, 5)))
    assert sizes[-1] == 300_000 - 60
    assert sizes[:-1].max() <= 9


def test_the_table_is_left_as_it_was():
    X = np.random.default_rng(4).normal(size=(50, 3))
    X.flags.writeable = False
    before = X.copy()
    mondrian(X, 3)
    assert np.array_equal(X, before)


def test_progress_rises_from_0_to_1():
    shares = []
    X = np.random.default_rng(5).normal(size=(400_000, 6))
    mondrian(X, 3, n_threads=1, callback=shares.append)
    assert shares
    assert shares == sorted(shares)
    assert shares[0] >= 0.0
    assert shares[-1] <= 1.0


def test_an_exception_of_the_callback_ends_the_work():
    def stop(share):
        raise LookupError

    X = np.random.default_rng(6).normal(size=(400_000, 6))
    with pytest.raises(LookupError):
        mondrian(X, 3, n_threads=1, callback=stop)


@pytest.mark.parametrize("strict", [1, "yes", None, 0.0])
def test_strict_must_be_true_or_false(strict):
    with pytest.raises(TypeError, match="strict must be True or False"):
        mondrian([[1.0], [2.0]], 1, strict=strict)


@pytest.mark.parametrize("k", [0, -1, 4])
def test_a_k_outside_1_to_n_is_refused(k):
    with pytest.raises(ValueError, match=r"k must be between 1 and the number of rows \(3\)"):
        mondrian([[1.0], [2.0], [3.0]], k)


def test_infinite_values_are_refused_with_their_number():
    with pytest.raises(ValueError, match="column 0 has 1 infinite values"):
        mondrian([[1.0], [np.inf], [3.0]], 2)


def test_partition_knows_it_by_name():
    X = np.random.default_rng(7).normal(size=(40, 3))
    assert np.array_equal(tk.partition(X, 3, method="mondrian"), mondrian(X, 3))
