"""Columns given to losses: every make is read alike, and bad ones are refused."""

import math

import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from assertions import SECRET, close, refused

import tokumei as tk

WORDS = ["b", "a", "b", "c", "a", "b"]
OTHER = ["b", "a", "a", "c", "a", "c"]
MAKERS = {
    "list": list,
    "tuple": tuple,
    "numpy text": np.array,
    "numpy objects": lambda values: np.array(values, dtype=object),
    "numpy strings": lambda values: np.array(values, dtype=np.dtypes.StringDType()),
    "pandas": pd.Series,
    "pandas objects": lambda values: pd.Series(values, dtype=object),
    "pandas categorical": lambda values: pd.Series(pd.Categorical(values, categories=list("dcba"))),
    "pandas index": pd.Index,
    "polars": pl.Series,
    "polars categorical": lambda values: pl.Series(values, dtype=pl.Categorical),
    "polars enum": lambda values: pl.Series(values, dtype=pl.Enum(list("dcba"))),
    "arrow": pa.array,
    "arrow chunks": lambda values: pa.chunked_array([values[:2], values[2:]]),
    "arrow dictionary": lambda values: pa.DictionaryArray.from_arrays(
        pa.array(["dcba".index(value) for value in values]), pa.array(list("dcba"))
    ),
    "arrow dictionary chunks": lambda values: pa.chunked_array(
        [pa.array(values[:2]).dictionary_encode(), pa.array(values[2:]).dictionary_encode()]
    ),
}


@pytest.mark.parametrize("after", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("before", MAKERS.values(), ids=MAKERS)
def test_columns_of_any_make_are_told_alike(before, after):
    before, after = before(WORDS), after(OTHER)
    assert tk.loss.direct(before, after) == 1 / 3
    close(tk.loss.entropy(before, after), tk.loss.entropy(WORDS, OTHER))
    close(tk.loss.ebil(before, after), tk.loss.ebil(WORDS, OTHER))
    close(tk.loss.cramers_v(before, after), oracle.cramers_v(WORDS, OTHER))
    close(tk.loss.ncp({"v": before}, [0, 0, 0, 1, 1, 1]), 3 * 2 / 3 + 3 * 1)
    assert tk.loss.cm(before, [0, 0, 0, 1, 1, 1]) == oracle.cm(WORDS, [0, 0, 0, 1, 1, 1])


NUMBERS = {
    "list": list,
    "int": np.array,
    "float32": lambda values: np.array(values, dtype=np.float32),
    "objects": lambda values: np.array(values, dtype=object),
    "pandas": pd.Series,
    "pandas nullable": lambda values: pd.Series(values, dtype="Int64"),
    "pandas arrow": lambda values: pd.Series(values, dtype="int64[pyarrow]"),
    "polars": pl.Series,
    "polars decimal": lambda values: pl.Series(values).cast(pl.Decimal(10, 2)),
    "arrow": pa.array,
    "arrow chunks": lambda values: pa.chunked_array([values[:1], values[1:]]),
}


@pytest.mark.parametrize("make", NUMBERS.values(), ids=NUMBERS)
def test_numbers_of_any_make_are_told_alike(make):
    x, y = [1, 2, 3, 4], [1, 1, 4, 4]
    tables = {"x": make(x)}, {"x": make(y)}
    assert tk.loss.il1s(*tables) == tk.loss.il1s(np.array(x)[:, None], np.array(y)[:, None])
    assert tk.loss.ncp(tables[0], [0, 0, 1, 1]) == pytest.approx(4 / 3)
    assert tk.loss.compare(*tables)["x"].kind == "number"
    assert tk.loss.direct(make(x), y) == 0.5
    assert tk.loss.direct(np.array(x, dtype=float), make(y)) == 0.5


@pytest.mark.parametrize(
    "make",
    [
        dict,
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda columns: np.array(list(zip(*columns.values(), strict=True)), dtype=object),
        lambda columns: list(zip(*columns.values(), strict=True)),
        lambda columns: np.array(
            list(zip(*columns.values(), strict=True)), dtype=[("x", "i8"), ("w", "U9")]
        ),
    ],
    ids=["dict", "pandas", "polars", "arrow", "objects", "rows", "structured"],
)
def test_tables_of_any_make_are_told_alike(make):
    before = {"x": [1, 2, 3, 4, 5, 6], "w": WORDS}
    after = {"x": [1, 1, 3, 3, 5, 5], "w": OTHER}
    assert tk.loss.ctbil(make(before), make(after)) == tk.loss.ctbil(before, after)
    found = tk.loss.compare(make(before), make(after))
    assert [one.kind for one in found.attributes] == ["number", "category"]


def test_whole_numbers_beyond_float_precision_stay_apart():
    x = np.array([2**60, 2**60 + 1, 5])
    assert tk.loss.direct(x, x.astype(float)) == 1 / 3
    assert tk.loss.direct(x, np.array([2**60, 2**60, 5])) == 1 / 3
    assert tk.loss.direct(np.array([True, False]), np.array([1, 0])) == 0.0


two_columns = pytest.mark.parametrize(
    "call",
    [tk.loss.entropy, tk.loss.ebil, tk.loss.direct, tk.loss.cramers_v],
    ids=["entropy", "ebil", "direct", "cramers_v"],
)
two_tables_calls = pytest.mark.parametrize(
    "call",
    [
        tk.loss.il1s,
        tk.loss.compare,
        lambda x, y: tk.loss.ncp(x, masked=y),
    ],
    ids=["il1s", "compare", "ncp"],
)


@two_columns
@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        ([SECRET, None], ValueError, "has 1 missing values"),
        ([123456.0, math.nan], ValueError, "has 1 missing values"),
        (np.array([123456.0, math.nan]), ValueError, "has 1 missing values"),
        (np.array(["1234-01-01", "NaT"], dtype="datetime64[D]"), ValueError, "has 1 missing"),
        (np.ma.masked_array([123456, 1], mask=[False, True]), ValueError, "has 1 missing values"),
        (pd.Series([SECRET, None]), ValueError, "has 1 missing values"),
        (pd.Series([SECRET, pd.NA], dtype=object), ValueError, "has 1 missing values"),
        (pd.Series([pd.Timestamp("1234-01-01"), pd.NaT]), ValueError, "has 1 missing values"),
        (pl.Series([SECRET, None]), ValueError, "has 1 missing values"),
        (pl.Series([123456.0, math.nan]), ValueError, "has 1 missing values"),
        (pa.array([SECRET, None]), ValueError, "has 1 missing values"),
        (pa.array([SECRET, None]).dictionary_encode(), ValueError, "has 1 missing values"),
        ([SECRET], ValueError, "of one length, got 2 and 1"),
        ([], ValueError, "empty"),
        (np.array([]), ValueError, "empty"),
        (SECRET, TypeError, "must be one column"),
        (7, TypeError, "must be one column"),
        (None, TypeError, "must be one column"),
        ({"a": 1, "b": 2}, TypeError, "must be one column"),
        (np.zeros((2, 2)), TypeError, "must be one column"),
        (pd.DataFrame({"x": [1, 2]}), TypeError, "must be one column"),
        ([[SECRET], [SECRET]], TypeError, "cannot be told apart"),
    ],
    ids=str,
)
def test_a_bad_column_is_refused_without_telling_its_values(call, bad, error, words):
    refused(error, words, call, ["a", "b"], bad)
    words = "got 1 and 2" if "2 and 1" in words else words
    refused(error, words, call, bad, ["a", "b"])


@two_tables_calls
@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        ({"x": [1.0, math.nan]}, ValueError, "column 'x' has 1 missing values"),
        ({"x": [1.0, None]}, ValueError, "column 'x' has 1 missing values"),
        ({"x": [123456.0, math.inf]}, ValueError, "column 'x' has 1 infinite values"),
        ({"x": [123456.0, 1e200]}, ValueError, "column 'x' has values too large"),
        ({"x": [1, 123456 * 10**400]}, ValueError, "column 'x' has values too large"),
        ({"x": [1.0]}, ValueError, "the same number of records"),
        ({"x": []}, ValueError, "column 'x' is empty"),
        ({"x": [1.0, 2.0], "y": [1.0]}, ValueError, "different lengths, from 1 to 2"),
        ({"x": [1, 2], "y": [1, 2]}, ValueError, "column"),
        ({"y": [1.0, 2.0]}, ValueError, "column"),
        ({}, ValueError, "no columns"),
        (7, TypeError, "must be a table"),
        ([1.0, 2.0], TypeError, "must be a table"),
        ([[1.0], [1.0, 2.0]], ValueError, "rows differ in length"),
        (np.ma.masked_array([[1], [2]], mask=[[1], [0]]), ValueError, "column"),
        (pl.LazyFrame({"x": ["a"]}).cast({"x": pl.Int64}), ValueError, "cannot be read"),
        (pd.DataFrame([[1, 2], [1, 2]], columns=["x", "x"]), ValueError, "more than once"),
    ],
    ids=str,
)
def test_a_bad_table_is_refused_without_telling_its_values(call, bad, error, words):
    refused(error, words, call, {"x": [1.0, 2.0]}, bad)


def test_text_is_refused_where_numbers_are_needed():
    refused(TypeError, "column 'x' must be numeric", tk.loss.il1s, {"x": [SECRET]}, {"x": [SECRET]})
    refused(TypeError, "must be numeric", tk.loss.moments, {"x": [SECRET]}, {"x": [1]})
    refused(TypeError, "must be numeric", tk.loss.il1s, {"x": ["123456"]}, {"x": ["1"]})
    dates = {"x": np.array(["1234-05-06"], dtype="datetime64[D]")}
    refused(TypeError, "must be numeric", tk.loss.il1s, dates, dates)


def test_the_callers_data_are_never_written_to():
    x = np.arange(12.0).reshape(6, 2)
    x.flags.writeable = False
    labels = np.array([0, 0, 0, 1, 1, 1])
    labels.flags.writeable = False
    tk.loss.ncp(x, labels)
    tk.loss.moments(x, x[::-1])
    tk.loss.ctbil(x, x[::-1])
    tk.loss.compare(x, x[::-1])
    tk.loss.cm(x[:, 0], labels, labels == 0)
    tk.loss.dm(labels, 2)
    np.testing.assert_array_equal(x, np.arange(12.0).reshape(6, 2))
