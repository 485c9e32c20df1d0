"""Tables that are no dataframe yet: lazy frames, relations, batches. They are collected on the way
in, and a release is given back as what came; and names of columns that are numbers become texts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow as pa

from tokumei.release.errors import InputError, as_input_error

GiveBack = Callable[[Any], Any]


def collected(table: Any) -> tuple[Any, GiveBack]:
    """A table as a dataframe, and what makes of a dataframe the kind of table that it was."""
    polars = sys.modules.get("polars")
    with as_input_error("the table cannot be read"):
        if isinstance(table, duckdb.DuckDBPyRelation):
            # A relation of its own connection: that of the caller may be closed before it is read.
            return table.to_arrow_table(), lambda made: duckdb.connect().from_arrow(made)
        if isinstance(table, pa.RecordBatch):
            return pa.Table.from_batches([table]), lambda made: pa.concat_batches(made.to_batches())
        if isinstance(table, pa.RecordBatchReader):
            return table.read_all(), lambda made: made.to_reader()
        if polars is not None and isinstance(table, polars.LazyFrame):
            return table.collect(), lambda made: made.lazy()
    return _named(table)


def _named(table: Any) -> tuple[Any, GiveBack]:
    """A dataframe of pandas whose columns have numbers for names, with texts for them."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(table, pandas.DataFrame):
        return table, _as_it_is
    if isinstance(table.columns, pandas.MultiIndex):
        msg = "the table has column names of several levels; join them to one first"
        raise InputError(msg)
    was = {str(name): name for name in table.columns if type(name) is int}
    if not was or len(was) < len(table.columns):
        return table, _as_it_is
    return table.set_axis(list(was), axis=1), lambda made: made.rename(columns=was)


def _as_it_is(made: Any) -> Any:
    return made
