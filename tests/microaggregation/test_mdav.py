"""MDAV: equal to the plain definition, label by label, whatever the machine."""

import math

import numpy as np
import oracle
import pytest
from hypothesis import given
from strategies import HARSH, KINDS, make, tables_and_k

import tokumei as tk


@given(tables_and_k(kinds=KINDS + HARSH))
def test_labels_are_those_of_the_definition(case):
    X, k = case
    np.testing.assert_array_equal(tk.mdav(X, k), oracle.mdav(X, k))


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 7, 8, 9, 16, 33, 64])
@pytest.mark.parametrize("kind", KINDS + HARSH)
def test_labels_are_those_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 90, d, seed=d)
    np.testing.assert_array_equal(tk.mdav(X, 4), oracle.mdav(X, 4))


def brute_mdav(X, k):
    """The definition once more, with scans of whole arrays: for tables of thousands of records."""
    X = oracle.table(X)
    rows, groups = np.arange(len(X)), []

    digits, _ = oracle.whole_numbers(X.ravel())
    whole = [digits[i : i + X.shape[1]] for i in range(0, len(digits), X.shape[1])]

    def farthest_from_mean():
        mean = [math.fsum(column) / len(rows) for column in X[rows].T]
        distances = oracle.squared_distances(X[rows], mean)
        totals = [sum(column) for column in zip(*(whole[row] for row in rows), strict=True)]
        # Exactly among those that may be: n^2 |x - s/n|^2 in whole numbers.
        return max(
            rows[distances >= 0.999 * distances.max()].tolist(),
            key=lambda row: sum(
                (len(rows) * x - total) ** 2 for x, total in zip(whole[row], totals, strict=True)
            ),
        )

    def farthest(point):
        return rows[np.argmax(oracle.squared_distances(X[rows], point))]

    def close(row):
        nonlocal rows
        others = rows[rows != row]
        distances = oracle.squared_distances(X[others], X[row])
        groups.append([row, *others[np.argsort(distances, kind="stable")[: k - 1]]])
        rows = np.setdiff1d(rows, groups[-1], assume_unique=True)

    while len(rows) >= 3 * k:
        r = farthest_from_mean()
        close(r)
        close(farthest(X[r]))
    if len(rows) >= 2 * k:
        close(farthest_from_mean())
    return oracle.canonical([*groups, list(rows)])


@pytest.mark.parametrize("kind", ["normal", "ties", "duplicates", "skewed", *HARSH])
@pytest.mark.parametrize(("n", "d", "k"), [(2_100, 1, 4), (2_500, 6, 5), (4_700, 3, 31)])
def test_labels_are_those_of_the_definition_where_bounds_decide(kind, n, d, k):
    X = make(kind, n, d, seed=n)
    np.testing.assert_array_equal(tk.mdav(X, k), brute_mdav(X, k))


@pytest.mark.parametrize("levels", [2, 5])
def test_ties_in_a_large_table_go_to_the_lowest_row(levels, instructions):
    # Corners of a lattice, each many times: nearly every choice is one between equals.
    X = np.random.default_rng(levels).integers(0, levels, size=(20_000, 3)).astype(float)
    np.testing.assert_array_equal(tk.mdav(X, 70), lattice_reference(levels, X))


def lattice_reference(levels, X, _known={}):  # noqa: B006 - the plain answer, computed once
    if levels not in _known:
        _known[levels] = brute_mdav(X, 70)
    return _known[levels]


@pytest.mark.parametrize("n_threads", [2, 3, 8])
def test_labels_do_not_depend_on_threads_where_groups_are_small(n_threads):
    X = make("normal", 40_000, 5, seed=2)
    np.testing.assert_array_equal(tk.mdav(X, 3, n_threads=n_threads), tk.mdav(X, 3, n_threads=1))


@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_do_not_depend_on_threads(kind, n_threads, instructions):
    # Several blocks of the scans, so that the threads really share the work.
    X = make(kind, 13_000, 3, seed=5)
    np.testing.assert_array_equal(tk.mdav(X, 900, n_threads=n_threads), reference(kind))


def reference(kind, _known={}):  # noqa: B006 - the plain answer, computed once a kind
    if kind not in _known:
        _known[kind] = oracle.mdav(make(kind, 13_000, 3, seed=5), 900)
    return _known[kind]


@given(tables_and_k())
def test_every_group_has_at_least_k_records(case):
    X, k = case
    sizes = np.bincount(tk.mdav(X, k))
    assert sizes.min() >= k
    assert (np.sort(sizes)[:-1] == k).all() or len(sizes) <= 2


@given(tables_and_k())
def test_groups_are_numbered_by_their_first_record(case):
    X, k = case
    labels = tk.mdav(X, k)
    _, first = np.unique(labels, return_index=True)
    assert (np.diff(first) > 0).all()


@pytest.mark.parametrize(
    ("name", "columns", "losses"),
    [
        ("census.csv", None, [5.6922, 7.4947, 9.0884, 14.1559]),
        ("tarragona.csv", None, [16.9326, 19.5460, 22.4619, 33.1929]),
        ("eia.csv", [0, *range(5, 15)], [0.4829, 0.6713, 1.6667, 3.8397]),
    ],
)
def test_losses_are_the_published_ones(reference_table, name, columns, losses):
    Z = tk.standardize(reference_table(name, columns))
    reached = [100 * tk.loss.ilssdm(Z, tk.mdav(Z, k)) for k in (3, 4, 5, 10)]
    np.testing.assert_allclose(reached, losses, atol=5e-5)


def test_the_record_opposite_is_taken_from_outside_the_first_group():
    # All equal: s would be r itself if it were looked for among all records.
    np.testing.assert_array_equal(tk.mdav(np.ones((7, 2)), 2), [0, 0, 1, 1, 2, 2, 2])


def test_a_callback_is_told_how_far_the_work_is_and_may_stop_it():
    X = make("normal", 20_000, 4, seed=1)
    progress = []
    tk.mdav(X, 2, callback=progress.append)
    assert progress == sorted(progress)
    assert all(0 <= done <= 1 for done in progress)

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        tk.mdav(make("normal", 400_000, 4, seed=1), 2, callback=stop)
