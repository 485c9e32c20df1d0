"""Groups of optimal effort: the optimum of small tables, never worse than the best search."""

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from strategies import make, small_tables

import tokumei as tk


@given(case=small_tables(kinds=("normal", "ties", "duplicates"), most_rows=8, most_k=3))
@settings(max_examples=25)
def test_optimal_effort_reaches_the_optimum_of_small_tables(case):
    X, k = case
    labels = tk.refine(X, np.zeros(len(X), dtype=int), k, effort="optimal")
    least = float(oracle.least_sse(oracle.group_costs(X, k), len(X)))
    assert np.bincount(labels).min() >= k
    assert tk.loss.sse(X, labels) <= least * (1 + 1e-9) + 1e-12 * tk.loss.sst(X)


def test_optimal_effort_is_never_worse_than_best_and_can_be_repeated():
    X = make("normal", 150, 3, seed=6)
    start = tk.mdav(X, 3)
    best = min(
        tk.loss.sse(X, tk.refine(X, start, 3, effort="best", random_state=seed))
        for seed in range(4)
    )
    labels = tk.refine(X, start, 3, effort="optimal")
    assert tk.loss.sse(X, labels) <= best
    assert np.bincount(labels).min() >= 3
    assert (tk.partition(X, 3, effort="optimal", n_threads=2) == labels).all()


@pytest.mark.parametrize("calls", [1, 40, 300])
def test_optimal_effort_ends_where_a_callback_says_so(calls):
    X = make("normal", 120, 3, seed=2)
    left = iter(range(calls))
    start = tk.mdav(X, 3)
    labels = tk.refine(X, start, 3, effort="optimal", callback=lambda share: next(left) and None)
    assert np.bincount(labels).min() >= 3
    assert tk.loss.sse(X, labels) <= tk.loss.sse(X, start)


def test_optimal_effort_ends_at_a_time_limit_and_refuses_large_tables():
    X = make("normal", 1_200, 4, seed=6)
    labels = tk.refine(X, tk.mdav(X, 3), 3, effort="optimal", time_limit=0.2)
    assert np.bincount(labels).min() >= 3
    with pytest.raises(ValueError, match="up to 5000 records, got 5001"):
        tk.refine(np.zeros((5_001, 2)), np.zeros(5_001, dtype=int), 3, effort="optimal")


@pytest.mark.parametrize("k", [6, 8])
def test_optimal_effort_mixes_the_groups_of_searches_where_k_is_large(k, caplog):
    X = make("normal", 160, 3, seed=1)
    start = tk.mdav(X, k)
    best = min(
        tk.loss.sse(X, tk.refine(X, start, k, effort="best", random_state=seed))
        for seed in range(4)
    )
    with caplog.at_level("INFO", "tokumei"):
        labels = tk.refine(X, start, k, effort="optimal")
    assert np.bincount(labels).min() >= k
    assert tk.loss.sse(X, labels) <= best
    assert "at most" in caplog.text


def test_what_the_log_says_of_the_optimum_is_true(caplog):
    X = make("skewed", 12, 2, seed=5)
    least = float(oracle.least_sse(oracle.group_costs(X, 3), 12))
    with caplog.at_level("INFO", "tokumei"):
        labels = tk.refine(X, np.zeros(12, dtype=int), 3, effort="optimal")
    assert tk.loss.sse(X, labels) == pytest.approx(least, rel=1e-9)
    assert "the least there is" in caplog.text
