"""Bad input gets one clear answer before any work, and the data stay out of it."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tokumei as tk
from tokumei.microaggregation.methods.by_name import METHODS

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 9.0]])
SECRET = 123456.789

functions = pytest.mark.parametrize(
    "call",
    [
        tk.standardize,
        lambda x: tk.mdav(x, 1),
        lambda x: tk.vmdav(x, 1),
        lambda x: tk.microaggregation.mondrian(x, 1),
        lambda x: tk.microaggregation.kmember(x, 1),
        lambda x: tk.partition(x, 1),
        lambda x: tk.microaggregate(x, 1),
        lambda x: tk.aggregate(x, [0]),
        lambda x: tk.loss.sse(x, [0]),
        lambda x: tk.loss.ilssdm(x, [0]),
    ],
)


def secret_with(value):
    table = np.full((3, 2), SECRET)
    table[1, 1] = value
    return table


@functions
@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        (secret_with(np.nan), ValueError, "column 1 has 1 missing values"),
        (secret_with(np.inf), ValueError, "column 1 has 1 infinite values"),
        (np.empty((0, 3)), ValueError, "empty: 0 rows, 3 columns"),
        (np.empty((3, 0)), ValueError, "empty: 3 rows, 0 columns"),
        ([SECRET, SECRET], ValueError, "two dimensions"),
        (np.zeros((2, 2, 2)), ValueError, "two dimensions"),
        ([[SECRET], [SECRET, SECRET]], ValueError, "differ in length"),
        ([["secret-text"], ["x"]], TypeError, "must be numeric"),
        (np.array([[SECRET], ["secret-text"]], dtype=object), TypeError, "must be numeric"),
        (np.array([[1 + 2j]]), TypeError, "must be numeric"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), TypeError, "must be numeric"),
        (np.ma.masked_array([[SECRET]], mask=[[True]]), ValueError, "1 masked values"),
    ],
)
def test_a_bad_table_is_refused_without_telling_its_values(call, bad, error, words):
    with pytest.raises(error, match=re.escape(words)) as caught:
        call(bad)
    assert "secret" not in str(caught.value)
    assert "123456" not in str(caught.value)


def test_values_too_large_to_be_squared_are_refused_but_can_be_standardized():
    with pytest.raises(ValueError, match="too large to be squared"):
        tk.mdav([[1e200], [0.0]], 1)
    assert np.isfinite(tk.standardize([[1e200], [0.0]])).all()


@pytest.mark.parametrize(
    ("k", "error", "words"),
    [
        (0, ValueError, "between 1 and the number of rows (4), got 0"),
        (-3, ValueError, "got -3"),
        (5, ValueError, "got 5"),
        (2.5, TypeError, "k must be a whole number, got float"),
        (2.0, TypeError, "k must be a whole number, got float"),
        (True, TypeError, "k must be a whole number, got bool"),
        ("2", TypeError, "k must be a whole number, got str"),
        (None, TypeError, "k must be a whole number, got NoneType"),
    ],
)
@pytest.mark.parametrize(
    "call",
    [
        tk.mdav,
        tk.vmdav,
        tk.microaggregation.mondrian,
        tk.microaggregation.kmember,
        tk.partition,
        tk.microaggregate,
    ],
)
def test_a_bad_group_size_is_refused(call, k, error, words):
    with pytest.raises(error, match=re.escape(words)):
        call(X, k)


@pytest.mark.parametrize(
    ("labels", "error", "words"),
    [
        ([0, 1], ValueError, "one label for each of the 4 rows"),
        ([[0, 0, 1, 1]], ValueError, "one label for each of the 4 rows"),
        ([0, 0, -1, 1], ValueError, "1 negative labels"),
        ([0.0, 0.0, 1.0, 1.0], TypeError, "whole numbers"),
        (list("aabb"), TypeError, "whole numbers"),
    ],
)
@pytest.mark.parametrize("call", [tk.aggregate, tk.loss.sse, tk.loss.ilssdm])
def test_bad_labels_are_refused(call, labels, error, words):
    with pytest.raises(error, match=re.escape(words)):
        call(X, labels)


@pytest.mark.parametrize(
    ("n_threads", "error"),
    [(0, ValueError), (-2, ValueError), (1.5, TypeError), (9999, ValueError)],
)
def test_a_bad_number_of_threads_is_refused(n_threads, error):
    with pytest.raises(error, match="n_threads"):
        tk.mdav(X, 2, n_threads=n_threads)


def test_unknown_words_are_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="method must be one of 'auto', 'mdav'"):
        tk.partition(X, 2, method="magic")
    with pytest.raises(ValueError, match="how must be one of 'mean'"):
        tk.aggregate(X, [0, 0, 1, 1], how="magic")


def test_a_callback_must_be_callable():
    with pytest.raises(TypeError, match="callback must be callable"):
        tk.mdav(X, 2, callback=3)


@pytest.mark.parametrize("variable", ["TOKUMEI_INSTRUCTIONS", "TOKUMEI_NUM_THREADS"])
def test_an_impossible_environment_is_refused(monkeypatch, variable):
    monkeypatch.setenv(variable, "magic")
    with pytest.raises(ValueError, match=f"{variable} must be"):
        tk.mdav(X, 2)


@pytest.mark.parametrize(
    "same",
    [
        X.tolist(),
        X.astype(np.float32),
        X.astype(int),
        np.asfortranarray(X),
        X[:, ::-1][:, ::-1],
        X.astype(object),
        pd.DataFrame(X),
        pl.DataFrame(X),
    ],
    ids=["list", "float32", "int", "fortran", "strided", "object", "pandas", "polars"],
)
def test_whatever_numpy_takes_is_taken(same):
    np.testing.assert_array_equal(tk.microaggregate(same, 2), tk.microaggregate(X, 2))


def test_the_callers_data_are_never_written_to():
    for order in "CF":
        table = np.array(X, order=order)
        before = table.copy()
        tk.standardize(table)
        for method in set(METHODS) - {"univariate"}:
            tk.microaggregate(table, 2, method=method)
        tk.loss.ilssdm(table, tk.partition(table, 2))
        np.testing.assert_array_equal(table, before)
