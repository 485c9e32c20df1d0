"""Refinement under rules, weights and absolute deviations."""

from itertools import combinations_with_replacement

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import make, starts

import tokumei as tk
from tokumei.microaggregation.search.rules import _nearest, _nearest_in_order


@st.composite
def records_with_rules(draw):
    """Groups to refine, a sensitive variable and households, and what is asked of them."""
    X, labels, k = draw(starts())
    n = len(X)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sensitive = rng.integers(draw(st.integers(1, 6)), size=n) ** 2
    households = rng.integers(draw(st.integers(1, n)), size=n)
    rules = {
        "sensitive": sensitive,
        "l_diversity": draw(st.integers(1, len(np.unique(sensitive)))),
        "t_closeness": draw(st.floats(0, 1)),
        "t_kind": draw(st.sampled_from(["equal", "ordered"])),
        "households": households,
        "min_households": draw(st.integers(1, len(np.unique(households)))),
    }
    return X, labels, k, rules


@pytest.mark.parametrize("cost", ["squares", "absolute"])
@given(case=records_with_rules())
def test_rules_hold_in_every_group(cost, case):
    X, labels, k, rules = case
    for groups in (
        tk.refine(X, labels, k, effort=3, cost=cost, **rules),
        tk.partition(X, k, effort=3, cost=cost, **rules),
    ):
        assert np.bincount(groups).min() >= k
        for group in range(groups.max() + 1):
            oracle.assert_rules(np.flatnonzero(groups == group), **rules)


@given(case=records_with_rules(), other=st.integers(2, 5))
def test_rules_hold_for_each_of_several_sensitive_variables(case, other):
    X, labels, k, rules = case
    both = np.column_stack([rules["sensitive"], np.arange(len(X)) % other])
    rules["l_diversity"] = min(len(np.unique(column)) for column in both.T)
    for groups in (
        tk.refine(X, labels, k, effort=1, **rules | {"sensitive": both}),
        tk.partition(X, k, effort=1, **rules | {"sensitive": both}),
    ):
        for group in range(groups.max() + 1):
            for column in both.T:
                rows = np.flatnonzero(groups == group)
                oracle.assert_rules(rows, **rules | {"sensitive": column})


@pytest.mark.parametrize(
    ("model", "same"),
    [
        (tk.privacy.LDiversity("ill", 3), {"l_diversity": 3}),
        (tk.privacy.TCloseness("ill", 0.3), {"t_closeness": 0.3}),
        (tk.privacy.TCloseness("ill", 0.1, "ordered"), {"t_closeness": 0.1, "t_kind": "ordered"}),
    ],
)
def test_a_model_asks_for_what_its_options_ask_for(model, same):
    X = make("normal", 200, 3, seed=1)
    ill = np.random.default_rng(2).integers(0, 9, 200) // 2
    expected = tk.partition(X, 3, sensitive=ill, **same)
    assert not np.array_equal(expected, tk.partition(X, 3))
    np.testing.assert_array_equal(tk.partition(X, 3, sensitive={model: ill}), expected)
    starts = np.arange(200) // 4
    np.testing.assert_array_equal(
        tk.refine(X, starts, 3, sensitive={model: ill}),
        tk.refine(X, starts, 3, sensitive=ill, **same),
    )


@pytest.mark.parametrize(
    "model", [tk.privacy.LDiversity("ill", 2, "entropy"), tk.privacy.BetaLikeness("ill", 1.0)]
)
def test_what_the_search_cannot_promise_is_refused(model):
    with pytest.raises(TypeError, match="the search cannot promise"):
        tk.partition(make("normal", 20, 2, seed=1), 3, sensitive={model: np.arange(20)})


@given(case=records_with_rules(), strata=st.integers(1, 3))
def test_rules_hold_within_strata(case, strata):
    X, _, k, rules = case
    stratum = np.arange(len(X)) * strata // len(X)
    try:
        groups = tk.partition(X, k, effort=1, strata=stratum, **rules)
    except ValueError:  # a stratum is too small, or has too few values or households
        sizes = np.bincount(stratum)
        values = [len(set(rules["sensitive"][stratum == s])) for s in set(stratum)]
        homes = [len(set(rules["households"][stratum == s])) for s in set(stratum)]
        assert (
            min(sizes) < k
            or min(values) < rules["l_diversity"]
            or min(homes) < rules["min_households"]
        )
        return
    for group in range(groups.max() + 1):
        rows = np.flatnonzero(groups == group)
        assert len(set(stratum[rows])) == 1
        there = np.flatnonzero(stratum == stratum[rows[0]])
        within = {
            name: values[there] if name in ("sensitive", "households") else values
            for name, values in rules.items()
        }
        oracle.assert_rules(np.searchsorted(there, rows), **within)


@given(
    counts=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    size=st.integers(1, 6),
)
def test_how_near_a_group_can_be_is_known(counts, size):
    shares = np.array(counts) / sum(counts)
    choices = [
        np.bincount(chosen, minlength=len(counts)) / size - shares
        for chosen in combinations_with_replacement(range(len(counts)), size)
    ]
    halves = min(np.abs(apart).sum() / 2 for apart in choices)
    moved = min(np.abs(np.cumsum(apart)).sum() for apart in choices) / max(len(counts) - 1, 1)
    assert _nearest(shares, size) == pytest.approx(halves, abs=1e-12)
    assert _nearest_in_order(shares, size) == pytest.approx(moved, abs=1e-12)


def test_a_narrow_t_does_not_make_groups_of_hundreds():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(600, 3))
    rich = (X[:, 0] + rng.normal(size=600) > 0.9).astype(int)
    labels = tk.partition(X, 5, sensitive=rich, t_closeness=0.1)
    assert np.bincount(labels).mean() < 20
    assert np.bincount(labels).max() < 100
    assert tk.loss.ilssdm(X, labels) < 0.6


def test_rules_hold_in_large_tables_on_any_number_of_threads():
    X = make("normal", 20_000, 3, seed=4)
    rng = np.random.default_rng(4)
    rules = {
        "sensitive": rng.choice(4, size=len(X), p=[0.7, 0.2, 0.07, 0.03]),
        "l_diversity": 2,
        "t_closeness": 0.4,
    }
    one = tk.refine(X, np.arange(len(X)) // 5, 5, effort=0.5, n_threads=1, **rules)
    for group in np.split(np.argsort(one, kind="stable"), np.cumsum(np.bincount(one))[:-1]):
        oracle.assert_rules(group, **rules)
    for n_threads in (2, 3, 8):
        other = tk.refine(X, np.arange(len(X)) // 5, 5, effort=0.5, n_threads=n_threads, **rules)
        np.testing.assert_array_equal(other, one)


@pytest.mark.parametrize("rows", [2_000, 30_000])
def test_rules_hold_when_interrupted(rows):
    X = make("normal", rows, 3, seed=2)
    rules = {"sensitive": np.arange(rows) % 7 // 5, "l_diversity": 2}

    def stop(done):
        raise StopIteration

    refined = tk.refine(X, np.arange(rows) // 5, 5, effort=1000, callback=stop, **rules)
    for group in np.split(np.argsort(refined, kind="stable"), np.cumsum(np.bincount(refined))[:-1]):
        oracle.assert_rules(group, **rules)


@given(case=starts(), seed=st.integers(0, 2**32 - 1))
def test_weighted_squares_and_absolute_deviations_never_rise(case, seed):
    X, labels, k = case
    weights = np.random.default_rng(seed).uniform(0.1, 9, size=len(X))
    small = 2 * k - 1 >= np.bincount(labels).max()
    for cost, options in (
        (lambda groups: oracle.weighted_squares(X, groups, weights), {"record_weights": weights}),
        (lambda groups: oracle.absolute_deviations(X, groups), {"cost": "absolute"}),
    ):
        refined = tk.refine(X, labels, k, effort=3, **options)
        assert np.bincount(refined).min() >= k
        if small:  # larger groups are split by MDAV, which is of squares without weights
            grain = 1e-12 * cost(np.zeros_like(labels))
            assert cost(refined) <= cost(labels) * (1 + 1e-12) + grain


def test_equal_weights_are_no_weights():
    X = make("normal", 300, 3, seed=5)
    start = tk.mdav(X, 4)
    weighted = tk.refine(X, start, 4, record_weights=np.full(300, 2.5))
    np.testing.assert_array_equal(weighted, tk.refine(X, start, 4))


def test_nearly_equal_weights_change_nothing_but_rounding():
    X = make("normal", 300, 3, seed=5)
    start = tk.mdav(X, 4)
    plain = tk.loss.sse(X, tk.refine(X, start, 4, effort=100))
    weights = np.full(300, 2.5)
    weights[0] += 1e-9
    weighted = tk.refine(X, start, 4, effort=100, record_weights=weights)
    assert tk.loss.sse(X, weighted) <= 1.01 * plain


def test_absolute_deviations_end_lower_where_they_are_asked_for():
    X = make("skewed", 400, 3, seed=5)
    start = tk.mdav(X, 5)
    squares = tk.refine(X, start, 5)
    absolute = tk.refine(X, start, 5, cost="absolute")
    assert oracle.absolute_deviations(X, absolute) < oracle.absolute_deviations(X, squares)
    assert tk.loss.sse(X, squares) < tk.loss.sse(X, absolute)


def test_groups_may_be_larger_where_that_is_asked_for():
    X = make("normal", 60, 2, seed=1)
    start = np.arange(60) // 20
    sizes = np.bincount(tk.refine(X, start, 3, effort="fast", largest=20))
    assert sizes.max() > 5
    assert sizes.max() <= 20


def test_members_of_a_household_may_part_where_households_are_counted():
    X = [[1.0], [2.0], [10.0], [11.0]]
    households = ["a", "b", "a", "b"]
    labels = tk.partition(X, 2, households=households, min_households=2)
    np.testing.assert_array_equal(labels, [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"cost": "cubes"}, ValueError, "cost must be one of"),
        ({"largest": 2}, ValueError, "largest must be at least 3"),
        ({"record_weights": [1, 1, 0, 1]}, ValueError, "record_weights must be positive"),
        (
            {"record_weights": [1, 1, 1, 1], "cost": "absolute"},
            ValueError,
            "record_weights go with cost='squares'",
        ),
        ({"sensitive": [1, 2, 1, 2]}, ValueError, "sensitive goes with"),
        ({"l_diversity": 2}, ValueError, "sensitive goes with"),
        ({"households": [1, 2, 1, 2]}, ValueError, "households goes with min_households"),
        (
            {"sensitive": [1, 2, 1, 2], "l_diversity": 3},
            ValueError,
            "3 different values of sensitive are asked for in each group, the table has 2",
        ),
        (
            {"households": [1, 2, 1, 2], "min_households": 3},
            ValueError,
            "3 different households are asked for in each group, the table has 2",
        ),
        (
            {"sensitive": [1, 2, 1, 2], "t_closeness": 1.5},
            ValueError,
            "t_closeness must be between 0 and 1",
        ),
        (
            {"sensitive": ["a", "b", "a", "b"], "t_closeness": 0.5, "t_kind": "ordered"},
            TypeError,
            "sensitive must be numbers where t_kind is ordered",
        ),
        ({"strata": [1, 2, 1, 2]}, ValueError, "groups cross a border of strata 2 times"),
    ],
)
def test_bad_rules_are_refused(options, error, words):
    with pytest.raises(error, match=words):
        tk.refine([[1], [2], [10], [11]], [0, 0, 1, 1], 2, **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "mdav", "cost": "absolute"}, "go with method='auto'"),
        ({"method": "mdav", "record_weights": [1, 1, 1, 2]}, "go with method='auto'"),
        (
            {"households": [1, 2, 3, 4], "sensitive": [1, 2, 1, 2], "l_diversity": 2},
            "households that stay together go without rules",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        tk.partition([[1], [2], [10], [11]], 2, **options)
