"""Greedy k-member: equal to the plain definition, label by label, whatever the machine."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import HARSH, KINDS, make, tables_and_k

import tokumei as tk
from tokumei.microaggregation import kmember
from tokumei.microaggregation.methods import kmember as method


@given(tables_and_k(kinds=KINDS + HARSH))
def test_labels_are_those_of_the_definition(case):
    X, k = case
    np.testing.assert_array_equal(kmember(X, k), oracle.kmember(X, k))


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 7, 8, 9, 16, 33, 64])
@pytest.mark.parametrize("kind", KINDS + HARSH)
def test_labels_are_those_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 60, d, seed=d)
    np.testing.assert_array_equal(kmember(X, 4), oracle.kmember(X, 4))


@pytest.mark.parametrize("kind", ["normal", "ties", "duplicates", "skewed", *HARSH])
@pytest.mark.parametrize(("d", "k"), [(1, 3), (3, 4), (6, 9)])
def test_labels_are_those_of_the_definition_where_bounds_decide(kind, d, k):
    X = make(kind, 700, d, seed=k)
    np.testing.assert_array_equal(kmember(X, k), oracle.kmember(X, k))


@pytest.mark.parametrize("decimals", [0, 9])
def test_labels_are_those_of_the_definition_for_several_blocks(decimals):
    X = np.round(make("normal", 4500, 2, seed=1), decimals)
    np.testing.assert_array_equal(kmember(X, 90, n_threads=2), oracle.kmember(X, 90))


@pytest.mark.parametrize("n_threads", [2, 3, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_do_not_depend_on_threads(kind, n_threads, instructions):
    # Several blocks of the scans, so that the threads really share the work.
    X = make(kind, 9_000, 3, seed=5)
    np.testing.assert_array_equal(kmember(X, 300, n_threads=n_threads), on_one_thread(kind))


def on_one_thread(kind, _known={}):  # noqa: B006 - computed once a kind
    if kind not in _known:
        _known[kind] = kmember(make(kind, 9_000, 3, seed=5), 300, n_threads=1)
    return _known[kind]


@given(tables_and_k())
def test_groups_have_k_records_and_the_last_records_join_them(case):
    X, k = case
    sizes = np.bincount(kmember(X, k))
    assert sizes.size == len(X) // k
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


def test_a_record_joins_the_box_that_it_widens_least_not_the_seed_that_it_is_nearest_to():
    # (0, 0) is farthest from the mean: the seed. (0, 3) joins it, then (4.5, 3), although (6, 0) is
    # nearer to the seed. The next seed is (10, 10), then (6, 0), the farthest from it that is left.
    near = [[0.0, 0.0], [0.0, 3.0], [6.0, 0.0], [4.5, 3.0]]
    far = [[10.0, 10.0], [10.0, 9.0], [9.0, 10.0], [10.0, 8.0], [8.0, 10.0]]
    assert kmember(near + far, 3).tolist() == [0, 0, 1, 0, 2, 2, 2, 1, 1]


def test_of_equal_losses_the_last_record_raises_that_of_the_lowest_row():
    # 1 and 3 form the first group, 9 and 7 the second.
    X = [[7.0], [1.0], [3.0], [9.0], [5.0]]
    assert kmember(X, 2).tolist() == [0, 1, 1, 0, 0]


@given(tables_and_k(), st.integers(-20, 20))
def test_the_unit_of_an_attribute_does_not_matter(case, exponent):
    X, k = case
    units = np.ldexp(1.0, exponent * np.arange(X.shape[1]))
    np.testing.assert_array_equal(kmember(X * units, k), kmember(X, k))


def test_equal_rows_form_groups_of_k_in_their_order():
    labels = kmember(np.full((700, 3), 2.5), 7)
    np.testing.assert_array_equal(labels, np.repeat(np.arange(100), 7))


def test_a_callback_is_told_how_far_the_work_is_and_may_stop_it():
    progress = []
    kmember(make("normal", 60_000, 4, seed=1), 5, n_threads=1, callback=progress.append)
    assert progress
    assert progress == sorted(progress)
    assert all(0 <= done <= 1 for done in progress)

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        kmember(make("normal", 200_000, 4, seed=1), 5, n_threads=1, callback=stop)


def test_partition_knows_it_by_name():
    X = make("normal", 40, 3, seed=13)
    np.testing.assert_array_equal(tk.partition(X, 3, method="kmember"), kmember(X, 3))


@pytest.fixture
def in_blocks(monkeypatch):
    """Tables of more than 200 records in blocks of at most 100."""
    monkeypatch.setattr(method, "LARGEST_WHOLE", 200)
    monkeypatch.setattr(method, "BLOCK", 100)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("in_blocks")
def test_large_tables_have_groups_of_k_in_blocks_on_any_number_of_threads(kind, instructions):
    X = make(kind, 701, 3, seed=2)
    labels = kmember(X, 5, n_threads=1)
    sizes = np.bincount(labels)
    assert sizes.min() >= 5
    assert sizes.max() <= 9
    np.testing.assert_array_equal(kmember(X, 5, n_threads=3), labels)
    # Each group is found in what its block holds: the whole would have formed others.
    assert (labels != oracle.kmember(X, 5)).any()


@pytest.mark.usefixtures("in_blocks")
def test_ranges_are_those_of_the_whole_table_in_blocks():
    # Eight clumps along one attribute, and in each of them pairs along another whose range is the
    # same everywhere: by ranges of a block the first attribute would count as much.
    rng = np.random.default_rng(3)
    X = np.column_stack([np.repeat(np.arange(8.0), 50), np.tile(np.arange(25.0), 16)])
    X[:, 0] += 1e-3 * rng.uniform(size=400)
    labels = kmember(X, 2)
    apart = [np.ptp(X[labels == label, 1]) for label in range(labels.max() + 1)]
    assert max(apart) == 0


@pytest.mark.usefixtures("in_blocks")
def test_a_callback_may_stop_work_inside_a_block(monkeypatch):
    monkeypatch.setattr(method, "BLOCK", 1_000_000)

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        kmember(make("normal", 200_000, 4, seed=1), 5, n_threads=2, callback=stop)
