"""Tables that are no dataframe yet: lazy frames, relations, batches and streams of Arrow. They are
collected on the way in, whole and in their order, and a result goes out as what came.

Libraries are known by what is loaded, so none is imported for a caller who does not use it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

GiveBack = Callable[[Any], Any]


def collected(table: Any, name: str = "X") -> tuple[Any, GiveBack]:
    """A table that can be looked at, and what makes of its kind the kind of table that came.

    Arrays, sequences, mappings and dataframes are what they are. A stream can be read once only.
    """
    if isinstance(table, np.ndarray | list | tuple | Mapping):
        return table, as_it_is
    try:
        return _collected(table, name)
    except (TypeError, ImportError, MemoryError):
        raise
    except Exception:
        # What its library says may hold cells.
        msg = f"{name} cannot be read: the library that holds it failed to compute its cells"
        raise ValueError(msg) from None


def _collected(table: Any, name: str) -> tuple[Any, GiveBack]:
    duckdb, pa, polars = (sys.modules.get(each) for each in ("duckdb", "pyarrow", "polars"))
    if duckdb is not None and isinstance(table, duckdb.DuckDBPyRelation):
        # A relation of its own connection: that of the caller may be closed before it is read.
        return table.to_arrow_table(), lambda made: duckdb.connect().from_arrow(made)
    if polars is not None and isinstance(table, polars.LazyFrame):
        return table.collect(), lambda made: made.lazy()
    if pa is not None and isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table]), lambda made: pa.concat_batches(made.to_batches())
    if pa is not None and isinstance(table, pa.RecordBatchReader):
        return table.read_all(), lambda made: made.to_reader()
    if hasattr(table, "collect") and not hasattr(table, "to_numpy"):
        msg = f"{name} is not computed yet; collect it first"
        raise TypeError(msg)
    if hasattr(table, "__array__") or hasattr(table, "columns") or hasattr(table, "__len__"):
        return table, as_it_is
    return _exchanged(table), as_it_is


def _exchanged(table: Any) -> Any:
    """What offers its cells to any library, by Arrow's stream or the dataframe protocol."""
    if hasattr(table, "__arrow_c_stream__"):
        import pyarrow as pa

        return pa.table(table)
    if hasattr(table, "__dataframe__"):
        from pyarrow.interchange import from_dataframe

        return from_dataframe(table)
    return table


def as_it_is(made: Any) -> Any:
    """What came was a dataframe already."""
    return made
