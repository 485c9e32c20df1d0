"""Columns of arrays, lists, pandas, polars and Arrow, all brought into one form.

Libraries are known by what their objects can do, so none is imported here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Floats, Labels
from tokumei._kernels import pairs as _kernels
from tokumei._kernels import values as _objects
from tokumei.values.cells import as_dates, as_number, is_missing, kind_of

KIND_OF = {"b": "boolean", "i": "numeric", "u": "numeric", "f": "numeric", "M": "date"}
MISSING = -1


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a column: an array that holds them, or codes of categories, or both."""

    kind: str
    array: NDArray[Any] | None = None
    absent: NDArray[np.bool_] | None = None  # which are missing, beside NaN and NaT in the array
    codes: Labels | None = None  # -1 is missing
    categories: tuple[Any, ...] = ()


def cells_of(values: Any, *, blank_is_missing: bool = True) -> Cells:
    """The cells of a column of any make."""
    if isinstance(values, np.ndarray):
        return _of_array(values, blank_is_missing)
    if hasattr(values, "dictionary_encode"):
        return _of_arrow(values, blank_is_missing)
    if hasattr(values, "factorize") and hasattr(values, "isna"):
        return _of_pandas(values, blank_is_missing)
    if hasattr(getattr(values, "dtype", None), "is_numeric"):
        return _of_polars(values, blank_is_missing)
    return _of_objects(listed(values), blank_is_missing)


def listed(values: Any) -> list[Any]:
    """A column as a list of Python's own values."""
    for way in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, way):
            return list(getattr(values, way)())
    return list(values)


def numbers_of_texts(values: Any) -> Floats | None:
    """The numbers that texts of Arrow say, NaN for blanks, where all say finite ones.

    Arrow takes what `cells.number_in` takes, and reads a million of them in the time of ten
    thousand; None is for texts that must be looked at one by one.
    """
    pa = sys.modules.get("pyarrow")
    if pa is None or not isinstance(values, pa.Array | pa.ChunkedArray):
        return None
    if not _is_text(values.type):
        return None
    import pyarrow.compute as pc

    text = pc.utf8_trim_whitespace(values.cast(pa.large_string()))
    blank = pc.equal(text, "")
    with suppress(pa.ArrowInvalid):
        said = pc.if_else(blank, pa.scalar(None, text.type), text).cast(pa.float64())
        numbers = _array(said)
        if int(np.isfinite(numbers).sum()) == len(said) - said.null_count > 0:
            return numbers
    return None


def _is_text(kind: Any) -> bool:
    types = sys.modules["pyarrow"].types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def distinct(array: NDArray[Any]) -> tuple[Labels, Labels]:
    """Equal values of an array by numbers 0.. in the order of their first rows, and those rows."""
    if array.dtype.kind == "f":
        # The two zeros are one value, and have one pattern of bits after this.
        array = (array if array.dtype.itemsize <= 8 else array.astype(np.float64)) + 0.0
    numbers = np.empty(array.size, dtype=np.int64)
    first_rows = np.empty(array.size, dtype=np.int64)
    if not array.size:
        return numbers, first_rows
    rows = np.ascontiguousarray(array).view(np.uint8)
    found = _kernels.distinct_bytes(rows, array.dtype.itemsize, numbers, first_rows)
    return numbers, first_rows[:found]


def _of_array(values: NDArray[Any], blank_is_missing: bool) -> Cells:
    absent = None
    if isinstance(values, np.ma.MaskedArray):
        absent, values = np.ma.getmaskarray(values), values.data
    kind = values.dtype.kind
    if kind in KIND_OF:
        return Cells(KIND_OF[kind], _exact(values), absent)
    if kind in "US":
        codes, rows = distinct(values)
        return _of_codes(_without(codes, absent), values[rows].tolist(), blank_is_missing)
    items = (values.astype("m8[us]") if kind == "m" else values).tolist()
    if absent is not None:
        items = [None if none else item for item, none in zip(items, absent, strict=True)]
    return _of_objects(items, blank_is_missing)


def _exact(values: NDArray[Any]) -> NDArray[Any]:
    """Dates in days or in microseconds, unless that would lose something; others as they are."""
    if values.dtype.kind != "M" or np.datetime_data(values.dtype)[0] == "D":
        return values
    micro = values.astype("datetime64[us]")
    return micro if np.array_equal(micro.astype(values.dtype), values, equal_nan=True) else values


def _of_arrow(values: Any, blank_is_missing: bool) -> Cells:
    pa = sys.modules["pyarrow"]
    kind, types = values.type, pa.types
    if types.is_dictionary(kind):
        if not kind.ordered:
            return _of_arrow(values.cast(kind.value_type), blank_is_missing)
        values = _one_chunk(values.unify_dictionaries() if hasattr(values, "chunks") else values)
        codes = values.indices.fill_null(MISSING) if values.null_count else values.indices
        return _in_order(np.asarray(codes), values.dictionary.to_pylist())
    absent = None
    if types.is_boolean(kind) or types.is_integer(kind):
        if values.null_count:
            absent = _array(values.is_null())
            values = values.fill_null(False if types.is_boolean(kind) else 0)
        return Cells(KIND_OF["b" if types.is_boolean(kind) else "i"], _array(values), absent)
    if types.is_floating(kind) or types.is_date(kind) or types.is_timestamp(kind):
        array = _array(values.cast(pa.date32()) if types.is_date(kind) else values)
        return Cells(KIND_OF[array.dtype.kind], _exact(array))
    try:
        encoded = _one_chunk(
            (values.cast(pa.large_string()) if _is_text(kind) else values).dictionary_encode()
        )
    except NotImplementedError:  # lists and records
        return _of_objects(values.to_pylist(), blank_is_missing)
    codes = _array(encoded.indices.fill_null(MISSING))
    return _of_codes(codes, encoded.dictionary.to_pylist(), blank_is_missing)


def _one_chunk(values: Any) -> Any:
    if not hasattr(values, "chunks"):
        return values
    whole = values if values.num_chunks == 1 else values.combine_chunks()
    return whole.chunk(0) if hasattr(whole, "chunks") else whole


def _array(values: Any) -> NDArray[Any]:
    values = _one_chunk(values)
    array: NDArray[Any] = values.to_numpy(zero_copy_only=False)
    return array


def _of_pandas(values: Any, blank_is_missing: bool) -> Cells:
    dtype = values.dtype
    if hasattr(dtype, "categories") and hasattr(dtype, "ordered"):
        codes = np.asarray(getattr(values, "cat", values).codes)
        known = dtype.categories.tolist()
        return (
            _in_order(codes, known) if dtype.ordered else _of_codes(codes, known, blank_is_missing)
        )
    if isinstance(dtype, np.dtype):
        return _of_array(values.to_numpy(), blank_is_missing)
    plain = getattr(dtype, "numpy_dtype", None)
    if plain is not None and plain.kind in "biuf":
        absent = np.asarray(values.isna())
        hole = plain.type(0)
        return Cells(KIND_OF[plain.kind], values.to_numpy(dtype=plain, na_value=hole), absent)
    if hasattr(dtype, "tz"):
        return _of_array(values.to_numpy(dtype=f"datetime64[{dtype.unit}]"), blank_is_missing)
    if dtype.kind == "M":
        return _of_objects(values.tolist(), blank_is_missing)
    codes, known = values.factorize()
    return _of_codes(codes, list(known), blank_is_missing)


def _of_polars(values: Any, blank_is_missing: bool) -> Cells:
    dtype, name = values.dtype, str(values.dtype)
    if name.startswith("Enum"):
        codes = values.to_physical().cast(int).fill_null(MISSING).to_numpy()
        return _in_order(codes, dtype.categories.to_list())
    if name == "Boolean" or (dtype.is_numeric() and not dtype.is_decimal()):
        absent = None
        if values.null_count():
            absent = values.is_null().to_numpy()
            values = values.fill_null(False if name == "Boolean" else 0)
        array = values.to_numpy()
        return Cells(KIND_OF[array.dtype.kind], array, absent)
    if name.startswith("Date"):
        return _of_array(values.to_numpy(), blank_is_missing)
    return _of_objects(values.to_list(), blank_is_missing)


def _of_objects(items: list[Any], blank_is_missing: bool) -> Cells:
    types = set(map(type, items)) - {type(None)}
    if types in ({int}, {float}):
        absent = np.array([item is None for item in items]) if None in items else None
        present = items if absent is None else [0 if item is None else item for item in items]
        with suppress(OverflowError):
            array = np.array(present, np.int64 if types == {int} else np.float64)
            return Cells("numeric", array, absent)
    codes = np.empty(len(items), dtype=np.int64)
    if np.ma.core.MaskedConstant in types:  # which has no hash
        items = [None if item is np.ma.masked else item for item in items]
    try:
        known = _objects.number_objects(items, codes)
    except TypeError:
        return Cells("nominal")
    return _of_codes(codes, known, blank_is_missing)


def _without(codes: Labels, absent: NDArray[np.bool_] | None) -> Labels:
    return codes if absent is None else np.where(absent, MISSING, codes)


def _in_order(codes: NDArray[Any], known: Sequence[Any]) -> Cells:
    return Cells("ordered", codes=codes.astype(np.int64), categories=tuple(known))


def _of_codes(codes: NDArray[Any], known: Sequence[Any], blank_is_missing: bool) -> Cells:
    """Categories that occur, in the order of their first rows; those that are missing have none."""
    codes = codes.astype(np.int64, copy=False)
    rows = np.full(len(known) + 1, len(codes))
    rows[codes[::-1]] = np.arange(len(codes))[::-1]
    order = np.argsort(rows[:-1], kind="stable")[: int((rows[:-1] < len(codes)).sum())]
    kept = [
        code
        for code in order.tolist()
        if not is_missing(known[code]) or (not blank_is_missing and isinstance(known[code], str))
    ]
    place = np.full(len(known) + 1, MISSING)
    place[kept] = np.arange(len(kept))
    codes, categories = place[codes], tuple(known[code] for code in kept)
    kind = kind_of(categories)
    array = None
    if kind == "date":  # in UTC, so that one moment is one value
        return Cells(kind, np.append(as_dates(categories), np.datetime64("NaT"))[codes])
    if kind != "nominal":
        array = np.array([*map(as_number, categories), np.nan])[codes]
    return Cells(kind, array, codes=codes, categories=categories)
