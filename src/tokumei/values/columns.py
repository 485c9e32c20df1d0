"""Columns without missing cells, as numbers or as codes: where every measure starts.

A column is anything with one value a record: a list, an array, a column of pandas, polars or Arrow.
What cannot be measured is refused here, with counts, never with a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tokumei._check import LARGEST, Floats, Labels, tables
from tokumei.values.column import Column


def column(values: Any, name: str) -> Column:
    """One column of at least one value; one that was read already is not read again."""
    if isinstance(values, Column):
        return values
    sequence = hasattr(values, "__len__") and not isinstance(values, str | bytes | Mapping | set)
    if not sequence or hasattr(values, "columns") or getattr(values, "ndim", 1) != 1:
        msg = f"{name} must be one column: a sequence with one value a record"
        raise TypeError(msg)
    if len(values) == 0:
        msg = f"{name} is empty: it has no records"
        raise ValueError(msg)
    return Column(values)


def pair(original: Any, masked: Any) -> tuple[Column, Column]:
    """Two columns in which the same place stands for the same record."""
    original, masked = column(original, "original"), column(masked, "masked")
    if len(original) != len(masked):
        msg = f"original and masked must be of one length, got {len(original)} and {len(masked)}"
        raise ValueError(msg)
    return original, masked


def numbers(values: Any, name: str) -> Floats:
    """A column of finite numbers as float64, of a size whose squares are finite too."""
    read = column(values, name)
    if read.kind not in ("numeric", "boolean"):
        msg = f"{name} must be numeric"
        raise TypeError(msg)
    array = read.numbers
    if not tables.fits(array, LARGEST):
        refuse_missing(read, name)
        infinite = int(np.isinf(array).sum())
        what = f"{infinite} infinite values" if infinite else "values too large to be squared"
        msg = f"{name} has {what}"
        raise ValueError(msg)
    return array


def coded(values: Any, name: str) -> tuple[Labels, list[Any]]:
    """The values of a column as codes 0.., and the value of each code; all of them occur."""
    read = column(values, name)
    try:
        codes, known = read.codes, read.categories
    except TypeError:
        msg = f"{name} holds values that cannot be told apart (they have no hash)"
        raise TypeError(msg) from None
    refuse_missing(read, name)
    if read.kind == "ordered":
        used, codes = np.unique(codes, return_inverse=True)
        known = tuple(known[code] for code in used)
    return codes, list(known)


def shared(columns: Sequence[Any], names: Sequence[str]) -> tuple[list[Labels], list[Any]]:
    """The values of several columns in one system of codes, and the value of each code."""
    code_of: dict[Any, int] = {}
    parts = []
    for values, name in zip(columns, names, strict=True):
        codes, known = coded(values, name)
        places = [code_of.setdefault(value, len(code_of)) for value in known]
        parts.append(np.array(places, dtype=np.int64)[codes])
    return parts, list(code_of)


def of_rows(values: Any, rows: int, name: str) -> tuple[Labels, int]:
    """The codes of a column with a value for each row, and how many values differ."""
    read = column(values, name)
    if len(read) != rows:
        msg = f"{name} must hold one value for each of the {rows} rows, got {len(read)}"
        raise ValueError(msg)
    codes, known = coded(read, name)
    return codes, len(known)


def ranked(
    known: Sequence[Any], counts: Labels, order: Sequence[Any] | None, name: str
) -> tuple[list[Any], Labels]:
    """All categories of an order, or else the known ones sorted; and the place of each known one.

    There are so many records of each known one.
    """
    if order is None:
        try:
            every = sorted(known)
        except TypeError:
            msg = f"{name} holds kinds of values that cannot be sorted together; give their order"
            raise TypeError(msg) from None
    elif isinstance(order, str | bytes) or not hasattr(order, "__len__"):
        msg = f"order must be a sequence of categories, got {type(order).__name__}"
        raise TypeError(msg)
    else:
        every = list(order)
    place = {value: at for at, value in enumerate(every)}
    if len(place) < len(every):
        msg = f"order names {len(every) - len(place)} categories more than once"
        raise ValueError(msg)
    places = np.array([place.get(value, -1) for value in known], dtype=np.int64)
    unknown = int(counts[places < 0].sum())
    if unknown:
        msg = f"{name} has {unknown} values that are not in the order given"
        raise ValueError(msg)
    return every, places


def refuse_missing(values: Column, name: str) -> None:
    """Complain of missing values, where there are some."""
    count = int(values.missing.sum())
    if count:
        row = int(np.argmax(values.missing))
        msg = f"{name} has {count} missing values (first in row {row}); fill or drop them first"
        raise ValueError(msg)


def refuse_not_finite(values: Column, name: str) -> None:
    """Complain of numbers that are none, or infinite, where there are some."""
    if values.kind != "numeric":
        return
    missing, infinite = int(values.missing.sum()), int(np.isinf(values.numbers).sum())
    if missing or infinite:
        msg = f"{name} has {missing} missing values (NaN) and {infinite} infinite ones"
        raise ValueError(msg)
