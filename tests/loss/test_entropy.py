"""Entropy and ebil say what the plain truth says."""

import math

import numpy as np
import oracle
import pytest
from assertions import close, refused
from hypothesis import given
from hypothesis import strategies as st
from strategies import category_columns

import tokumei as tk


@pytest.mark.parametrize(("k", "n"), [(2, 1), (2, 2), (3, 5), (7, 4), (10, 100)])
def test_groups_of_k_among_nk_distinct_values_lose_log_k_of_log_nk(k, n):
    found = tk.loss.entropy(np.arange(n * k) * 1.5, np.repeat(np.arange(n), k))
    assert found == pytest.approx(math.log(k) / math.log(n * k), rel=1e-15)


@given(category_columns())
def test_entropy_is_the_plain_one(columns):
    before, after = columns
    there = oracle.entropy(before)
    if len(set(before)) == 1:
        with pytest.raises(ValueError, match="no information to lose"):
            tk.loss.entropy(before, after)
    else:
        close(tk.loss.entropy(before, after), (there - oracle.entropy(after)) / there)


@given(category_columns())
def test_ebil_of_counted_transitions_is_the_plain_one(columns):
    before, after = columns
    chances = {
        old: {
            new: sum(a == old and b == new for a, b in zip(before, after, strict=True))
            / before.count(old)
            for new in set(after)
        }
        for old in set(before)
    }
    true = oracle.ebil(before, after, chances)
    close(tk.loss.ebil(before, after), true)
    close(tk.loss.ebil(before, after, chances), true)


def test_ebil_of_a_recoding_is_the_entropy_within_what_was_merged():
    before = ["farm"] * 5 + ["wood"] * 2 + ["shop"] * 3
    after = ["field"] * 7 + ["shop"] * 3
    within = 7 * oracle.entropy(["farm"] * 5 + ["wood"] * 2)
    close(tk.loss.ebil(before, after), within)
    zero_one = {"farm": {"field": 1}, "wood": {"field": 1}, "shop": {"shop": 1}}
    close(tk.loss.ebil(before, after, zero_one), within)
    assert tk.loss.ebil(before, before) == 0.0


@given(category_columns(categories="abc"), st.integers(0, 2**32 - 1))
def test_ebil_of_a_given_matrix_is_bayes_rule(columns, seed):
    before, after = columns
    matrix = np.random.default_rng(seed).dirichlet(np.ones(3), size=3)
    chances = {
        old: dict(zip("abc", row, strict=True)) for old, row in zip("abc", matrix, strict=True)
    }
    true = oracle.ebil(before, after, chances)
    close(tk.loss.ebil(before, after, matrix, categories="abc"), true)
    close(tk.loss.ebil(before, after, chances), true)


@pytest.mark.parametrize(
    ("transition", "categories", "error", "words"),
    [
        ([[1.0]], None, ValueError, "needs categories="),
        ([[1.0]], ["a", "b"], ValueError, "one row and one column"),
        ([[1.0, 0.0]] * 2, ["a", "a"], ValueError, "one row and one column"),
        ([[0.5, 0.6], [0, 1]], ["a", "b"], ValueError, "row 0 must hold probabilities"),
        ([[-0.5, 1.5], [0, 1]], ["a", "b"], ValueError, "row 0 must hold probabilities"),
        ([["x", "y"]] * 2, ["a", "b"], TypeError, "must be numeric"),
        ({"a": 1.0}, None, TypeError, "row 0 must map categories"),
        ({"a": {"a": 1.0}}, None, ValueError, "no row for 1 values of original"),
        ({"a": {"a": 1.0}, "b": {"a": 1.0}}, None, ValueError, "1 values that transition cannot"),
        ({"a": {}, "b": {}}, None, ValueError, "row 0 must hold probabilities"),
    ],
    ids=str,
)
def test_ebil_refuses_a_bad_transition(transition, categories, error, words):
    refused(error, words, tk.loss.ebil, ["a", "b"], ["a", "b"], transition, categories=categories)
