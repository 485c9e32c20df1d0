"""Columns given to distances: every kind is taken, and what makes no sense is refused."""

import math
import re

import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.distances import (
    Callable,
    Discrete,
    Euclidean,
    Graph,
    Hamming,
    Levenshtein,
    Minkowski,
    Ordinal,
    Product,
    Tree,
)

PARENTS = {"b": "a", "c": "a", "d": "b", "e": "b", "f": "c", "g": "f"}
EDGES = {("a", "b"): 1.5, ("b", "c"): 2.0, ("a", "c"): 4.0, ("c", "d"): 0.25}
WORDS = ["nurse", "judge", "nurse", "cook", "judge", "nurse"]
AGES = [31, 52, 31, 47, 52, 31]
columns_of_words = pytest.mark.parametrize(
    "column",
    [
        WORDS,
        tuple(WORDS),
        np.array(WORDS),
        np.array(WORDS)[::-1][::-1],
        np.array(WORDS, dtype=object),
        np.array(WORDS, dtype=np.dtypes.StringDType()),
        np.ma.masked_array(WORDS, mask=[False] * 6),
        pd.Series(WORDS),
        pd.Series(WORDS, index=range(10, 16)),
        pd.Series(WORDS, dtype="category"),
        pd.Categorical(WORDS, categories=["unused", "cook", "judge", "nurse"]),
        pd.Index(WORDS),
        pd.Series(WORDS, dtype="string[pyarrow]"),
        pl.Series(WORDS),
        pl.Series(WORDS, dtype=pl.Categorical),
        pl.Series(WORDS, dtype=pl.Enum(["cook", "judge", "nurse", "unused"])),
        pa.array(WORDS),
        pa.array(WORDS).dictionary_encode(),
        pa.chunked_array([WORDS[:2], [], WORDS[2:]]),
        pa.chunked_array([pa.array(WORDS[:2]), pa.array(WORDS[2:])]).dictionary_encode(),
        pa.chunked_array([pa.array(w).dictionary_encode() for w in (WORDS[:2], WORDS[2:])]),
        pa.DictionaryArray.from_arrays(
            pa.array([3, 1, 0, 2, 1, 0]), pa.array(["nurse", "judge", "cook", "nurse"])
        ),
    ],
    ids=lambda column: f"{type(column).__module__.split('.')[0]}.{type(column).__name__}",
)


@columns_of_words
@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        (Discrete(), oracle.discrete),
        (
            Ordinal(["cook", "judge", "nurse", "king"]),
            oracle.ordinal(["cook", "judge", "nurse", 0]),
        ),
        (Levenshtein(normalized=True), oracle.normalized(oracle.levenshtein)),
    ],
    ids=["discrete", "ordinal", "levenshtein"],
)
def test_every_kind_of_column_is_taken(column, distance, expected):
    for method in ("auto", "pairs"):
        assert math.isclose(
            tk.loss.information(column, distance, method=method),
            oracle.information(WORDS, expected),
            rel_tol=1e-13,
        )


@pytest.mark.parametrize(
    "column",
    [
        AGES,
        np.array(AGES),
        np.array(AGES, dtype=object),
        np.array(AGES, dtype=np.uint8),
        pd.Series(AGES),
        pd.Series(AGES, dtype="Int64"),
        pl.Series(AGES),
        pa.array(AGES),
        pa.chunked_array([AGES[:2], AGES[2:]]),
    ],
    ids=lambda column: type(column).__name__,
)
def test_every_kind_of_column_of_numbers_is_taken(column):
    expected = oracle.information([[age] for age in AGES], lambda a, b: oracle.minkowski(a, b, 2))
    assert math.isclose(tk.loss.information(column, Euclidean()), expected, rel_tol=1e-14)
    assert tk.loss.information(column, Discrete()) == oracle.information(AGES, oracle.discrete)


RECORDS = list(zip(AGES, WORDS, strict=True))


@pytest.mark.parametrize(
    "table",
    [
        RECORDS,
        [list(record) for record in RECORDS],
        np.array(RECORDS, dtype=object),
        np.array(RECORDS, dtype=[("age", "i8"), ("job", "U9")]),
        {"age": AGES, "job": WORDS},
        pd.DataFrame({"age": AGES, "job": WORDS}),
        pl.DataFrame({"age": AGES, "job": WORDS}),
        pa.table({"age": AGES, "job": WORDS}),
        pa.record_batch({"age": pa.array(AGES), "job": pa.array(WORDS)}),
    ],
    ids=["tuples", "lists", "objects", "structured", "dict", "pandas", "polars", "arrow", "batch"],
)
def test_every_kind_of_table_is_taken(table):
    distance = Product(Euclidean(), Discrete(), weights=[0.01, 1])
    expected = oracle.product([lambda a, b: abs(a - b), oracle.discrete], [0.01, 1])
    assert math.isclose(
        tk.loss.information(table, distance), oracle.information(RECORDS, expected), rel_tol=1e-14
    )


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Minkowski(0.5), ValueError, "p must be 1 or more, got 0.5"),
        (lambda: Minkowski(math.nan), ValueError, "p must be 1 or more, got nan"),
        (lambda: Minkowski("2"), TypeError, "p must be a number, got str"),
        (lambda: Ordinal([]), ValueError, "at least one category"),
        (lambda: Ordinal(["a", "b", "a"]), ValueError, "each category once, 1 are repeated"),
        (lambda: Ordinal("abc"), TypeError, "must be a sequence of categories, got str"),
        (lambda: Tree([("a", "b")]), TypeError, "must be a Hierarchy or map each value to its"),
        (lambda: Tree({}), ValueError, "parent_of is empty"),
        (lambda: Tree({"a": "b", "b": "a"}), ValueError, "has 2 values without a root"),
        (lambda: Tree({"r": None, "a": "b", "b": "c", "c": "b"}), ValueError, "3 values without"),
        (lambda: Graph({}), ValueError, "at least one pair"),
        (lambda: Graph({"ab": 1}), TypeError, "1 of 1 keys are no pairs"),
        (lambda: Graph({("a", "b"): -1}), ValueError, "positive between different nodes, 1 are"),
        (lambda: Graph({("a", "b"): 0}), ValueError, "positive between different nodes, 1 are"),
        (lambda: Graph({("a", "b"): math.nan}), ValueError, "must be finite, 1 are not"),
        (lambda: Graph({("a", "b"): "x"}), TypeError, "weights must be numbers"),
        (lambda: Graph({("a", "a"): 1, ("a", "b"): 1}), ValueError, "to itself, 1 are not"),
        (lambda: Graph({("a", "b"): 1, ("b", "a"): 2}), ValueError, "directions, 1 pairs are not"),
        (lambda: Graph({("a", "b"): 1, ("b", "c"): 2}), ValueError, "1 pairs are missing"),
        (lambda: Graph([[0, 1], [2, 0]], nodes="ab"), ValueError, "directions, 1 pairs are not"),
        (lambda: Graph([[0, 1, 2]], nodes="a"), ValueError, "a square matrix, got shape (1, 3)"),
        (lambda: Graph([[0, 1], [1, 0]]), ValueError, "name the 2 rows of the matrix, got 0"),
        (lambda: Graph([[0, 1], [1, 0]], nodes="aa"), ValueError, "each node once, 1 are"),
        (lambda: Graph({("a", "b"): 1}, nodes="a"), ValueError, "1 nodes that are not in nodes"),
        (
            lambda: Graph({("a", "b"): 1, ("c", "d"): 1}, shortest_paths=True),
            ValueError,
            "connected: no path leads to 2 of its nodes",
        ),
        (lambda: Product(), ValueError, "at least one distance"),
        (lambda: Product(Euclidean), TypeError, "made by a call: Euclidean(...), got the class"),
        (lambda: Product(3), TypeError, "must be of kind Distance, got int"),
        (lambda: Product(Discrete(), weights="equal"), ValueError, "one of 'information'"),
        (lambda: Product(Discrete(), weights=[1, 2]), ValueError, "must be 1 numbers"),
        (lambda: Product(Discrete(), weights=[0]), ValueError, "positive and finite, 1 of 1"),
        (lambda: Product(Discrete(), weights=["a"]), TypeError, "must be numbers"),
        (lambda: Callable(3), TypeError, "callable with two values, got int"),
    ],
)
def test_a_distance_that_makes_no_sense_is_refused(make, error, words):
    with pytest.raises(error, match=re.escape(words)):
        make()


SECRET = "secret-value"


@pytest.mark.parametrize(
    ("values", "distance", "error", "words"),
    [
        ([], Discrete(), ValueError, "values is empty"),
        ([], Euclidean(), ValueError, "values is empty"),
        (np.array([], dtype="U4"), Levenshtein(), ValueError, "values is empty"),
        (pd.Series([], dtype=object), Discrete(), ValueError, "values is empty"),
        (pa.array([], pa.string()), Discrete(), ValueError, "values is empty"),
        (SECRET, Discrete(), TypeError, "values must be one column"),
        (5, Discrete(), TypeError, "values must be one column"),
        ([SECRET, [1]], Discrete(), TypeError, "values holds values that cannot be told apart"),
        ([SECRET, None, None], Discrete(), ValueError, "2 missing values (first in row 1)"),
        ([1.5, math.nan], Discrete(), ValueError, "1 missing values (first in row 1)"),
        (np.array([1.5, np.nan, np.nan]), Discrete(), ValueError, "2 missing values (first in"),
        (np.array(["NaT"], dtype="datetime64[D]"), Discrete(), ValueError, "1 missing values"),
        (np.ma.masked_array([1, 2], mask=[0, 1]), Discrete(), ValueError, "1 missing values"),
        (pd.Series([SECRET, None]), Discrete(), ValueError, "1 missing values (first in row 1)"),
        ([SECRET, pd.NA], Discrete(), ValueError, "1 missing values (first in row 1)"),
        (pl.Series([SECRET, None]), Discrete(), ValueError, "1 missing values (first in row 1)"),
        (pa.array([None, SECRET]), Discrete(), ValueError, "1 missing values (first in row 0)"),
        (np.zeros((2, 2)), Discrete(), TypeError, "values must be one column"),
        ([1.0, math.nan], Euclidean(), ValueError, "values has 1 missing values (first in row 1)"),
        ([[1.0, math.inf]], Minkowski(1), ValueError, "column 1 has 1 infinite values"),
        ([SECRET], Euclidean(), TypeError, "values must be numeric"),
        (np.zeros((1, 1, 1)), Euclidean(), ValueError, "two dimensions"),
        (["a", SECRET, SECRET], Ordinal(["a", "b"]), ValueError, "2 values that are not in the"),
        (["b", "a", SECRET], Tree(PARENTS), ValueError, "1 values that are not in the tree (first"),
        ([SECRET, "a"], Graph(EDGES, shortest_paths=True), ValueError, "1 values that are not in"),
        ([SECRET, 3, 4], Levenshtein(), TypeError, "must hold strings, 2 values are not (first in"),
        ([SECRET, "secret"], Hamming(), ValueError, "strings of one length, got 2 different"),
        ([1, 2], Callable(lambda a, b: -1), ValueError, "numbers from 0 on, 1 of 1 are not"),
        ([1, 2], Callable(lambda a, b: math.nan), ValueError, "numbers from 0 on, 1 of 1 are not"),
        ([(1, SECRET)], Product(Discrete()), ValueError, "has 2 columns, the product has 1"),
        ([(1, 2), (1,)], Product(Discrete()), ValueError, "its rows differ in length"),
        ([1, 2], Product(Discrete()), TypeError, "must be a table"),
        (np.zeros(3), Product(Discrete()), TypeError, "dimensions, got 1"),
        ([(1, None)], Product(Discrete(), Discrete()), ValueError, "column 1 of values has 1 miss"),
        (
            {"a": [1, 2], "b": [1]},
            Product(Discrete(), Discrete()),
            ValueError,
            "columns of one length, got from 1 to 2",
        ),
    ],
)
def test_values_that_a_distance_cannot_take_are_refused(values, distance, error, words):
    with pytest.raises(error, match=re.escape(words)) as caught:
        tk.loss.information(values, distance)
    assert SECRET not in str(caught.value)


def test_weights_from_a_table_need_a_table():
    with pytest.raises(ValueError, match="give weights as numbers"):
        Product(Discrete()).between((1,), (2,))


def test_both_zeros_are_one_value():
    for column in ([0.0, -0.0, 1.0], np.array([0.0, -0.0, 1.0])):
        assert tk.loss.information(column, Discrete()) == 4
