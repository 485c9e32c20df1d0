"""A table of any library goes in, and the same kind comes out, with the same bits."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tokumei as tk

X = np.random.default_rng(7).normal(size=(40, 3)).round(3) * [1, 10, 100]
NAMES = ["age", "rooms", "income"]
COLUMNS = dict(zip(NAMES, X.T.copy(), strict=True))


class Stream:
    """A table that offers nothing but Arrow's stream."""

    def __arrow_c_stream__(self, schema=None):
        return pa.table(COLUMNS).__arrow_c_stream__(schema)


class Exchanged:
    """A table that offers nothing but the dataframe protocol."""

    def __dataframe__(self, *args, **kwargs):
        return pa.table(COLUMNS).__dataframe__(*args, **kwargs)


KINDS = {
    "mapping": lambda: dict(COLUMNS),
    "pandas": lambda: pd.DataFrame(COLUMNS, index=range(7, 47)),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "Arrow": lambda: pa.table(COLUMNS),
    "lazy frame": lambda: pl.LazyFrame(COLUMNS),
    "relation": lambda: duckdb.from_arrow(pa.table(COLUMNS)),
    "batch": lambda: pa.record_batch(COLUMNS),
    "reader": lambda: pa.table(COLUMNS).to_reader(),
}
FOREIGN = {"stream": Stream, "exchanged": Exchanged}


def cells(table):
    """The numbers of a table of any kind."""
    if isinstance(table, dict):
        return np.column_stack(list(table.values()))
    if isinstance(table, pa.RecordBatchReader):
        table = table.read_all()
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    if isinstance(table, duckdb.DuckDBPyRelation):
        table = table.to_arrow_table()
    table = table.collect() if isinstance(table, pl.LazyFrame) else table
    return np.asarray(table)


@pytest.mark.parametrize("kind", KINDS)
def test_what_goes_in_comes_out(kind):
    labels, plain = tk.partition(X, 4), tk.microaggregate(X, 4)
    made = {
        "microaggregate": tk.microaggregate(KINDS[kind](), 4),
        "individual": tk.microaggregate(KINDS[kind](), 4, method="individual"),
        "aggregate": tk.aggregate(KINDS[kind](), labels),
        "Microaggregator": tk.Microaggregator(k=4).fit_transform(KINDS[kind]()),
    }
    assert {type(each) for each in made.values()} == {type(KINDS[kind]())}
    individual = tk.microaggregate(X, 4, method="individual")
    for name, each in made.items():
        np.testing.assert_array_equal(cells(each), individual if name == "individual" else plain)


@pytest.mark.parametrize("kind", {**KINDS, **FOREIGN})
def test_labels_and_losses_are_the_same_for_all_of_them(kind):
    make = {**KINDS, **FOREIGN}[kind]
    labels = tk.partition(X, 4)
    np.testing.assert_array_equal(tk.partition(make(), 4), labels)
    np.testing.assert_array_equal(tk.mdav(make(), 4), tk.mdav(X, 4))
    np.testing.assert_array_equal(tk.refine(make(), labels, 4), tk.refine(X, labels, 4))
    np.testing.assert_array_equal(tk.standardize(make()), tk.standardize(X))
    np.testing.assert_array_equal(tk.npn_order(make()), tk.npn_order(X))
    assert tk.loss.ilssdm(make(), labels) == tk.loss.ilssdm(X, labels)
    masked = tk.microaggregate(make(), 4)
    before, after = COLUMNS, dict(zip(NAMES, tk.microaggregate(X, 4).T, strict=True))
    assert tk.loss.il1s(make(), masked) == tk.loss.il1s(before, after)


@pytest.mark.parametrize("kind", FOREIGN)
def test_tables_of_unknown_makes_come_out_as_arrow(kind):
    made = tk.microaggregate(FOREIGN[kind](), 4)
    assert isinstance(made, pa.Table)
    assert made.column_names == NAMES
    np.testing.assert_array_equal(np.asarray(made), tk.microaggregate(X, 4))


def test_row_labels_stay_where_rows_do():
    frame = KINDS["pandas"]()
    for masked in (tk.microaggregate(frame, 4), tk.Microaggregator(k=4).fit_transform(frame)):
        assert masked.index.equals(frame.index)


WHOLE = {
    "whole": np.array([1, 3, 8, 10], dtype=np.int16),
    "halves": np.array([1, 2, 8, 10], dtype=np.int16),
    "narrow": np.array([1, 2, 8, 11], dtype=np.float32),
    "sure": np.array([True, True, False, False]),
}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_dtypes_are_kept_where_they_hold_what_is_published(kind):
    made = tk.aggregate(kind(WHOLE), [0, 0, 1, 1])
    kept = {name: str(np.asarray(made[name]).dtype) for name in WHOLE}
    assert kept == {"whole": "int16", "halves": "float64", "narrow": "float32", "sure": "bool"}
    assert np.asarray(made["whole"]).tolist() == [2, 2, 9, 9]
    assert np.asarray(made["halves"]).tolist() == [1.5, 1.5, 9.0, 9.0]


def test_dtypes_of_pandas_that_know_missing_cells_are_kept():
    frame = pd.DataFrame({"a": pd.array([1, 3, 8, 10], dtype="Int32")})
    assert str(tk.aggregate(frame, [0, 0, 1, 1])["a"].dtype) == "Int32"


def test_columns_of_different_lengths_are_no_table():
    with pytest.raises(ValueError, match="X must be a table: its columns differ in length"):
        tk.partition({"a": [1, 2], "b": [1, 2, 3]}, 2)
    with pytest.raises(TypeError, match="X must be numeric"):
        tk.partition({}, 2)


def test_a_table_that_is_not_computed_is_asked_to_be():
    class Later:
        def collect(self):
            raise AssertionError

    with pytest.raises(TypeError, match="not computed yet; collect it first"):
        tk.partition(Later(), 2)


def test_what_fails_when_it_is_computed_says_no_value():
    later = pl.LazyFrame({"age": ["1", "7f3canary"]}).cast({"age": pl.Int64})
    with pytest.raises(ValueError, match="X cannot be read") as error:
        tk.partition(later, 1)
    assert "canary" not in str(error.value)
