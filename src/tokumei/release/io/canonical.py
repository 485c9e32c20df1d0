"""Whether a table is made of its cells and of nothing else: is it what its values alone make?

Cells go through Python's own values and back, by another way than the one that made the release
(`plain`), and the bytes are compared. What the values do not say cannot be in them.
"""

from __future__ import annotations

import hashlib
import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.release.io import files, plain, plain_frames
from tokumei.release.io.frames import Frame

T = pa.types


def through_values(column: Any) -> Any:
    """The column again, from a list of Python's own values a block."""
    if isinstance(column.type, pa.BaseExtensionType):
        return through_values(column.cast(column.type.storage_type))
    if T.is_dictionary(column.type):
        return _encoded(column)
    blocks = []
    for first in range(0, max(len(column), 1), plain.BLOCK_ROWS):
        part = column.slice(first, plain.BLOCK_ROWS)
        if T.is_nested(column.type) or T.is_decimal(column.type):
            # What a list or a record holds under a null differs between makers of it.
            blocks.append(plain.remade_column(part).chunk(0))
        else:
            blocks.append(pa.array(_values(part), column.type))
    return pa.chunked_array(blocks, column.type)


def _values(part: Any) -> list[Any]:
    kind = part.type
    if T.is_temporal(kind) and not T.is_interval(kind):
        part = part.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
    if T.is_integer(part.type) and part.null_count:
        values = part.fill_null(0).to_numpy().tolist()
        for row in np.flatnonzero(part.is_null().to_numpy(zero_copy_only=False)).tolist():
            values[row] = None
        return list(values)
    if T.is_floating(kind):
        values = [
            np.nan if each != each else each
            for each in part.to_numpy(zero_copy_only=False).tolist()
        ]
        for row in np.flatnonzero(part.is_null().to_numpy(zero_copy_only=False)).tolist():
            values[row] = None
        return values
    return list(part.to_numpy(zero_copy_only=False).tolist())


def _encoded(column: Any) -> Any:
    """A dictionary of the values that occur, sorted or in the order that they had."""
    kind = column.type.value_type
    values = column.cast(kind).to_pylist()
    occurring = {value for value in values if value is not None}
    known = [value for part in column.chunks for value in part.dictionary.to_pylist()]
    order = [value for value in dict.fromkeys(known) if value in occurring]
    if not column.type.ordered:
        order = pc.take(pa.array(order, kind), pc.sort_indices(pa.array(order, kind))).to_pylist()
    place = {value: code for code, value in enumerate(order)}
    codes = [place.get(value) for value in values]
    blocks = [
        pa.DictionaryArray.from_arrays(
            pa.array(codes[first : first + plain.BLOCK_ROWS], pa.int32()),
            pa.array(order, kind),
            ordered=column.type.ordered,
        )
        for first in range(0, max(len(values), 1), plain.BLOCK_ROWS)
    ]
    return pa.chunked_array(blocks)


def rebuilt(table: Any) -> Any:
    """The table again, from plain values."""
    return pa.table([through_values(each) for each in table.columns], names=table.column_names)


def is_file_of(path: Path, table: Any, form: str) -> bool:
    """Whether writing the cells of what was read gives the bytes that are there."""
    sink = _Digest()
    files.write(rebuilt(table).cast(table.schema), sink, files.Layout(form))  # type: ignore[arg-type]
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest() == sink.digest.digest()


class _Digest(io.RawIOBase):
    """A file that only remembers the hash of what is written."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.digest.update(data)
        return memoryview(data).nbytes


def holding_more(frame: Frame) -> list[str]:
    """The columns of a dataframe that hold more than their cells."""
    native = frame.to_native()
    if isinstance(native, pa.Table):
        return [
            name
            for name, column in zip(native.column_names, native.columns, strict=True)
            if not _same(column, through_values(column))
        ]
    if frame.implementation.is_pandas():
        return [str(name) for name in native.columns if _pandas_holds_more(native[name])]
    if frame.implementation.is_polars():
        return [name for name in frame.columns if _polars_holds_more(native.get_column(name))]
    return []


def _same(one: Any, other: Any) -> bool:
    a, b = pa.table([one], names=["x"]), pa.table([other], names=["x"])
    return bool(plain.ipc_bytes(a) == plain.ipc_bytes(b))


def _polars_holds_more(series: Any) -> bool:
    polars = sys.modules["polars"]
    if isinstance(series.dtype, polars.Enum):
        occurring = set(series.cast(polars.String).drop_nulls().to_list())
        return bool(set(series.dtype.categories) != occurring)
    if isinstance(series.dtype, polars.Categorical):
        return False
    cells = series.to_arrow(compat_level=polars.CompatLevel.oldest())
    return not _same(cells, through_values(pa.chunked_array([cells])))


def _pandas_holds_more(column: Any) -> bool:
    array = column.array
    if hasattr(column, "cat"):
        return set(column.cat.categories) != set(column.dropna())
    if hasattr(array, "_mask"):
        return bool(array._data[array._mask].astype(bool).any())
    if hasattr(column.dtype, "pyarrow_dtype"):
        cells = pa.chunked_array(pa.array(column))
        return not _same(cells, through_values(cells))
    if column.dtype == np.dtype(object):
        return not all(map(plain_frames.is_plain, column))
    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "f":
        held = column.to_numpy()
        one = np.full(1, np.nan, held.dtype).tobytes()
        return set(map(bytes, held[np.isnan(held)].reshape(-1, 1).view(np.uint8))) - {one} != set()
    return False
