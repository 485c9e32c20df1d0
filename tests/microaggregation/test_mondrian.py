"""Mondrian: equal to the plain definition, label by label, whatever the machine."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import KINDS, make, tables_and_k

import tokumei as tk
from tokumei.microaggregation import mondrian

both = pytest.mark.parametrize("strict", [True, False])


@given(tables_and_k(), st.booleans())
def test_labels_are_those_of_the_definition(case, strict):
    X, k = case
    np.testing.assert_array_equal(mondrian(X, k, strict=strict), oracle.mondrian(X, k, strict))


@both
@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 7, 8, 9, 16, 33, 64])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_those_of_the_definition_in_many_dimensions(kind, d, strict, instructions):
    X = make(kind, 90, d, seed=d)
    np.testing.assert_array_equal(mondrian(X, 4, strict=strict), oracle.mondrian(X, 4, strict))


@both
def test_labels_are_those_of_the_definition_where_many_groups_are_large(strict):
    # With 64 attributes, groups of more than 1024 records are cut by all threads together.
    X = np.round(make("normal", 9000, 64, seed=1), 1)
    np.testing.assert_array_equal(mondrian(X, 100, strict=strict), oracle.mondrian(X, 100, strict))


@pytest.mark.parametrize("n_threads", [2, 3, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_do_not_depend_on_threads(kind, n_threads, instructions):
    X = make(kind, 40_000, 8, seed=5)
    np.testing.assert_array_equal(mondrian(X, 5, n_threads=n_threads), on_one_thread(kind))


def on_one_thread(kind, _known={}):  # noqa: B006 - computed once a kind
    if kind not in _known:
        _known[kind] = mondrian(make(kind, 40_000, 8, seed=5), 5, n_threads=1)
    return _known[kind]


@given(tables_and_k())
def test_every_group_has_at_least_k_records(case):
    X, k = case
    assert np.bincount(mondrian(X, k)).min() >= k


@given(tables_and_k())
def test_without_strictness_groups_have_k_to_2k_minus_1_records(case):
    X, k = case
    sizes = np.bincount(mondrian(X, k, strict=False))
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("n", [10, 19, 20, 29, 30, 31, 1000])
def test_without_equal_values_groups_have_k_to_2k_minus_1_records(n):
    sizes = np.bincount(mondrian(make("normal", n, 4, seed=3), 10))
    assert sizes.min() >= 10
    assert sizes.max() <= 19


@given(tables_and_k())
def test_equal_records_are_in_one_group(case):
    X, k = case
    labels = mondrian(X, k)
    _, first, back = np.unique(X, axis=0, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(labels, labels[first][back.ravel()])


def test_the_widest_attribute_is_cut_and_the_first_of_equals():
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    assert mondrian(X, 2).tolist() == [0, 1, 0, 1]
    assert mondrian(X[:, ::-1], 2).tolist() == [0, 1, 1, 0]
    # Once the first attribute is cut, the second is the wider one in both halves.
    X = np.array([[0.0, 0.0], [1.0, 9.0], [0.5, 1.0], [0.7, 8.0], [9.0, 0.0], [9.2, 9.0]])
    X = np.concatenate([X, [[9.5, 1.0], [10.0, 8.0]]])
    assert mondrian(X, 2).tolist() == [0, 1, 0, 1, 2, 3, 2, 3]


def test_the_next_attribute_is_cut_where_equal_values_forbid_the_widest():
    X = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 5.0], [9.0, 6.0], [0.0, 3.0], [0.0, 4.5]])
    assert mondrian(X, 2).tolist() == [0, 0, 1, 1, 0, 1]


def test_records_at_the_median_go_where_the_halves_are_more_equal():
    X = np.array([[1.0], [1.0], [2.0], [2.0], [2.0]])
    assert mondrian(X, 2).tolist() == [0, 0, 1, 1, 1]
    assert mondrian(3.0 - X, 2).tolist() == [0, 0, 1, 1, 1]
    assert mondrian([[1.0], [2.0], [2.0], [3.0]], 1).tolist() == [0, 1, 1, 2]


@given(tables_and_k(), st.integers(-20, 20))
def test_the_unit_of_an_attribute_does_not_matter(case, exponent):
    X, k = case
    units = np.ldexp(1.0, exponent * np.arange(X.shape[1]))
    np.testing.assert_array_equal(mondrian(X * units, k), mondrian(X, k))


def test_a_million_equal_rows_are_one_group():
    labels = mondrian(np.full((1_000_000, 2), 3.5), 5)
    assert labels.shape == (1_000_000,)
    assert not labels.any()


def test_a_million_equal_rows_are_divided_without_strictness():
    sizes = np.bincount(mondrian(np.full((1_000_000, 2), 3.5), 5, strict=False))
    assert sizes.min() >= 5
    assert sizes.max() <= 9


def test_a_value_that_nearly_all_records_have_forms_one_group_and_the_others_theirs():
    X = np.zeros((300_000, 2))
    X[:30, 0] = np.arange(1, 31)
    X[-30:, 1] = np.arange(-30, 0)
    sizes = np.sort(np.bincount(mondrian(X, 5)))
    assert sizes[-1] == 300_000 - 60
    assert sizes[:-1].max() <= 9


def test_a_callback_is_told_how_far_the_work_is_and_may_stop_it():
    X = make("normal", 300_000, 6, seed=1)
    progress = []
    mondrian(X, 3, n_threads=1, callback=progress.append)
    assert progress
    assert progress == sorted(progress)
    assert all(0 <= done <= 1 for done in progress)

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        mondrian(X, 3, n_threads=1, callback=stop)


@pytest.mark.parametrize("strict", [1, "yes", None, 0.0])
def test_strict_must_be_true_or_false(strict):
    with pytest.raises(TypeError, match="strict must be True or False"):
        mondrian([[1.0], [2.0]], 1, strict=strict)


def test_partition_knows_it_by_name():
    X = make("normal", 40, 3, seed=13)
    np.testing.assert_array_equal(tk.partition(X, 3, method="mondrian"), mondrian(X, 3))
