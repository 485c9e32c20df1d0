"""Keyed hashes of whole records: the same wherever a record stands, unknown without the key."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tokumei._check import Labels
from tokumei._kernels import numeric as _kernels

T = pa.types
WORDS = 1 << 64


def derived(key: bytes, purpose: str) -> bytes:
    """A key of 256 bits for one purpose, from that of the run: the same for each retry."""
    return hashlib.blake2b(purpose.encode(), key=key, person=b"tokumei", digest_size=32).digest()


def of_records(table: Any, key: bytes) -> NDArray[np.uint64]:
    """The hash of each record of an Arrow table, by the values of its cells alone."""
    hashes = np.zeros(len(table), dtype=np.int64)
    for place, column in enumerate(table.columns):
        fold(column, derived(key, f"column {place}"), hashes)
    return hashes.view(np.uint64)


def fold(column: Any, key: bytes, hashes: Labels) -> None:
    """Fold a column of Arrow into the hashes of its records; what is missing is one value."""
    one, other, absent = (int.from_bytes(key[at : at + 8], "little") for at in (0, 8, 16))
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    kind = whole.type
    if T.is_floating(kind) or T.is_integer(kind) or T.is_temporal(kind) or T.is_boolean(kind):
        _kernels.fold_words(_words(whole), one, other, hashes)
    else:
        _fold_texts(whole, one, other, hashes)
    if whole.null_count:
        rows = np.flatnonzero(np.asarray(whole.is_null()))
        of_missing = hashes[rows]
        _kernels.fold_words(np.ones(len(rows), dtype=np.int64), absent, one, of_missing)
        hashes[rows] = of_missing


def _words(array: Any) -> Labels:
    """Cells as words of 64 bits, equal where the cells are; of numbers -0 is 0."""
    kind = array.type
    if T.is_boolean(kind):
        array = array.cast(pa.int8())
    elif T.is_temporal(kind):
        array = array.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
    if array.null_count:
        array = array.fill_null(0)
    values = array.to_numpy(zero_copy_only=False)
    if values.dtype.kind == "f":
        return np.asarray(values.astype(np.float64, copy=False) + 0.0).view(np.int64)
    return np.ascontiguousarray(values, dtype=np.int64)


def _fold_texts(array: Any, one: int, other: int, hashes: Labels) -> None:
    kind = array.type
    if not (T.is_large_string(kind) or T.is_large_binary(kind)):
        array = array.cast(pa.large_binary() if T.is_binary(kind) else pa.large_string())
    if array.null_count:
        array = pc.fill_null(array, b"" if T.is_large_binary(array.type) else "")
    if not len(array):
        return
    _, places, letters = array.buffers()
    offsets = np.frombuffer(places, np.int64, len(array) + 1, array.offset * 8)
    held = np.empty(0, np.uint8) if letters is None else np.frombuffer(letters, np.uint8)
    _kernels.fold_texts(offsets, held, one, other, hashes)
