"""One column of any kind, as numbers or as codes: where every measure starts.

A column is anything with one value a record: a list, an array, a column of pandas, polars or Arrow.
Libraries are recognised by what their objects can do, so none is imported. What cannot be measured
is refused here, with counts, never with a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import LARGEST, Floats, Labels

# Beyond it float64 no longer tells neighbouring whole numbers apart.
_LAST_WHOLE = 2**53


def column(values: Any, name: str) -> Any:
    """One column of at least one value."""
    sequence = hasattr(values, "__len__") and not isinstance(values, str | bytes | Mapping | set)
    if not sequence or hasattr(values, "columns") or getattr(values, "ndim", 1) != 1:
        msg = f"{name} must be one column: a sequence with one value a record"
        raise TypeError(msg)
    if len(values) == 0:
        msg = f"{name} is empty: it has no records"
        raise ValueError(msg)
    return values


def pair(original: Any, masked: Any) -> tuple[Any, Any]:
    """Two columns in which the same place stands for the same record."""
    original, masked = column(original, "original"), column(masked, "masked")
    if len(original) != len(masked):
        msg = f"original and masked must be of one length, got {len(original)} and {len(masked)}"
        raise ValueError(msg)
    return original, masked


def holds_numbers(values: Any) -> bool:
    """Whether a column is one of numbers; truth values and categoricals are not."""
    if hasattr(values, "type") and hasattr(values, "null_count"):
        return str(values.type).startswith(("int", "uint", "float", "half", "double", "decimal"))
    dtype: Any = getattr(values, "dtype", None)
    if hasattr(dtype, "is_numeric"):
        return bool(dtype.is_numeric())
    kind = getattr(dtype, "kind", "O")
    if kind != "O" or hasattr(dtype, "categories"):
        return kind in "iuf"
    any_there = False
    for value in values:
        if value is not None:
            if not is_number(value):
                return False
            any_there = True
    return any_there


def is_number(value: Any) -> bool:
    """Whether a value is a number that can be measured; truth values are not."""
    return isinstance(value, Number) and not isinstance(value, bool | complex)


def numbers(values: Any, name: str) -> Floats:
    """A column of finite numbers as float64, of a size whose squares are finite too."""
    _refuse_masked(values, name)
    if not holds_numbers(values):
        msg = f"{name} must be numeric"
        raise TypeError(msg)
    try:
        if hasattr(values, "isna"):
            values = values.to_numpy(dtype=np.float64, na_value=np.nan)
        array = np.asarray(values, dtype=np.float64)
    except OverflowError:
        array = np.array([np.finfo(np.float64).max])
    if not np.abs(array).max() <= LARGEST:
        refuse_missing(int(np.isnan(array).sum()), name)
        infinite = int(np.isinf(array).sum())
        what = f"{infinite} infinite values" if infinite else "values too large to be squared"
        msg = f"{name} has {what}"
        raise ValueError(msg)
    return array


def coded(values: Any, name: str) -> tuple[Labels, list[Any]]:
    """The values of a column as codes 0.., in no particular order, and the value of each code."""
    _refuse_masked(values, name)
    plain = _plain(values)
    if plain is not None:
        distinct, codes = np.unique(plain, return_inverse=True)
        known = distinct.tolist()
        lost = [len(known) - 1] if is_missing(known[-1]) else []
    else:
        try:
            codes, known = _hashed(values)
        except TypeError:
            msg = f"{name} holds values that cannot be told apart (they have no hash)"
            raise TypeError(msg) from None
        lost = [-1, *(code for code, value in enumerate(known) if is_missing(value))]
    refuse_missing(int(np.isin(codes, lost).sum()) if lost else 0, name)
    return codes.astype(np.int64, copy=False), known


def shared(columns: Sequence[Any], names: Sequence[str]) -> tuple[list[Labels], list[Any]]:
    """The values of several columns in one system of codes, and the value of each code."""
    plain = _together([_plain(values) for values in columns])
    if plain is not None:
        distinct, codes = np.unique(plain, return_inverse=True)
        if not is_missing(distinct[-1]):
            borders = np.cumsum([len(values) for values in columns])[:-1]
            return np.split(codes.astype(np.int64, copy=False), borders), distinct.tolist()
    code_of: dict[Any, int] = {}
    parts = []
    for values, name in zip(columns, names, strict=True):
        codes, known = coded(values, name)
        places = [code_of.setdefault(value, len(code_of)) for value in known]
        parts.append(np.array(places, dtype=np.int64)[codes])
    return parts, list(code_of)


def listed(values: Any) -> list[Any]:
    """A column as a list of Python's own values."""
    for way in ("tolist", "to_list", "to_pylist"):
        if hasattr(values, way):
            return list(getattr(values, way)())
    return list(values)


def refuse_missing(count: int, name: str) -> None:
    """Complain of missing values, where there are some."""
    if count:
        msg = f"{name} has {count} missing values; fill or drop them first"
        raise ValueError(msg)


def _plain(values: Any) -> NDArray[Any] | None:
    """A column as an array of truth values or numbers, where it is one already."""
    dtype = getattr(values, "dtype", None)
    return np.asarray(values) if isinstance(dtype, np.dtype) and dtype.kind in "biuf" else None


def _together(arrays: Sequence[NDArray[Any] | None]) -> NDArray[Any] | None:
    """Plain columns one after the other, where that loses no digit."""
    plain = [array for array in arrays if array is not None]
    if len(plain) < len(arrays):
        return None
    joined = np.concatenate(plain)
    if joined.dtype.kind == "f":
        whole = [array for array in plain if array.dtype.kind in "iu"]
        if any(max(int(array.max()), -int(array.min())) > _LAST_WHOLE for array in whole):
            return None
    return joined


def _hashed(values: Any) -> tuple[NDArray[Any], list[Any]]:
    """Codes by the hash of each value; missing values are coded or -1."""
    if hasattr(values, "dictionary_encode"):  # Arrow
        if hasattr(values, "combine_chunks"):
            values = values.combine_chunks()
        if hasattr(values, "dictionary_decode"):
            values = values.dictionary_decode()  # a dictionary may name what does not occur
        encoded = values.dictionary_encode()
        return np.asarray(encoded.indices.fill_null(-1)), encoded.dictionary.to_pylist()
    if hasattr(values, "factorize"):  # pandas
        codes, known = values.factorize()
        return codes, list(known)
    values = listed(values)
    known = list(dict.fromkeys(values))
    code_of = {value: code for code, value in enumerate(known)}
    return np.fromiter(map(code_of.__getitem__, values), np.int64, len(values)), known


def is_missing(value: Any) -> bool:
    """Whether a value says that there is none."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return bool(isinstance(value, float | np.floating | np.datetime64) and value != value)


def _refuse_masked(values: Any, name: str) -> None:
    if isinstance(values, np.ma.MaskedArray):
        refuse_missing(int(np.ma.getmaskarray(values).sum()), name)
