"""Arrow columns made again from their cells, so that nothing else of them is released.

A column carries more than its cells: what lies under its nulls, the neighbours of a slice, values
of a dictionary that no cell has, the bits of a NaN, notes. Here every part is written anew in the
one way there is: zeros under nulls, one NaN, offsets from zero, no more bytes than cells, blocks of
a fixed number of rows. The bytes of a table then depend on its types and cells alone, and a table
that was made here is made again to the bit; the gate asks for that.
"""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tokumei._check import Labels
from tokumei.release.errors import InputError, as_input_error

BLOCK_ROWS = 1 << 20
FIXED_ZONE = re.compile(r"[+-]\d\d:\d\d", re.ASCII)
T = pa.types


def remade(table: Any) -> Any:
    """The same cells under the same names, in types without notes, in memory of their own."""
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        with as_input_error(f"column {name!r} holds {told(column.type)}, which is not released"):
            columns.append(remade_column(column))
    return pa.table(columns, names=[str(name) for name in table.column_names])


def remade_column(column: Any) -> Any:
    """One column, in blocks of a fixed number of rows."""
    if T.is_dictionary(column.type) and not T.is_nested(column.type.value_type):
        return _dictionary_column(column)
    blocks = [
        _array(_whole(column.slice(first, BLOCK_ROWS)))
        for first in range(0, max(len(column), 1), BLOCK_ROWS)
    ]
    return pa.chunked_array(blocks)


def ipc_bytes(table: Any) -> memoryview:
    """The bytes of a table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return memoryview(sink.getvalue())


def _array(array: Any) -> Any:
    kind, rows = array.type, len(array)
    if isinstance(array, pa.ExtensionArray):
        return _array(array.storage)
    if T.is_dictionary(kind):
        return _array(array.dictionary_decode())
    if T.is_run_end_encoded(kind):
        return _array(pc.run_end_decode(array))
    if T.is_union(kind):
        raise TypeError
    if T.is_null(kind):
        return pa.nulls(rows)
    if T.is_boolean(kind):
        valid = _valid(array)
        cells = array.fill_null(False).to_numpy(zero_copy_only=False)
        return _built(kind, rows, valid, [np.packbits(cells, bitorder="little")])
    if _is_text(kind):
        return _texts(array)
    if T.is_struct(kind):
        parts = [_array(part) for part in array.flatten()]
        fields = [pa.field(kind.field(j).name, part.type) for j, part in enumerate(parts)]
        return _built(pa.struct(fields), rows, _valid(array), [], parts)
    if T.is_list_view(kind) or T.is_large_list_view(kind) or T.is_nested(kind):
        return _lists(array)
    return _fixed_width(array)


def _fixed_width(array: Any) -> Any:
    """Numbers, dates, times and bytes of one length."""
    kind, rows, valid = array.type, len(array), _valid(array)
    _known_zone(kind)
    width = kind.bit_width // 8
    start = array.offset * width
    cells = np.zeros((rows, width), dtype=np.uint8)
    if rows and width and array.buffers()[1] is not None:
        held = np.frombuffer(array.buffers()[1], np.uint8, rows * width, start)
        cells = held.reshape(rows, width).copy()
        if array.null_count:
            cells[~valid] = 0
    if T.is_floating(kind):
        numbers = cells.reshape(-1).view(f"f{width}")
        if rows and np.isnan(numbers.min()):
            numbers[np.isnan(numbers)] = np.nan
    return _built(kind, rows, valid, [cells.reshape(-1)])


def _texts(array: Any) -> Any:
    kind, rows = with_offsets(array.type), len(array)
    if not rows:
        return pa.array([], kind)
    valid = _valid(array)
    filled = array.cast(kind)
    if filled.null_count:
        empty: Any = "" if T.is_string(kind) or T.is_large_string(kind) else b""
        filled = filled.fill_null(empty)
    wide = T.is_large_string(kind) or T.is_large_binary(kind)
    _, offsets, characters = filled.buffers()
    size = 8 if wide else 4
    places = np.frombuffer(offsets, f"i{size}", rows + 1, filled.offset * size)
    held = np.empty(0, np.uint8) if characters is None else np.frombuffer(characters, np.uint8)
    return _built(kind, rows, valid, [places - places[0], held[places[0] : places[-1]].copy()])


def _lists(array: Any) -> Any:
    """Lists of every make and maps, which are lists of keys and of items."""
    kind, rows, valid = array.type, len(array), _valid(array)
    if T.is_fixed_size_list(kind):
        starts = (np.arange(rows) + array.offset) * kind.list_size
        every = np.arange(rows * kind.list_size) + array.offset * kind.list_size
        unset = np.repeat(~valid, kind.list_size)
        part = _array(array.values.take(pa.array(every, mask=unset)))
        made = pa.list_(pa.field("item", part.type), kind.list_size)
        return _built(made, rows, valid, [], [part])
    views = T.is_list_view(kind) or T.is_large_list_view(kind)
    wide = T.is_large_list(kind) or T.is_large_list_view(kind)
    size = 8 if wide else 4
    if not rows:
        starts = lengths = np.zeros(0, dtype=np.int64)
    elif views:
        starts, lengths = np.asarray(array.offsets), np.asarray(array.sizes)
    else:
        places = np.frombuffer(array.buffers()[1], f"i{size}", rows + 1, array.offset * size)
        starts, lengths = places[:-1], np.diff(places)
    lengths = np.where(valid, lengths, 0).astype(np.int64)
    ends = np.cumsum(lengths)
    inner = np.arange(int(lengths.sum())) + np.repeat(starts - (ends - lengths), lengths)
    offsets = np.concatenate([[0], ends]).astype(f"i{size}")
    chosen = pa.array(inner, pa.int64())
    if T.is_map(kind):
        keys, items = _array(array.keys.take(chosen)), _array(array.items.take(chosen))
        entries = _built(
            pa.struct([pa.field("key", keys.type, nullable=False), pa.field("value", items.type)]),
            len(keys),
            np.ones(len(keys), dtype=bool),
            [],
            [keys, items],
        )
        return _built(pa.map_(keys.type, items.type), rows, valid, [offsets], [entries])
    part = _array(array.values.take(chosen))
    made = (pa.large_list if wide else pa.list_)(pa.field("item", part.type))
    return _built(made, rows, valid, [offsets], [part])


def _dictionary_column(column: Any) -> Any:
    """Codes of the values that occur: in their order where it means something, else sorted."""
    ordered = column.type.ordered
    whole = _whole(column.unify_dictionaries() if hasattr(column, "chunks") else column)
    found = _array(whole.dictionary).dictionary_encode()
    # Equal values of the dictionary are one; a value that is missing is none.
    place_of = np.append(_codes(found), -1)
    codes = place_of[_codes(whole)]
    used, places = np.unique(codes[codes >= 0], return_inverse=True)
    values = _array(found.dictionary.take(pa.array(used, pa.int64())))
    if not ordered:
        order = np.asarray(pc.sort_indices(values)).astype(np.int64)
        values = _array(values.take(pa.array(order)))
        places = np.argsort(order)[places]
    held = np.zeros(len(codes), dtype=np.int32)
    held[codes >= 0] = places
    blocks = [
        pa.DictionaryArray.from_arrays(
            _built(
                pa.int32(),
                len(part),
                codes[first : first + BLOCK_ROWS] >= 0,
                [part],
            ),
            values,
            ordered=ordered,
        )
        for first in range(0, max(len(held), 1), BLOCK_ROWS)
        for part in [held[first : first + BLOCK_ROWS].copy()]
    ]
    return pa.chunked_array(blocks)


def _codes(array: Any) -> Labels:
    return np.asarray(array.indices.cast(pa.int64()).fill_null(-1)).astype(np.int64)


def _built(
    kind: Any, rows: int, valid: NDArray[Any], buffers: list[Any], children: list[Any] | None = None
) -> Any:
    missing = int(rows - valid.sum())
    bits = pa.py_buffer(np.packbits(valid, bitorder="little")) if missing else None
    held = [pa.py_buffer(np.ascontiguousarray(buffer)) for buffer in buffers]
    return pa.Array.from_buffers(kind, rows, [bits, *held], missing, children=children)


def _valid(array: Any) -> NDArray[Any]:
    if not array.null_count:
        return np.ones(len(array), dtype=bool)
    valid: NDArray[Any] = array.is_valid().to_numpy(zero_copy_only=False)
    return valid


def _whole(column: Any) -> Any:
    if not hasattr(column, "chunks"):
        return column
    whole = column.combine_chunks()
    if hasattr(whole, "chunks"):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], column.type)
    return whole


def _is_text(kind: Any) -> bool:
    return with_offsets(kind) in (pa.string(), pa.binary(), pa.large_string(), pa.large_binary())


def with_offsets(kind: Any) -> Any:
    """A text's type with offsets; those whose cells are views have it too."""
    if T.is_string_view(kind):
        return pa.large_string()
    return pa.large_binary() if T.is_binary_view(kind) else kind


def _known_zone(kind: Any) -> None:
    """A time zone is a text in the type of a column; one that nobody knows may be any text."""
    zone = getattr(kind, "tz", None)
    if zone is None or zone == "UTC" or FIXED_ZONE.fullmatch(zone):
        return
    try:
        ZoneInfo(zone)
    except (ValueError, OSError):
        msg = "a column of times has a time zone that is not known"
        raise InputError(msg) from None


def told(kind: Any) -> str:
    """What a message says of a type: its name, without parameters, which may hold anything."""
    if isinstance(kind, pa.BaseExtensionType):
        return "an extension type"
    return re.split(r"[\[<(]", str(kind))[0]
