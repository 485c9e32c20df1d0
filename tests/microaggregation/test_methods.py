"""One call for every method: each keeps k, and auto says what it picked and loses least."""

import logging

import numpy as np
import oracle
import pytest
from hypothesis import given
from strategies import make, tables_and_k

import tokumei as tk
from tokumei.microaggregation import choose
from tokumei.microaggregation.methods.by_name import METHODS

MULTIVARIATE = sorted(set(METHODS) - {"univariate"})


@pytest.mark.parametrize("method", ["auto", *MULTIVARIATE])
@given(case=tables_and_k(max_rows=30))
def test_every_method_keeps_k_and_numbers_groups_by_their_first_record(method, case):
    X, k = case
    labels = tk.partition(X, k, method=method)
    assert np.bincount(labels).min() >= k
    _, first = np.unique(labels, return_index=True)
    assert (np.diff(first) > 0).all()


@pytest.mark.parametrize(
    ("method", "order"),
    [
        ("npn", tk.npn_order),
        ("grid", tk.grid_order),
        ("hilbert", tk.microaggregation.hilbert_order),
        ("principal", tk.microaggregation.principal_order),
        ("column", tk.microaggregation.column_order),
    ],
)
def test_a_path_is_an_order_and_its_best_cut(method, order):
    X = make("normal", 200, 3, seed=1)
    np.testing.assert_array_equal(tk.partition(X, 4, method=method), tk.cut(X, order(X), 4))


def test_a_method_by_name_is_the_function_of_that_name():
    X = make("normal", 60, 3, seed=2)
    np.testing.assert_array_equal(tk.partition(X, 4, method="mdav"), tk.mdav(X, 4))
    np.testing.assert_array_equal(tk.partition(X, 4, method="vmdav"), tk.vmdav(X, 4))
    x = X[:, :1]
    np.testing.assert_array_equal(tk.partition(x, 4, method="univariate"), tk.univariate(x, 4))
    np.testing.assert_array_equal(tk.partition(x, 4), tk.univariate(x, 4))


def test_auto_says_what_it_picked(caplog):
    with caplog.at_level(logging.INFO, logger="tokumei"):
        tk.partition(make("normal", 30, 2, seed=1), 3)
    assert "mdav for 30 rows, 2 columns, k = 3" in caplog.text
    assert choose(10**6, 8, 5) == "block_mdav"


def test_auto_loses_less_than_every_other_method():
    X = make("normal", 1_000, 4, seed=7)
    losses = {m: tk.loss.ilssdm(X, tk.partition(X, 4, method=m)) for m in ["auto", *MULTIVARIATE]}
    assert min(losses, key=losses.get) == "auto"


def test_effort_and_state_reach_the_refinement():
    X = make("normal", 400, 3, seed=7)
    start = tk.mdav(X, 3)
    for options in ({}, {"effort": "fast"}, {"effort": 2, "random_state": 5}):
        np.testing.assert_array_equal(
            tk.partition(X, 3, **options), tk.refine(X, start, 3, **options)
        )


@pytest.mark.parametrize("kind", ["normal", "ties", "constant", "offset"])
def test_small_blocks_are_one_mdav(kind):
    X = make(kind, 300, 3, seed=3)
    np.testing.assert_array_equal(tk.partition(X, 4, method="block_mdav"), oracle.mdav(X, 4))


@pytest.mark.parametrize("n_threads", [1, 2, 8])
def test_blocks_do_not_depend_on_threads(n_threads):
    X = make("ties", 12_000, 3, seed=3)
    labels = tk.partition(X, 5, method="block_mdav", n_threads=n_threads)
    np.testing.assert_array_equal(labels, tk.partition(X, 5, method="block_mdav", n_threads=1))
    assert np.bincount(labels).min() >= 5


def test_progress_runs_from_part_to_part():
    reports = []
    tk.partition(make("normal", 60_000, 4, seed=1), 3, effort=0.5, callback=reports.append)
    assert reports == sorted(reports)
    assert all(0 <= share <= 1 for share in reports)
