"""Dataframes of any kind, through narwhals: pandas, polars, Arrow and what else it knows."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io import one_notation, plain, plain_frames, table_kinds
from tokumei.release.schema import repeated
from tokumei.release.sections import Source
from tokumei.values.column import Column
from tokumei.values.notation import Notation

Frame = nw.DataFrame[Any]


def frame_of(table: object) -> Frame:
    """The caller's table, read through narwhals; never written to."""
    table, _ = table_kinds.collected(table)
    kind = type(table).__name__
    try:
        frame = nw.from_native(table, eager_only=True)  # type: ignore[call-overload]
        frame = nw.from_native(_owned(frame.to_native()), eager_only=True)
    except nw.exceptions.DuplicateError:
        names = table.column_names if isinstance(table, pa.Table) else list(table.columns)  # type: ignore[attr-defined]
        raise InputError(repeated(names)) from None
    except TypeError:
        msg = f"the table must be a pandas, polars, Arrow or DuckDB table, got {kind}"
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


def in_one_notation(
    frame: Frame, names: Sequence[str], how: Source, categories: Collection[str] = ()
) -> tuple[Frame, dict[str, Notation]]:
    """The table with some columns, some of `categories`, in one notation; and which they had."""
    changed, notations = [], {}
    for name in names:
        cells = _column(frame, name)
        numbers = name not in categories
        read, notation = one_notation.read(cells, how.na, how.decimal, numbers=numbers)
        if read is not cells:
            changed.append(column_like(frame, name, read))
            notations[name] = notation
    return frame.with_columns(changed) if changed else frame, notations


def column_like(frame: Frame, name: str, cells: Any) -> Any:
    """Cells of Arrow as a column of that name, of the kind it has there where it has their type."""
    made = nw.from_arrow(pa.table([cells], names=[name]), backend=frame.implementation)
    column, had = made[name], frame[name]
    if _column(frame, name).type != cells.type:
        return column
    if frame.implementation.is_pandas():
        native = plain_frames.pandas_like(had.to_native(), cells)
    elif frame.implementation.is_polars():
        native = column.to_native().cast(had.to_native().dtype)
    else:
        return column
    return nw.from_native(native, series_only=True)


def without_dictionary(column: Any) -> Any:
    """The same cells of an Arrow column, each by itself."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def row_labels(native: Any) -> list[str]:
    """What leads from a dataframe's rows elsewhere: labels that are not 0, 1, 2..., notes."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(native, pandas.DataFrame):
        return []
    rows = native.index.equals(pandas.RangeIndex(len(native))) and native.index.name is None
    bare = rows and not native.attrs and native.columns.name is None
    return [] if bare else ["row labels or attributes"]


def released(frame: Frame, names: Sequence[str], *, shuffle: bool) -> Frame:
    """The columns to publish, in a random order of rows, and no traces beside them."""
    with as_input_error("the released table cannot be put together"):
        kept = frame.select(names)
        return remade(kept[shuffled(len(kept)), :] if shuffle else kept)


def renumbered(frame: Frame, name: str) -> Frame:
    """A column with a fresh random number for each of its values, which say nothing else."""
    with as_input_error(f"column {name!r} cannot be read"):
        codes = Column(columns_of(frame, [name]).column(0)).codes
        numbers = np.append(shuffled(int(codes.max()) + 1), -1)[codes]
        cells = [None if number < 0 else number for number in numbers.tolist()]
        column = nw.new_series(name, cells, dtype=nw.Int64(), backend=frame.implementation)
        return frame.with_columns(column)


def shuffled(rows: int) -> NDArray[Any]:
    """A random order of the rows. The operating system draws it, so no seed brings it back."""
    keys = np.frombuffer(os.urandom(8 * rows), dtype=np.uint64)
    return np.argsort(keys, kind="stable")


def remade(frame: Frame) -> Frame:
    """The same cells and nothing else: no row labels, notes or memory of another table."""
    native = frame.to_native()
    if frame.implementation.is_pandas():
        made = plain_frames.remade_pandas(native)
    elif frame.implementation.is_polars():
        made = plain_frames.remade_polars(native)
    elif isinstance(native, pa.Table):
        made = plain.remade(native)
    else:
        cells = plain.remade(frame.to_arrow())
        return nw.from_arrow(cells, backend=frame.implementation)
    return nw.from_native(made, eager_only=True)


def _owned(native: Any) -> Any:
    """The caller's table, sound to the last offset, in memory that nobody else writes to."""
    pandas = sys.modules.get("pandas")
    if isinstance(native, pa.Table):
        with as_input_error("the table is damaged: its buffers do not fit its types"):
            native.validate(full=True)
            own = pa.ipc.open_stream(pa.py_buffer(plain.ipc_bytes(native))).read_all()
            for place, field in enumerate(own.schema):
                # Rows of views cannot be taken; as texts with offsets they can.
                kind = plain.with_offsets(field.type)
                if kind != field.type:
                    own = own.set_column(place, field.name, own.column(place).cast(kind))
            return own
    if pandas is not None and isinstance(native, pandas.DataFrame):
        for name, dtype in native.dtypes.items():
            if isinstance(dtype, pandas.ArrowDtype):
                with as_input_error(f"column {name!r} is damaged"):
                    pa.chunked_array(pa.array(native[name])).validate(full=True)
        return native.copy(deep=True)
    return native
