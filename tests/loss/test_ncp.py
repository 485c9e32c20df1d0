"""ncp says what the plain truth says, for intervals, sets and hierarchies."""

import math
from fractions import Fraction

import numpy as np
import oracle
import pandas as pd
import polars as pl
import pytest
from assertions import SECRET, close, refused
from builders.nodes import NODES, TREE
from hypothesis import given
from hypothesis import strategies as st
from strategies import tables_and_labels

import tokumei as tk


@st.composite
def nodes_and_labels(draw):
    rows = draw(st.integers(1, 20))
    nodes = draw(st.lists(st.sampled_from(NODES), min_size=rows, max_size=rows))
    return nodes, draw(st.lists(st.integers(0, rows - 1), min_size=rows, max_size=rows))


@given(tables_and_labels())
def test_ncp_of_numbers_is_the_share_of_the_range(case):
    X, labels = case
    true = [oracle.ncp_of_groups(column, labels.tolist(), numeric=True) for column in X.T.tolist()]
    close(tk.loss.ncp(X, labels), sum(true))
    weights = np.arange(1.0, X.shape[1] + 1)
    weighted = sum(Fraction(w) * each for w, each in zip(weights, true, strict=True))
    close(tk.loss.ncp(X, labels, weights=weights), weighted)
    found = tk.loss.ncp(X, labels, weights=dict(enumerate(weights)), average=True)
    close(found, weighted / Fraction(weights.sum()) / len(X))
    assert 0 <= found <= 1


@given(nodes_and_labels())
def test_ncp_with_a_hierarchy_counts_leaves_below_the_common_ancestor(case):
    nodes, labels = case
    found = tk.loss.ncp({"v": nodes}, labels, hierarchies={"v": TREE})
    close(found, oracle.ncp_of_groups(nodes, labels, TREE))
    close(tk.loss.ncp({"v": nodes}, labels), oracle.ncp_of_groups(nodes, labels))


@given(nodes_and_labels(), st.data())
def test_ncp_of_published_nodes_counts_leaves_below_them(case, data):
    nodes, _ = case
    published = [data.draw(st.sampled_from(NODES)) for _ in nodes]
    true = Fraction(0)
    for before, after in zip(nodes, published, strict=True):
        if before != after:
            alike = [b for b, a in zip(nodes, published, strict=True) if a == after]
            lines = [oracle.ancestors(TREE, node) for node in [after, *alike]]
            common = next(node for node in lines[0] if all(node in line for line in lines))
            true += oracle.leaf_share(TREE, common)
    found = tk.loss.ncp({"v": nodes}, masked={"v": published}, hierarchies={"v": TREE})
    close(found, true)


@given(tables_and_labels(max_columns=1), st.booleans())
def test_ncp_of_groups_is_that_of_the_intervals_or_sets_they_publish(case, as_sets):
    X, labels = case
    x = X[:, 0]
    groups = [x[labels == label] for label in labels]
    numbers = [set(g.tolist()) if as_sets else (float(g.min()), float(g.max())) for g in groups]
    found = tk.loss.ncp({"x": x}, masked={"x": numbers})
    assert found == pytest.approx(tk.loss.ncp({"x": x}, labels), abs=1e-12)
    sets = [set(group.tolist()) for group in groups]
    found = tk.loss.ncp({"x": x}, masked={"x": sets}, kinds={"x": "category"})
    of_groups = tk.loss.ncp({"x": x}, labels, kinds={"x": "category"})
    assert found == pytest.approx(of_groups, abs=1e-12)


def test_ncp_takes_intervals_of_every_make_and_cuts_them_to_the_attribute():
    ages = {"age": [20, 30, 50, 60]}
    cells = [(10, 30), [25, 35], pd.Interval(50, 60), (55, math.inf)]
    close(tk.loss.ncp(ages, masked={"age": cells}), 10 / 40 + 10 / 40 + 10 / 40 + 5 / 40)
    # 31 stands for 30, (40, 40) for 50: what does not hold its value is stretched to it.
    close(tk.loss.ncp(ages, masked={"age": [20, 31, (40, 40), {50, 60}]}), (1 + 10 + 10) / 40)
    close(tk.loss.ncp(ages, masked={"age": [(0, 10), 30, (70, 99), (10, 99)]}), 1 + 10 / 40)


def test_a_total_loss_is_never_called_none():
    ages = {"age": [20, 30, 50, 60]}
    assert tk.loss.ncp(ages, masked={"age": [40, 40, 40, 40]}) == 4.0
    close(tk.loss.ncp(ages, masked={"age": [25, 25, 55, 55]}), tk.loss.ncp(ages, [0, 0, 1, 1]))
    close(tk.loss.ncp(ages, masked={"age": [99.0, 1.0, 2.0, 3.0]}), 1 + 0.25 + 0.75 + 1)
    assert tk.loss.ncp(ages, masked={"age": [60, 50, 30, 20]}) == 1 + 0.5 + 0.5 + 1
    jobs = {"job": ["a", "b", "c", "d"]}
    assert tk.loss.ncp(jobs, masked={"job": ["a", "a", "a", "a"]}) == 3.0
    assert tk.loss.ncp(jobs, masked={"job": ["b", "a", "d", "c"]}) == 2.0
    tree = {"a": "ab", "b": "ab", "c": "cd", "d": "cd", "ab": "*", "cd": "*"}
    given = {"hierarchies": {"job": tree}}
    assert tk.loss.ncp(jobs, masked={"job": ["a", "a", "a", "a"]}, **given) == 3.0
    assert tk.loss.ncp(jobs, masked={"job": ["b", "a", "d", "c"]}, **given) == 2.0


def test_frames_of_lists_are_intervals():
    ages = {"age": [20, 30, 50, 60]}
    frame = pl.DataFrame({"age": [[20, 30], [30, 50], [50, 50], [60, 60]]})
    close(tk.loss.ncp(ages, masked=frame), 10 / 40 + 20 / 40)


def test_ncp_of_a_constant_attribute_is_nothing():
    assert tk.loss.ncp([[1.0], [1.0]], [0, 0]) == 0.0
    assert tk.loss.ncp([[1.0], [1.0]], masked={0: [(0, 9), (0, 9)]}) == 0.0


def test_the_mapping_of_a_recoding_is_a_hierarchy():
    mapping = {"farm": "field", "wood": "field", "shop": "shop"}
    jobs = {"job": ["farm", "wood", "shop"]}
    published = {"job": ["field", "field", "shop"]}
    found = tk.loss.ncp(jobs, masked=published, hierarchies={"job": mapping})
    close(found, 4 / 3)
    # No common ancestor: all that is published is that it is a job.
    assert tk.loss.ncp(jobs, [0, 1, 0], hierarchies={"job": mapping}) == 2.0


def test_a_deep_hierarchy_is_no_trouble():
    chain = {level: level + 1 for level in range(5_000)} | {-1: 5_000}
    close(tk.loss.ncp({"v": [0, -1]}, [0, 0], hierarchies={"v": chain}), 2.0)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({}, ValueError, "either labels or masked"),
        ({"labels": [0, 0], "masked": {"x": [1, 2]}}, ValueError, "either labels or masked"),
        (
            {"weights": [-1.0]},
            ValueError,
            "weights must be finite and not negative; 1 of 1 are not",
        ),
        (
            {"weights": [math.nan]},
            ValueError,
            "weights must be finite and not negative; 1 of 1 are not",
        ),
        ({"weights": [0.0]}, ValueError, "weights must not all be zero"),
        ({"weights": [1.0, 1.0]}, ValueError, "weights must hold 1 numbers"),
        ({"weights": {"y": 1.0}}, ValueError, "weights names 1 columns"),
        ({"weights": {"x": "1"}}, TypeError, "weights must be numeric"),
        ({"kinds": {"x": "magic"}}, ValueError, "'number' or 'category'"),
        ({"kinds": ["number"]}, TypeError, "kinds must map names of columns"),
        ({"hierarchies": {"y": {}}}, ValueError, "hierarchies names 1 columns"),
        ({"hierarchies": {"x": {}}}, ValueError, "hierarchies: column 'x' is empty"),
        ({"hierarchies": {"x": 7}}, TypeError, "must be a Hierarchy or map each value"),
        ({"hierarchies": {"x": {1: 2}}}, ValueError, "1 values that the hierarchy does not know"),
        ({"hierarchies": {"x": {1: 2, 2: 1, 3: 4}}}, ValueError, "2 values without a root"),
        ({"masked": {"x": [(2, 1), 123456]}}, ValueError, "1 cells that are neither numbers"),
        ({"masked": {"x": [(1, 123456 * 10**400), 1]}}, ValueError, "1 cells that are neither"),
        ({"masked": {"x": [(1, math.nan), 1]}}, ValueError, "1 cells that are neither numbers"),
        ({"masked": {"x": [(1, 2, 3), "5"]}}, ValueError, "2 cells that are neither numbers"),
        ({"masked": {"x": [set(), SECRET]}}, ValueError, "2 cells that are neither numbers"),
        (
            {"masked": {"x": [{1, 123456}, 1]}, "kinds": {"x": "category"}},
            ValueError,
            "1 cells that are neither values of the original column nor",
        ),
        (
            {"masked": {"x": [SECRET, 1]}, "hierarchies": {"x": {1: 0, 2: 0, 123456: 0}}},
            ValueError,
            "1 values that the hierarchy does not know",
        ),
    ],
    ids=str,
)
def test_ncp_refuses_bad_options(options, error, words):
    if not {"labels", "masked"} & options.keys() and options:
        options = {"labels": [0, 0], **options}
    values = [1, 123456] if "does not know" in words and "masked" not in options else [1, 2]
    refused(error, words, tk.loss.ncp, {"x": values}, **options)
