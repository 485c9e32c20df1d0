"""V-MDAV: equal to the plain definition, label by label, whatever the machine and gamma."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import HARSH, KINDS, make, tables_and_k

import tokumei as tk
from tokumei.microaggregation.methods import vmdav as method
from tokumei.microaggregation.methods.vmdav import GAMMAS

SOME_GAMMAS = (0, 0.2, 1.0, 1.1, 3.0)
RESTS = st.sampled_from(["record", "mean"])


@given(tables_and_k(), st.sampled_from([*SOME_GAMMAS, 1e-200, 1e140]), RESTS)
def test_labels_are_those_of_the_definition(case, gamma, rest):
    X, k = case
    np.testing.assert_array_equal(
        tk.vmdav(X, k, gamma=gamma, rest=rest), oracle.vmdav(X, k, gamma, rest)
    )


@given(tables_and_k(kinds=HARSH), st.sampled_from(SOME_GAMMAS), RESTS)
def test_labels_are_those_of_the_definition_where_searches_are_hard(case, gamma, rest):
    X, k = case
    np.testing.assert_array_equal(
        tk.vmdav(X, k, gamma=gamma, rest=rest), oracle.vmdav(X, k, gamma, rest)
    )


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 7, 8, 9, 16, 33, 64])
@pytest.mark.parametrize("kind", KINDS + HARSH)
def test_labels_are_those_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 90, d, seed=d)
    np.testing.assert_array_equal(tk.vmdav(X, 4, gamma=1.1), oracle.vmdav(X, 4, 1.1))


@given(tables_and_k(kinds=("ties", "duplicates")), st.sampled_from(SOME_GAMMAS))
def test_labels_are_those_of_the_definition_where_squares_vanish(case, gamma):
    X, k = case
    X = np.round(X) * 1.5e-162
    np.testing.assert_array_equal(tk.vmdav(X, k, gamma=gamma), oracle.vmdav(X, k, gamma))


def test_records_whose_distance_vanishes_are_not_taken_for_equals():
    X = [[0.0], [-1.5e-162], [1.5e-162], [0.0], [0.0], [0.0]]
    np.testing.assert_array_equal(tk.vmdav(X, 2, gamma=3.0), oracle.vmdav(np.array(X), 2, 3.0))


@pytest.mark.parametrize("kind", ["normal", "ties", "duplicates", "skewed", *HARSH])
@pytest.mark.parametrize(("d", "k", "gamma"), [(1, 3, 1.1), (3, 4, 0.8), (6, 9, 1.0)])
def test_labels_are_those_of_the_definition_where_bounds_decide(kind, d, k, gamma):
    X = make(kind, 800, d, seed=k)
    np.testing.assert_array_equal(tk.vmdav(X, k, gamma=gamma), oracle.vmdav(X, k, gamma))


@pytest.mark.parametrize("gamma", [0, 0.9])
def test_labels_are_those_of_the_definition_for_several_blocks(gamma):
    X = np.round(make("normal", 4500, 2, seed=5), 1)
    np.testing.assert_array_equal(
        tk.vmdav(X, 19, gamma=gamma, n_threads=2), oracle.vmdav(X, 19, gamma)
    )


@pytest.mark.parametrize("n_threads", [2, 3, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_do_not_depend_on_threads(kind, n_threads, instructions):
    # Several blocks of the scans, so that the threads really share the work.
    X = make(kind, 9_000, 3, seed=5)
    np.testing.assert_array_equal(
        tk.vmdav(X, 700, gamma=1.1, n_threads=n_threads), on_one_thread(kind)
    )


def on_one_thread(kind, _known={}):  # noqa: B006 - computed once a kind
    if kind not in _known:
        _known[kind] = tk.vmdav(make(kind, 9_000, 3, seed=5), 700, gamma=1.1, n_threads=1)
    return _known[kind]


@given(tables_and_k(), st.sampled_from(SOME_GAMMAS))
def test_groups_have_k_to_2k_minus_1_records_and_at_most_k_minus_1_more(case, gamma):
    X, k = case
    sizes = np.bincount(tk.vmdav(X, k, gamma=gamma))
    assert sizes.min() >= k
    assert np.maximum(sizes - (2 * k - 1), 0).sum() <= k - 1


def test_gamma_0_makes_groups_of_k_and_a_large_gamma_fills_them():
    X = make("normal", 700, 4, seed=7)
    assert np.bincount(tk.vmdav(X, 7, gamma=0)).tolist() == [7] * 100
    assert np.bincount(tk.vmdav(X, 4, gamma=1e9)).tolist() == [7] * 100


def test_a_candidate_as_far_from_the_group_as_from_the_rest_does_not_join():
    # 0 and 2 form a group; then 5 is 3 away from it, and 3 from 8.
    X = [[2.0], [0.0], [10.0], [8.0], [5.0]]
    assert tk.vmdav(X, 2, gamma=1.0).tolist() == [0, 0, 1, 1, 1]
    assert tk.vmdav(X, 2, gamma=1.1).tolist() == [0, 0, 1, 1, 0]


def test_a_candidate_that_is_alone_joins_unless_gamma_is_0():
    X = [[2.0], [0.0], [10.0], [8.0], [5.0]]
    assert tk.vmdav(X, 2, gamma=1e-200).tolist() == [0, 0, 1, 1, 1]
    assert tk.vmdav(X, 2, gamma=0.0).tolist() == [0, 0, 1, 1, 0]


def test_of_equally_near_means_the_last_record_joins_that_of_the_lowest_row():
    # 1 and 3 form the first group, 7.5 and 8.5 the second.
    X = [[7.5], [8.5], [1.0], [3.0], [5.0]]
    assert tk.vmdav(X, 2, gamma=0.0, rest="mean").tolist() == [0, 0, 1, 1, 0]


def test_of_equally_near_records_the_last_record_joins_that_of_the_lowest_row():
    X = [[7.0], [9.0], [1.0], [3.0], [5.0]]
    assert tk.vmdav(X, 2, gamma=0.0).tolist() == [0, 0, 1, 1, 0]


def test_last_records_go_by_the_nearest_record_as_in_the_thesis_or_by_the_nearest_mean():
    x = [[3], [11], [20], [35], [34], [0]]
    assert tk.vmdav(x, 2).tolist() == [0, 0, 0, 1, 1, 0]
    assert tk.vmdav(x, 2, rest="mean").tolist() == [0, 0, 1, 1, 1, 0]


def test_the_last_records_do_not_see_each_other():
    # 4 and 6 are left; 6 would be nearest to 4, which has no group yet.
    X = [[0.0], [1.0], [2.0], [12.0], [11.0], [10.0], [4.0], [6.0]]
    assert tk.vmdav(X, 3, gamma=0.0).tolist() == oracle.vmdav(X, 3, 0.0).tolist()
    assert tk.vmdav(X, 3, gamma=0.0).tolist() == [0, 0, 0, 1, 1, 1, 0, 0]


@pytest.mark.parametrize("k", [2, 7])
def test_a_million_equal_rows_form_groups_of_k(k):
    sizes = np.bincount(tk.vmdav(np.full((1_000_000, 2), 3.5), k))
    assert sizes.size == 1_000_000 // k
    assert sizes.min() == k


@given(tables_and_k())
def test_auto_is_the_first_of_lowest_loss(case):
    X, k = case
    tries = [tk.vmdav(X, k, gamma=gamma) for gamma in GAMMAS]
    losses = [tk.loss.sse(X, labels) for labels in tries]
    np.testing.assert_array_equal(tk.vmdav(X, k, gamma="auto"), tries[int(np.argmin(losses))])


@pytest.mark.parametrize(
    ("name", "columns", "gamma", "losses"),
    [
        ("census.csv", None, 0.2, [5.6619, 9.0070, 14.0730]),
        ("census.csv", None, 1.1, [7.0649, 10.5407, 15.5020]),
        ("tarragona.csv", None, 0.2, [16.9630, 22.8778, 33.2527]),
        ("tarragona.csv", None, 1.1, [17.3830, 23.8507, 34.5314]),
        ("eia.csv", [0, *range(5, 15)], 0.2, [0.597, 1.730, 3.639]),
        ("eia.csv", [0, *range(5, 15)], 1.1, [0.508, 1.304, 2.805]),
    ],
)
def test_losses_stay_what_they_were(reference_table, name, columns, gamma, losses):
    Z = tk.standardize(reference_table(name, columns))
    reached = [
        100 * tk.loss.ilssdm(Z, tk.vmdav(Z, k, gamma=gamma, rest="mean")) for k in (3, 5, 10)
    ]
    np.testing.assert_allclose(reached, losses, atol=5e-4)


@pytest.mark.parametrize("gamma", [1.0, "auto"])
def test_a_callback_is_told_how_far_the_work_is_and_may_stop_it(gamma):
    progress = []
    tk.vmdav(
        make("normal", 60_000, 4, seed=1), 5, gamma=gamma, n_threads=1, callback=progress.append
    )
    assert progress
    assert progress == sorted(progress)
    assert all(0 <= done <= 1 for done in progress)

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        tk.vmdav(make("normal", 200_000, 4, seed=1), 5, gamma=gamma, n_threads=1, callback=stop)


@pytest.fixture
def by_stretches(monkeypatch):
    """Tables of more than 1,600 records try each gamma on sixteen stretches of 100."""
    monkeypatch.setattr(method, "LARGEST_TRIED", 200)
    monkeypatch.setattr(method, "STRETCH", 100)
    monkeypatch.setattr(method, "GROUPS_OF_A_STRETCH", 20)


@pytest.mark.usefixtures("by_stretches")
def test_auto_takes_one_gamma_for_a_large_table_and_nearly_the_best():
    rng = np.random.default_rng(5)
    for spread, members in ((0.01, 7), (0.5, 1)):
        X = np.repeat(10 * rng.normal(size=(2002 // members + 1, 3)), members, axis=0)[:2002]
        X += spread * rng.normal(size=X.shape)
        found = tk.vmdav(X, 4, gamma="auto")
        tries = [tk.vmdav(X, 4, gamma=gamma) for gamma in GAMMAS]
        assert any((labels == found).all() for labels in tries)
        least = min(tk.loss.sse(X, labels) for labels in tries)
        assert tk.loss.sse(X, found) <= 1.05 * least
        np.testing.assert_array_equal(tk.vmdav(X, 4, gamma="auto", n_threads=3), found)


@pytest.mark.usefixtures("by_stretches")
def test_auto_of_a_large_table_tries_no_gamma_on_all_of_it(monkeypatch):
    sizes = []
    kernel = method._kernels.vmdav

    def counted(x, *rest):
        sizes.append(len(x))
        kernel(x, *rest)

    monkeypatch.setattr(method._kernels, "vmdav", counted)
    told = []
    tk.vmdav(make("normal", 3000, 3, seed=4), 5, gamma="auto", callback=told.append)
    assert sizes == [100] * (16 * len(GAMMAS)) + [3000]
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("gamma", "error"),
    [
        (-0.1, ValueError),
        (float("nan"), ValueError),
        (float("inf"), ValueError),
        (1e200, ValueError),
        ("best", ValueError),
        (None, TypeError),
        (True, TypeError),
        ([1.0], TypeError),
        (1j, TypeError),
    ],
)
def test_a_bad_gamma_is_refused(gamma, error):
    with pytest.raises(error, match=r"gamma must be a number from 0 to 1e\+140, or 'auto'"):
        tk.vmdav([[1.0], [2.0]], 1, gamma=gamma)


@pytest.mark.parametrize("gamma", [1, np.float32(0.5), np.int64(2)])
def test_any_kind_of_real_gamma_is_taken(gamma):
    X = make("normal", 30, 2, seed=12)
    np.testing.assert_array_equal(tk.vmdav(X, 3, gamma=gamma), tk.vmdav(X, 3, gamma=float(gamma)))


def test_partition_knows_it_by_name():
    X = make("normal", 40, 3, seed=13)
    np.testing.assert_array_equal(tk.partition(X, 3, method="vmdav"), tk.vmdav(X, 3))
