"""MIL: the moves of the definition, one by one; the loss never rises, k holds."""

import importlib
from pathlib import Path

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.microaggregation import mil_report


@st.composite
def partitions(draw, max_groups=8):
    """One attribute, labels that may overlap and skip numbers, and a k that all groups hold."""
    k = draw(st.integers(1, 5))
    sizes = draw(st.lists(st.integers(k, 3 * k), min_size=1, max_size=max_groups))
    numbers = draw(st.permutations(range(len(sizes) + 2)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = sum(sizes)
    kind = draw(st.sampled_from(["normal", "ties", "offset", "skewed", "constant"]))
    x = rng.normal(size=n)
    if kind == "ties":
        x = rng.integers(0, 6, n).astype(float)
    elif kind == "offset":
        x = x + 1e9
    elif kind == "skewed":
        x = np.exp(3 * x)
    elif kind == "constant":
        x = np.full(n, 0.1)
    labels = np.repeat(numbers[: len(sizes)], sizes)
    if draw(st.booleans()):
        labels = labels[np.argsort(np.argsort(x, kind="stable"), kind="stable")]
    return x, labels, k


@given(partitions())
def test_labels_tests_and_moves_are_those_of_the_definition(case):
    x, labels, k = case
    report = mil_report(x, labels, k)
    improved, tests, moves = oracle.mil(x, labels, k)
    np.testing.assert_array_equal(report.labels, improved)
    assert (report.tests, report.moves) == (tests, moves)


@given(partitions())
def test_the_loss_never_rises_and_k_holds(case):
    x, labels, k = case
    improved = tk.mil(x, labels, k)
    assert np.bincount(improved).min() >= k
    assert len(np.bincount(improved)) == len(np.unique(labels))
    assert oracle.exact_sse(x[:, None], improved) <= oracle.exact_sse(x[:, None], labels)
    assert oracle.exact_sse(x[:, None], improved) >= oracle.least_univariate(x, k)


@given(partitions())
def test_what_mil_made_it_leaves_alone(case):
    x, labels, k = case
    improved = tk.mil(x, labels, k)
    again = mil_report(x, improved, k)
    np.testing.assert_array_equal(again.labels, improved)
    assert again.moves == 0


@pytest.mark.parametrize("k", [2, 3, 7, 20])
def test_it_improves_what_mdav_makes_of_one_attribute(k):
    rng = np.random.default_rng(k)
    x = np.concatenate([rng.normal(5, 1, 100), rng.normal(10, 1, 100)])
    labels = tk.mdav(x[:, None], k)
    improved, tests, moves = oracle.mil(x, labels, k)
    report = mil_report(x, labels, k)
    np.testing.assert_array_equal(report.labels, improved)
    assert (report.tests, report.moves) == (tests, moves)
    assert tk.loss.sse(x[:, None], report.labels) <= tk.loss.sse(x[:, None], labels)


def test_it_does_not_move_what_only_ties():
    # Moving the 2 in the middle to either side costs the same.
    labels = [0, 0, 0, 1, 1]
    np.testing.assert_array_equal(tk.mil([0, 1, 2, 3, 4], labels, 2), labels)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9, 1e130])
def test_the_unit_of_measurement_changes_nothing(scale):
    rng = np.random.default_rng(1)
    x = rng.integers(-100, 100, 60).astype(float)
    labels = np.argsort(np.argsort(x, kind="stable"), kind="stable") // 12
    np.testing.assert_array_equal(tk.mil(x * scale, labels, 3), tk.mil(x, labels, 3))


def test_one_group_stays_one():
    report = mil_report([3, 1, 2], [4, 4, 4], 2)
    np.testing.assert_array_equal(report.labels, [0, 0, 0])
    assert (report.tests, report.moves) == (0, 0)


def test_a_report_is_not_changed_by_mistake():
    with pytest.raises(AttributeError, match="cannot assign"):
        mil_report([1, 2], [0, 0], 1).tests = 3


@pytest.mark.parametrize(
    ("x", "labels", "k", "message"),
    [
        (
            [1, 2, 3, 4],
            [0, 0, 0, 1],
            2,
            "groups of at least k = 2 records; 1 groups",
        ),
        (
            [1, 2, 3, 4],
            [0, 1, 2, 3],
            2,
            "groups of at least k = 2 records; 4 groups",
        ),
        ([1, 2, 3, 4], [0, 0, 0], 1, "labels must hold one label for each of the 4 rows"),
        ([1, 2, np.nan, 4], [0, 0, 0, 0], 1, "x: column 0 has 1 missing values"),
        ([[1, 2], [3, 4]], [0, 0], 1, "x must be one attribute"),
        ([1, 2, 3], [0, 0, 0], 4, "k must be between 1 and the number of rows"),
    ],
)
def test_bad_input_is_refused(x, labels, k, message):
    with pytest.raises(ValueError, match=message):
        tk.mil(x, labels, k)


def test_the_experiment_of_the_thesis_lies_between_the_optimum_and_where_mil_began(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples" / "papers")
    experiment = importlib.import_module("mil_experiment")
    rows = experiment.losses(experiment.draw("DS1", 60, seed=1))
    assert [row["k"] for row in rows] == list(range(2, 31))
    for row in rows:
        for method in experiment.METHODS:
            floor = row["optimum"] * (1 - 1e-12)
            assert floor <= row[f"{method}+MIL"] <= row[method] * (1 + 1e-12)
    before, after = (np.array([row[way] for row in rows]) for way in ("MDAV", "MDAV+MIL"))
    improved, mean, largest = experiment.cuts(100 * (1 - after / before))
    assert 0 < improved <= 100
    assert 0 < mean <= largest < 100
