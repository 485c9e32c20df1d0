"""Losses of groups: cm and dm say what the plain truth says."""

import numpy as np
import oracle
import pytest
from assertions import SECRET, refused
from hypothesis import given
from hypothesis import strategies as st
from strategies import category_columns, tables_and_labels

import tokumei as tk


def test_one_odd_record_in_three_of_four_groups_costs_three_twentieths():
    classes = ["o"] * 5 + (["o"] * 4 + ["t"]) + (["t"] * 4 + ["o"]) + (["o"] + ["t"] * 4)
    assert tk.loss.cm(classes, np.repeat([0, 1, 2, 3], 5)) == 3 / 20


@given(category_columns(1), st.data())
def test_cm_is_the_share_outside_the_majority_or_suppressed(columns, data):
    (classes,) = columns
    n = len(classes)
    labels = data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    suppressed = data.draw(st.none() | st.lists(st.booleans(), min_size=n, max_size=n))
    true = oracle.cm(classes, labels, suppressed)
    assert tk.loss.cm(classes, labels, suppressed) == float(true)


def test_suppressed_records_cost_one_each_and_have_no_say():
    assert tk.loss.cm(["a", "b"], [0, 0], [True, True]) == 1.0
    assert tk.loss.cm(["a", "b", "b"], [0, 0, 0], [False, True, True]) == 2 / 3


@pytest.mark.parametrize(("sizes", "cost"), [((4, 4), 32), ((1, 3, 4), 33), ((8,), 64)])
def test_dm_of_the_worked_examples(sizes, cost):
    assert tk.loss.dm(np.repeat(np.arange(len(sizes)), sizes), 3) == cost


@given(tables_and_labels(), st.data())
def test_dm_is_the_plain_sum(case, data):
    _, labels = case
    k = data.draw(st.integers(1, len(labels)))
    found = tk.loss.dm(labels, k)
    assert found == oracle.dm(labels.tolist(), k)
    assert isinstance(found, int)


@pytest.mark.parametrize(
    ("labels", "error", "words"),
    [
        ([0], ValueError, "one label for each of the 2 rows"),
        ([0, -1], ValueError, "1 negative labels"),
        ([0.0, 1.0], TypeError, "whole numbers"),
    ],
)
def test_bad_labels_are_refused(labels, error, words):
    refused(error, words, tk.loss.cm, [SECRET, SECRET], labels)
    refused(error, words, tk.loss.ncp, {"x": [SECRET, SECRET]}, labels)


@pytest.mark.parametrize(
    ("k", "error"), [(0, ValueError), (5, ValueError), (2.0, TypeError), (True, TypeError)]
)
def test_dm_refuses_a_bad_group_size(k, error):
    refused(error, "k must be", tk.loss.dm, [0, 0, 1, 1], k)


def test_dm_refuses_bad_labels():
    refused(ValueError, "labels is empty", tk.loss.dm, [], 1)
    refused(TypeError, "whole numbers", tk.loss.dm, [0.5, 1.5], 1)


def test_cm_refuses_bad_suppression():
    refused(ValueError, "each of the 2 rows", tk.loss.cm, ["a", "b"], [0, 0], [True])
    refused(TypeError, "truth values", tk.loss.cm, ["a", "b"], [0, 0], [0, 1])
