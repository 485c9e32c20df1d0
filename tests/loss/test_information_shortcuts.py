"""Shortcuts of the double sum change no number, whatever the machine."""

import itertools
import math

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import KINDS, make, tables

import tokumei as tk
from tokumei.distances import (
    Callable,
    DamerauLevenshtein,
    Discrete,
    Euclidean,
    Hamming,
    Levenshtein,
    Minkowski,
    Ordinal,
    Product,
    Tree,
)
from tokumei.loss.distance import amounts


def close(value, expected):
    return math.isclose(value, expected, rel_tol=1e-12, abs_tol=0.0)


P = (1.0, 1.5, 2.0, 2.7, 3.0, 4.0, 5.0, 17.0, math.inf)
POWERS = (0.5, 1.0, 1.5, 2.0, 3.0)


@given(tables(max_rows=10, max_columns=4), st.sampled_from(P), st.sampled_from(POWERS))
def test_distances_of_numbers_are_summed_as_defined(X, p, power):
    expected = oracle.information(X.tolist(), lambda a, b: oracle.minkowski(a, b, p), power)
    for method in ("auto", "pairs"):
        assert close(tk.loss.information(X, Minkowski(p), power=power, method=method), expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("d", [1, 2, 3, 9])
@pytest.mark.parametrize("p", P)
def test_shortcuts_for_numbers_are_the_double_sum(kind, d, p):
    X = make(kind, 500, d, seed=d)
    for power in POWERS:
        quick = tk.loss.information(X, Minkowski(p), power=power)
        assert close(quick, tk.loss.information(X, Minkowski(p), power=power, method="pairs"))


@pytest.mark.parametrize("p", P)
def test_neither_a_far_constant_nor_tiny_values_hide_a_difference(p):
    for X in (
        [[1e130, 1.0], [1e130, 3.0], [1e130, 4.0]],
        [[1e-130, 0.0], [3e-130, 0.0], [4e-130, 5e-130]],
        [[1e120, 1.0], [1e120, 3.0], [-1e120, 4.0]],
    ):
        expected = oracle.information(X, lambda a, b: oracle.minkowski(a, b, p), 1.5)
        assert close(tk.loss.information(X, Minkowski(p), power=1.5, method="pairs"), expected)


@pytest.mark.parametrize("kind", KINDS)
def test_manhattan_by_sorting_is_the_double_sum(kind, monkeypatch):
    monkeypatch.setattr(amounts, "sorting_pays", lambda rows, columns: True)
    for d, n in itertools.product((2, 5), (1, 2, 3, 50, 3_000)):
        X = make(kind, n, d, seed=n)
        quick = tk.loss.information(X, Minkowski(1))
        assert close(quick, tk.loss.information(X, Minkowski(1), method="pairs"))


def test_sorting_is_for_long_tables_of_few_columns():
    assert not amounts.sorting_pays(1_000, 2)
    assert amounts.sorting_pays(5_000, 2)
    assert not amounts.sorting_pays(5_000, 8)
    assert amounts.sorting_pays(20_000, 8)


def test_the_euclidean_loss_of_group_means_is_the_loss_of_squares():
    for kind in KINDS:
        X = make(kind, 300, 4, seed=3)
        labels = tk.mdav(X, 5)
        loss = tk.loss.ild(X, tk.aggregate(X, labels), Euclidean())
        # At 1e9 the published means are rounded to seven digits behind the point.
        digits = 1e-7 if kind == "offset" else 1e-12
        assert math.isclose(loss, tk.loss.ilssdm(X, labels), rel_tol=digits, abs_tol=1e-15)


def test_hamming_by_position_is_the_double_sum(monkeypatch):
    rng = np.random.default_rng(5)
    values = ["".join(row) for row in rng.choice(list("abcdé漢"), size=(3_000, 5))]
    taken = []
    by_position = amounts.of_positions
    monkeypatch.setattr(amounts, "of_positions", lambda *a: taken.append(1) or by_position(*a))
    for power in (1, 2):
        quick = tk.loss.information(values, Hamming(), power=power)
        assert quick == tk.loss.information(values, Hamming(), power=power, method="pairs")
    assert len(taken) == 2


def many_of_each_kind():
    rng = np.random.default_rng(7)
    letters = np.array(list("abcdefgh"))
    words = ["".join(rng.choice(letters, size=n)) for n in rng.integers(0, 40, size=900)]
    nodes = rng.integers(0, 40, size=900)
    return {
        "euclid": (make("skewed", 9_000, 3, seed=1), Euclidean()),
        "euclid^1": (make("skewed", 900, 3, seed=1), Euclidean(), 1),
        "line": (make("skewed", 900, 1, seed=1), Euclidean(), 1),
        "manhattan": (make("skewed", 900, 5, seed=1), Minkowski(1)),
        "sorted": (make("skewed", 40_000, 2, seed=1), Minkowski(1)),
        "chebyshev": (make("skewed", 900, 5, seed=1), Minkowski(math.inf)),
        "p = 3": (make("skewed", 900, 5, seed=1), Minkowski(3)),
        "p = 2.5": (make("skewed", 900, 5, seed=1), Minkowski(2.5), 1.7),
        "p = 2.7": (make("skewed", 900, 5, seed=1), Minkowski(2.7), 1.7),
        "p = 9.3": (make("skewed", 900, 5, seed=1), Minkowski(9.3)),
        "levenshtein": (words, Levenshtein()),
        "normalized": (words, Levenshtein(normalized=True), 1.3),
        "damerau": (words, DamerauLevenshtein()),
        "hamming": ([word[:1] or "x" for word in words], Hamming(), 3),
        "tree": (nodes, Tree({node: node // 2 for node in range(1, 40)})),
        "ordinal": (nodes, Ordinal(range(40)), 1.5),
    }


@pytest.mark.parametrize("name", list(many_of_each_kind()))
def test_neither_threads_nor_instructions_change_a_bit(name, monkeypatch):
    values, distance, *power = many_of_each_kind()[name]
    ask = {"power": power[0] if power else 2}
    monkeypatch.setenv("TOKUMEI_INSTRUCTIONS", "baseline")
    expected = tk.loss.information(values, distance, n_threads=1, **ask)
    for level in ("baseline", "avx2", "avx512"):
        if level not in tk.machine.config()["instruction sets"]:
            continue
        monkeypatch.setenv("TOKUMEI_INSTRUCTIONS", level)
        for n_threads in (1, 2, 3, 8):
            assert tk.loss.information(values, distance, n_threads=n_threads, **ask) == expected


def test_released_values_that_repeat_are_counted_not_compared():
    X = make("normal", 20_000, 3, seed=2)
    released = X[:300][np.arange(20_000) % 300]
    calls = []
    apart = Callable(lambda a, b: calls.append(1) or abs(a - b))
    few = (np.arange(20_000) % 7).astype(float)
    assert close(tk.loss.information(few, apart), tk.loss.information(few, Euclidean()))
    assert len(calls) == 7 * 6 // 2
    quick = tk.loss.information(released, Minkowski(3))
    small = tk.loss.information(X[:300], Minkowski(3))
    assert math.isclose(quick, small * (20_000 / 300) ** 2, rel_tol=0.01)


def test_a_callback_is_told_how_far_the_work_is_and_may_stop_it():
    X = make("normal", 12_000, 6, seed=1)
    words = [f"{number:x}" * 5 for number in range(9_000)]
    codes = np.arange(2_500) % 2_000

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    for values, distance, more in (
        (X, Minkowski(2.5), {}),
        (words, DamerauLevenshtein(), {}),
        (codes, Tree({node: node // 2 for node in range(1, 2_000)}), {"power": 1.5}),
        ({"word": words, "code": words}, Product(Levenshtein(), DamerauLevenshtein()), {}),
    ):
        progress = []
        tk.loss.information(values, distance, callback=progress.append, n_threads=1, **more)
        assert progress
        assert progress == sorted(progress)
        assert all(0 <= done <= 1 for done in progress)
        with pytest.raises(Enough):
            tk.loss.information(values, distance, callback=stop, n_threads=1, **more)


def test_the_callers_data_are_never_written_to():
    X = make("normal", 100, 3, seed=1)  # read-only
    for distance, power in itertools.product((Euclidean(), Minkowski(1), Minkowski(3)), (1, 2)):
        assert tk.loss.information(X, distance, power=power) > 0
    assert tk.loss.information(X[:, 0], Discrete()) == 100 * 99
