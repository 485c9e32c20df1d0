"""Refinement: never worse, never below k, optimal where that can be known, alike everywhere."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from assertions import within
from hypothesis import given, settings
from strategies import KINDS, make, starts

import tokumei as tk


def least_sse(X, k):
    """The lowest sum of squares of all partitions, by trying them."""

    @cache
    def cost(group):
        part = X[list(group)]
        return float(((part - part.mean(axis=0)) ** 2).sum())

    @cache
    def least(rows):
        if len(rows) < 2 * k:
            return cost(rows) if rows else 0.0
        first, rest = rows[0], rows[1:]
        best = np.inf
        for size in range(k - 1, min(2 * k - 1, len(rest) + 1)):
            if 0 < len(rest) - size < k:
                continue
            for others in combinations(rest, size):
                left = tuple(row for row in rest if row not in others)
                best = min(best, cost((first, *others)) + least(left))
        return best

    return least(tuple(range(len(X))))


@pytest.mark.parametrize("effort", ["fast", "balanced", 1])
@settings(max_examples=3_400)
@given(case=starts())
def test_the_loss_never_rises_and_k_always_holds(case, effort):
    X, labels, k = case
    refined = tk.refine(X, labels, k, effort=effort)
    before, grain = within(X, labels)
    assert tk.loss.sse(X, refined) <= before + grain
    sizes = np.bincount(refined)
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    _, first = np.unique(refined, return_index=True)
    assert (np.diff(first) > 0).all()


@settings(max_examples=80)
@given(case=starts(max_rows=12))
def test_the_optimum_is_reached_on_tiny_tables_from_any_start(case):
    X, labels, k = case
    refined = tk.refine(X, labels, k, effort="best")
    reached, grain = within(X, refined)
    assert reached <= least_sse(X, k) * (1 + 1e-9) + grain


@pytest.mark.parametrize("kind", KINDS)
def test_labels_do_not_depend_on_threads(kind):
    X = make(kind, 20_000, 3, seed=8)
    start = np.arange(20_000) // 4
    one = tk.refine(X, start, 4, effort=0.5, n_threads=1)
    for n_threads in (2, 3, 8):
        np.testing.assert_array_equal(tk.refine(X, start, 4, effort=0.5, n_threads=n_threads), one)


REFERENCE = {}


@pytest.mark.parametrize("kind", KINDS)
def test_labels_do_not_depend_on_instructions(kind, instructions):
    X = make(kind, 400, 11, seed=8)
    refined = tk.refine(X, np.arange(400) // 4, 4, effort=3)
    np.testing.assert_array_equal(refined, REFERENCE.setdefault(kind, refined))


def test_the_same_answer_comes_each_time_and_another_from_another_state():
    X = make("normal", 300, 3, seed=1)
    start = np.arange(300) // 3
    first = tk.refine(X, start, 3)
    np.testing.assert_array_equal(tk.refine(X, start, 3), first)
    states = [tk.refine(X, start, 3, random_state=state) for state in range(1, 5)]
    assert any((labels != first).any() for labels in states)
    generators = [np.random.default_rng(5), np.random.default_rng(5)]
    one, two = (tk.refine(X, start, 3, random_state=rng) for rng in generators)
    np.testing.assert_array_equal(one, two)


def test_more_effort_loses_less():
    X = make("normal", 1000, 4, seed=3)
    start = tk.mdav(X, 3)
    losses = [
        tk.loss.ilssdm(X, tk.refine(X, start, 3, effort=effort)) for effort in ("fast", 1, 30)
    ]
    assert tk.loss.ilssdm(X, start) > losses[0] > losses[1] > losses[2]


@pytest.mark.parametrize("rows", [2_000, 30_000])
def test_an_interrupted_search_hands_out_whole_groups_that_are_no_worse(rows):
    X = make("normal", rows, 3, seed=2)
    start = np.arange(rows) // 5

    def stop(done):
        raise StopIteration

    refined = tk.refine(X, start, 5, effort=1000, callback=stop)
    assert np.bincount(refined).min() >= 5
    assert tk.loss.sse(X, refined) <= tk.loss.sse(X, start)


def test_a_time_limit_ends_the_search():
    X = make("normal", 5_000, 3, seed=2)
    progress = []
    refined = tk.refine(
        X, np.arange(5_000) // 5, 5, effort=1e6, time_limit=0.2, callback=progress.append
    )
    assert np.bincount(refined).min() >= 5
    assert progress
    assert max(progress) < 0.5


def test_an_exception_of_the_callback_comes_home():
    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        tk.refine(
            make("normal", 5_000, 3, seed=2), np.arange(5_000) // 5, 5, effort=1e6, callback=stop
        )


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"labels": [0, 0, 0, 1]}, ValueError, "1 groups are smaller"),
        ({"k": 5}, ValueError, "k must be between"),
        ({"effort": "magic"}, ValueError, "effort must be one of 'fast', 'balanced', 'best'"),
        ({"effort": -1}, ValueError, "effort must be between 0 and"),
        ({"effort": None}, TypeError, "effort must be a number"),
        ({"time_limit": 0}, ValueError, "time_limit must be positive"),
        ({"time_limit": float("nan")}, ValueError, "time_limit must be finite"),
        ({"random_state": -1}, ValueError, "random_state must be between"),
        ({"random_state": 1.5}, TypeError, "random_state must be a whole number"),
        ({"callback": 3}, TypeError, "callback must be callable"),
    ],
)
def test_bad_arguments_are_refused(options, error, words):
    arguments = {"labels": [0, 0, 1, 1], "k": 2} | options
    with pytest.raises(error, match=words):
        tk.refine([[1], [2], [10], [11]], **arguments)


@pytest.mark.parametrize(
    ("name", "columns", "most"),
    [
        ("census.csv", None, [4.75, 6.12, 7.38, 11.60]),
        ("tarragona.csv", None, [14.60, 17.25, 20.30, 30.30]),
        ("eia.csv", [0, *range(5, 15)], [0.352, 0.485, 0.735, 1.94]),
    ],
)
def test_losses_are_far_below_those_of_mdav(reference_table, name, columns, most):
    Z = tk.standardize(reference_table(name, columns))
    for k, threshold in zip((3, 4, 5, 10), most, strict=True):
        start = tk.mdav(Z, k)
        found = [tk.refine(Z, start, k, random_state=state) for state in range(5)]
        assert np.mean([100 * tk.loss.ilssdm(Z, labels) for labels in found]) <= threshold


def test_a_time_limit_ends_the_groups_to_begin_with_too(caplog):
    X = np.random.default_rng(8).normal(size=(150_000, 6))
    with caplog.at_level("INFO", logger="tokumei"):
        labels = tk.partition(X, 5, time_limit=0.02)
    assert np.bincount(labels).min() >= 5
    assert "no time for mdav, principal instead" in caplog.text


def test_a_single_method_that_has_no_time_left_gives_no_groups():
    X = np.random.default_rng(8).normal(size=(300_000, 6))
    with pytest.raises(TimeoutError, match="method='npn' has not ended within time_limit"):
        tk.partition(X, 5, method="npn", time_limit=0.02)
