"""Post-randomisation: drawn as the matrix says, from randomness that cannot be repeated."""

import os
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.recode.chance import WORDS, borders

WEIGHTS = st.lists(st.integers(0, 9), min_size=2, max_size=6).filter(any)


@pytest.fixture
def repeated_randomness(monkeypatch):
    generator = np.random.default_rng(20)
    monkeypatch.setattr(os, "urandom", generator.bytes)


@given(WEIGHTS)
def test_borders_are_the_exact_shares_of_all_words(weights):
    row = np.array(weights, dtype=float) / sum(weights)
    ends = [0, *map(int, borders(row[None, :])[0])]
    total = sum(Fraction(float(p)) for p in row)
    for j, p in enumerate(row[:-1]):
        if any(row[j + 1 :]):
            share = Fraction(ends[j + 1] - ends[j], WORDS)
            assert abs(share - Fraction(float(p)) / total) <= Fraction(1, WORDS)


@given(st.data())
def test_what_has_no_chance_is_never_drawn(data):
    m = data.draw(st.integers(2, 5))
    rows = [
        data.draw(st.lists(st.integers(0, 3), min_size=m, max_size=m).filter(any)) for _ in "ab"
    ]
    matrix = {
        old: {f"v{j}": w / sum(row) for j, w in enumerate(row)}
        for old, row in zip("ab", rows, strict=True)
    }
    values = data.draw(st.lists(st.sampled_from("ab"), min_size=1, max_size=30))
    for old, new in zip(values, tk.recode.pram(values, matrix), strict=True):
        assert matrix[old][new] > 0


def test_categories_are_drawn_as_often_as_the_matrix_says(repeated_randomness):
    matrix = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]])
    n = 300_000
    for old in range(3):
        new = tk.recode.pram(np.full(n, old), matrix, categories=[0, 1, 2])
        counts = np.bincount(new.astype(int), minlength=3)
        spread = np.sqrt(n * matrix[old] * (1 - matrix[old]))
        assert (np.abs(counts - n * matrix[old]) <= 4.5 * spread).all()


def test_an_invariant_matrix_keeps_the_frequencies():
    values = ["a"] * 70 + ["b"] * 25 + ["c"] * 5
    names = ["a", "b", "c", "nobody"]
    transition = tk.recode.invariant(values, tk.recode.retention(names, 0.6))
    prior = np.array([0.7, 0.25, 0.05, 0.0])
    assert transition.matrix.sum(axis=1) == pytest.approx(np.ones(4))
    assert prior @ transition.matrix == pytest.approx(prior)
    assert transition.matrix[0, 1] > 0


SHARES = st.lists(st.integers(1, 40), min_size=2, max_size=6)


@given(SHARES, st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_mixed_and_held_back_it_is_invariant_still(counts, keep, alpha, least):
    values = np.repeat(np.arange(len(counts)), counts)
    stays = tk.recode.retention(range(len(counts)), keep)
    plain = tk.recode.invariant(values, stays).matrix
    found = tk.recode.invariant(values, stays, alpha=alpha, least_retention=least).matrix
    prior = np.array(counts) / sum(counts)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(counts)))
    assert prior @ found == pytest.approx(prior)
    assert (found >= 0).all()
    mixed = alpha * plain + (1.0 - alpha) * np.eye(len(counts))
    assert (np.diag(found) >= np.maximum(least, np.diag(mixed)) - 1e-12).all()
    if (np.diag(mixed) >= least).all():
        assert found == pytest.approx(mixed)  # as sdcMicro mixes


def test_a_rare_category_keeps_next_to_nothing_unless_it_is_held_back():
    values = ["a"] * 9000 + ["b"] * 990 + ["c"] * 10
    stays = tk.recode.retention("abc", 0.8)
    assert np.diag(tk.recode.invariant(values, stays).matrix)[2] < 0.01
    held = np.diag(tk.recode.invariant(values, stays, least_retention=0.5).matrix)
    assert held[2] == pytest.approx(0.5)
    assert held[0] < 0.97  # frequent ones are exchanged nearly as before


def test_two_calls_differ_and_a_failing_system_is_not_replaced(monkeypatch):
    values, transition = np.arange(1000) % 2, tk.recode.retention([0, 1], 0.5)
    assert (tk.recode.pram(values, transition) != tk.recode.pram(values, transition)).any()

    def no_randomness(_count):
        msg = "no randomness"
        raise OSError(msg)

    monkeypatch.setattr(os, "urandom", no_randomness)
    with pytest.raises(OSError, match="no randomness"):
        tk.recode.pram(values, transition)


def test_the_loss_of_a_known_matrix_is_measured():
    values = ["a", "b"] * 500
    transition = tk.recode.retention(["a", "b"], 0.9)
    published = tk.recode.pram(values, transition)
    lost = tk.loss.ebil(values, published, transition.matrix, categories=transition.categories)
    assert lost / 1000 == pytest.approx(-0.9 * np.log(0.9) - 0.1 * np.log(0.1))


@pytest.mark.parametrize(
    ("transition", "options", "error", "message"),
    [
        ({"a": {"a": 1.0}}, {}, ValueError, "no row for 1 of 2 values"),
        ({"a": {"a": 0.7}, "b": {"b": 1.0}}, {}, ValueError, "1 of 2 do not"),
        ({"a": {"a": 1.5, "b": -0.5}, "b": {"b": 1}}, {}, ValueError, "1 of 2 do not"),
        ({"a": 1.0, "b": 1.0}, {}, TypeError, "must map old categories"),
        ({}, {}, TypeError, "must map old categories"),
        ([[1.0, 0.0]], {}, ValueError, "a row and a column for each of the 2"),
        ([[1.0, 0.0], [0.0, float("nan")]], {}, ValueError, "missing values"),
        (np.eye(2), {"categories": ["a", "a"]}, ValueError, "1 categories twice"),
    ],
)
def test_bad_transitions_are_refused(transition, options, error, message):
    with pytest.raises(error, match=message):
        tk.recode.pram(["a", "b"], transition, **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tk.recode.retention(["a"], 0.5), "at least two"),
        (lambda: tk.recode.retention(["a", "b"], 1.5), "from 0 to 1"),
        (lambda: tk.recode.retention(["a", "b"], float("nan")), "must be finite"),
        (lambda: tk.recode.pram([], np.eye(2), categories=["a", "b"]), "values is empty"),
        (lambda: tk.recode.pram(["a", None], np.eye(2), categories=["a", "b"]), "1 missing"),
        (lambda: tk.recode.invariant(["z"], tk.recode.retention(["a", "b"], 0.5)), "no row for 1"),
    ],
)
def test_bad_values_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
