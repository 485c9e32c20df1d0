"""Strata, households and weights: what groups may not do, and how much things count."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import make, tables

import tokumei as tk


@st.composite
def tables_and_units(draw):
    """A table, k, and values for every row of which each occurs at least k times."""
    k = draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(k, 3 * k + 2), min_size=1, max_size=5))
    units = draw(st.permutations(np.repeat(np.arange(len(sizes)), sizes).tolist()))
    kind = draw(st.sampled_from(("normal", "ties", "constant")))
    return make(kind, len(units), 2, draw(st.integers(0, 9999))), k, np.array(units)


@given(tables_and_units())
def test_groups_never_cross_a_stratum(case):
    X, k, strata = case
    labels = tk.partition(X, k, strata=strata)
    assert all(len(set(strata[labels == group])) == 1 for group in set(labels))
    assert np.bincount(labels).min() >= k


@given(tables_and_units())
def test_each_stratum_is_partitioned_as_if_it_were_alone(case):
    X, k, strata = case
    labels = tk.partition(X, k, strata=strata)
    for stratum in set(strata):
        rows = np.flatnonzero(strata == stratum)
        _, group = np.unique(labels[rows], return_inverse=True)
        alone = tk.partition(X[rows], k)
        assert len(set(zip(group, alone, strict=True))) == len(set(alone)) == len(set(group))


@given(tables(max_rows=30), st.data())
def test_every_group_holds_k_whole_households(X, data):
    n = len(X)
    households = np.array(data.draw(st.lists(st.integers(0, n), min_size=n, max_size=n)))
    k = data.draw(st.integers(1, len(set(households))))
    labels = tk.partition(X, k, households=households)
    for household in set(households):
        assert len(set(labels[households == household])) == 1
    assert all(len(set(households[labels == group])) >= k for group in set(labels))
    _, first = np.unique(labels, return_index=True)
    assert (np.diff(first) > 0).all()


def test_households_in_strata_keep_both_rules():
    X = make("normal", 24, 2, seed=3)
    households = np.arange(24) // 2
    strata = np.where(households < 6, "north", "south")
    labels = tk.partition(X, 3, households=households, strata=strata)
    for group in set(labels):
        assert len(set(households[labels == group])) >= 3
        assert len(set(strata[labels == group])) == 1


def test_households_weigh_what_their_members_do():
    X = make("normal", 400, 2, seed=7)
    rng = np.random.default_rng(7)
    households = rng.integers(120, size=400)
    codes = np.unique(households, return_inverse=True)[1]
    points = np.array([X[codes == code].mean(axis=0) for code in range(codes.max() + 1)])
    labels = tk.partition(X, 3, households=households)
    plain = tk.partition(points, 3)[codes]
    assert tk.loss.sse(X, labels) < tk.loss.sse(X, plain)


def test_weights_of_records_count_in_households():
    X = make("normal", 200, 2, seed=7)
    households = np.arange(200) // 2
    weights = np.random.default_rng(7).uniform(0.1, 20, size=200)

    def lost(labels):
        return oracle.weighted_squares(X, labels, weights)

    heavy = tk.partition(X, 3, households=households, record_weights=weights)
    light = tk.partition(X, 3, households=households)
    assert lost(heavy) < lost(light)
    assert all(len(set(households[heavy == group])) >= 3 for group in set(heavy))


def test_strata_share_the_time():
    X = make("normal", 1_200, 3, seed=2)
    strata = np.arange(1_200) % 3
    options = {"strata": strata, "n_threads": 1}
    at_once = tk.partition(X, 5, effort="fast", **options)
    in_time = tk.partition(X, 5, effort=1e6, time_limit=1.5, **options)
    for stratum in range(3):
        rows = strata == stratum
        assert tk.loss.sse(X[rows], in_time[rows]) < tk.loss.sse(X[rows], at_once[rows])


def test_any_values_name_strata_and_households():
    X = [[1], [2], [10], [11]]
    for strata in (
        ["a", "b", "b", "a"],
        [(1, 2), 3, 3, (1, 2)],
        np.array([True, False, False, True]),
    ):
        if isinstance(strata, list) and isinstance(strata[0], tuple):
            column = np.empty(4, dtype=object)
            column[:] = strata
            strata = column
        np.testing.assert_array_equal(tk.partition(X, 2, strata=strata), [0, 1, 1, 0])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"strata": ["a", "a", "a", "b"]}, "1 of 2 strata have fewer than k = 2"),
        ({"strata": ["a", None, "a", "b"]}, "strata has 1 missing values"),
        ({"strata": ["a"]}, "one value for each of the 4 rows"),
        ({"households": [1, 1, 1, 1]}, "there are 1 in all"),
        ({"households": [1, 1, 2, np.nan]}, "households has 1 missing values"),
        (
            {"households": [1, 1, 2, 2], "strata": ["a", "b", "a", "a"]},
            "1 households lie in more than one stratum",
        ),
        ({"attribute_weights": [1.0, 2.0]}, "attribute_weights must hold 1 numbers"),
        ({"attribute_weights": [-1.0]}, "1 of 1 are not"),
        ({"attribute_weights": [0.0]}, "must not all be zero"),
    ],
)
def test_impossible_units_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        tk.partition([[1], [2], [10], [11]], 2, **options)


def test_a_weight_of_zero_leaves_an_attribute_out():
    X = make("normal", 40, 3, seed=1)
    np.testing.assert_array_equal(
        tk.partition(X, 3, attribute_weights=[1, 0, 1]), tk.partition(X[:, [0, 2]], 3)
    )


def test_an_attribute_weight_of_four_counts_as_doubled_values():
    X = make("normal", 40, 2, seed=1)
    np.testing.assert_array_equal(
        tk.partition(X, 3, attribute_weights=[4, 1]), tk.partition(X * [2, 1], 3)
    )


def test_progress_runs_from_stratum_to_stratum():
    X = make("normal", 30_000, 3, seed=1)
    reports = []
    tk.partition(X, 2, strata=np.arange(30_000) % 3, callback=reports.append)
    assert reports == sorted(reports)
    assert all(0 <= share <= 1 for share in reports)
