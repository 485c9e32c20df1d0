"""Dataframes of any kind, through narwhals: pandas, polars, Arrow and what else it knows."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tokumei.release.errors import InputError, as_input_error
from tokumei.release.schema import repeated

Frame = nw.DataFrame[Any]


def frame_of(table: object) -> Frame:
    """The caller's table, read through narwhals; never written to."""
    kind = type(table).__name__
    try:
        frame = nw.from_native(table, eager_only=True)  # type: ignore[call-overload]
    except nw.exceptions.DuplicateError:
        names = table.column_names if isinstance(table, pa.Table) else list(table.columns)  # type: ignore[attr-defined]
        raise InputError(repeated(names)) from None
    except TypeError:
        hint = "; collect it first" if "Lazy" in kind else ""
        msg = f"the table must be a pandas, polars or Arrow table, got {kind}{hint}"
        raise InputError(msg) from None
    # The row labels of pandas are dropped: they would lead from a masked row to its source.
    result: Frame = nw.maybe_reset_index(frame)
    return result


def columns_of(frame: Frame, names: Sequence[str]) -> Any:
    """Some columns as an Arrow table; a column of Python objects of different kinds as text."""
    return pa.table([_column(frame, name) for name in names], names=names)


def _column(frame: Frame, name: str) -> Any:
    with as_input_error(f"column {name!r} cannot be read"):
        try:
            return frame.select(name).to_arrow().column(0)
        except (pa.ArrowException, TypeError, OverflowError):
            cells = frame[name].to_list()
            return pa.array([None if cell is None else str(cell) for cell in cells], pa.string())


def without_dictionary(column: Any) -> Any:
    """The same cells of an Arrow column, each by itself."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def row_labels(native: Any) -> list[str]:
    """What leads from a dataframe's rows elsewhere: labels that are not 0, 1, 2..., notes."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(native, pandas.DataFrame):
        return []
    plain = native.index.equals(pandas.RangeIndex(len(native))) and native.index.name is None
    return [] if plain and not native.attrs else ["row labels or attributes"]


def released(frame: Frame, names: Sequence[str], *, shuffle: bool) -> Frame:
    """The columns to publish, in a random order of rows, and no traces beside them."""
    with as_input_error("the released table cannot be put together"):
        kept = frame.select(names)
        return bare(kept[shuffled(len(kept)), :] if shuffle else kept)


def shuffled(rows: int) -> NDArray[Any]:
    """A random order of the rows. The operating system draws it, so no seed brings it back."""
    keys = np.frombuffer(os.urandom(8 * rows), dtype=np.uint64)
    return np.argsort(keys, kind="stable")


def bare(frame: Frame) -> Frame:
    """The same cells without row labels, metadata and categories that no cell uses."""
    result: Frame = nw.maybe_reset_index(frame)
    native = result.to_native()
    if isinstance(native, pa.Table):
        return nw.from_native(_bare_arrow(native), eager_only=True)
    if frame.implementation.is_pandas():
        native = native.copy(deep=False)
        native.attrs = {}
        for name, dtype in native.dtypes.items():
            if isinstance(dtype, sys.modules["pandas"].CategoricalDtype):
                native[name] = native[name].cat.remove_unused_categories()
        return nw.from_native(native, eager_only=True)
    return result


def _bare_arrow(table: Any) -> Any:
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        with as_input_error(f"column {name!r} holds {column.type}, which cannot be released"):
            if pa.types.is_dictionary(column.type):
                columns.append(_fresh_dictionary(column))
            else:
                columns.append(column.cast(_bare_type(column.type)))
    return pa.table(columns, names=table.column_names)


def _fresh_dictionary(column: Any) -> Any:
    # Values keep their order, which may mean something; those without a cell are left out.
    column = column.unify_dictionaries().combine_chunks()
    column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    used, places = np.unique(column.indices.drop_null().to_numpy(), return_inverse=True)
    indices = np.zeros(len(column), dtype=np.int32)
    valid = column.indices.is_valid().to_numpy(zero_copy_only=False)
    indices[valid] = places
    return pa.DictionaryArray.from_arrays(
        pa.array(indices, mask=~valid),
        column.dictionary.take(pa.array(used)),
        ordered=column.type.ordered,
    )


def _bare_type(kind: Any) -> Any:
    """A type without the metadata of its inner fields and without dictionaries inside."""
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_struct(kind):
        return pa.struct([_bare_field(kind.field(i)) for i in range(kind.num_fields)])
    if pa.types.is_map(kind):
        return pa.map_(_bare_field(kind.key_field), _bare_field(kind.item_field))
    if pa.types.is_large_list(kind):
        return pa.large_list(_bare_field(kind.value_field))
    if pa.types.is_list(kind):
        return pa.list_(_bare_field(kind.value_field))
    return kind


def _bare_field(field: Any) -> Any:
    return pa.field(field.name, _bare_type(field.type), field.nullable)
