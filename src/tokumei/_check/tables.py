"""Checks of whole tables and of single attributes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei._check.collecting import collected
from tokumei._check.kinds import LARGEST, SMALLEST, Floats


def table(values: ArrayLike, name: str = "X", *, largest: float | None = LARGEST) -> Floats:
    """A finite table: float64, column-major, at least one row and one column."""
    return column_major(table_in_place(values, name, largest=largest))


def table_in_place(
    values: ArrayLike, name: str = "X", *, largest: float | None = LARGEST
) -> Floats:
    """The same, row by row or column by column as it comes: not copied if it is float64."""
    array = numbers(values, name)
    if array.ndim != 2:
        hint = "; one attribute is a table of one column, X[:, None]" if array.ndim == 1 else ""
        msg = f"{name} must have two dimensions (rows and columns), got {array.ndim}{hint}"
        raise ValueError(msg)
    if 0 in array.shape:
        msg = f"{name} is empty: {array.shape[0]} rows, {array.shape[1]} columns"
        raise ValueError(msg)
    finite(array, name, largest)
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return np.asarray(array, dtype=np.float64)
    return column_major(array)


def scaled_table(values: ArrayLike, name: str = "X", *, largest: float | None = LARGEST) -> Floats:
    """A table for what does not depend on its scale: one near zero is brought near one."""
    return in_scale(table(values, name, largest=largest))


def in_scale(array: Floats) -> Floats:
    """The table times a power of two, exactly, where squares of its values would vanish."""
    exponent = exponent_of(array)
    return np.ldexp(array, -exponent) if exponent else array


def exponent_of(array: Floats) -> int:
    """The power of two that a table near zero is divided by; 0 for any other."""
    largest = max(float(array.max()), -float(array.min())) if array.size else 0.0
    return math.frexp(largest)[1] if 0.0 < largest < SMALLEST else 0


def column_major(array: NDArray[Any]) -> Floats:
    """A table of float64, column after column; copied only if it is not."""
    if array.flags.f_contiguous or array.size < 2**16:
        return np.asfortranarray(array, dtype=np.float64)
    # A few thousand rows at a time stay in the cache while they are turned: ten times faster.
    table = np.empty(array.shape, order="F")
    for begin in range(0, len(array), 4096):
        table[begin : begin + 4096] = array[begin : begin + 4096]
    return table


def column(values: ArrayLike, name: str = "x", *, largest: float | None = None) -> Floats:
    """One finite attribute: float64, without gaps; a table of one column will do."""
    array = numbers(values, name)
    one_attribute(array, name)
    array = array.reshape(-1) if array.ndim == 2 else array
    if not array.size:
        msg = f"{name} is empty"
        raise ValueError(msg)
    column = np.ascontiguousarray(array, dtype=np.float64)
    finite(column[:, None], name, largest)
    return column


def one_attribute(array: NDArray[Any], name: str) -> None:
    """So many values, or a table of one column."""
    if array.ndim != 1 and (array.ndim != 2 or array.shape[1] != 1):
        msg = f"{name} must be one attribute, of shape (n,) or (n, 1), got shape {array.shape}"
        raise ValueError(msg)


def numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        masked = int(np.ma.getmaskarray(values).sum())
        msg = f"{name} has {masked} masked values; fill or drop them first"
        raise ValueError(msg)
    values, _ = collected(values, name)
    of_columns = isinstance(values, Mapping)
    try:
        array = np.column_stack([*values.values()]) if of_columns and values else np.asarray(values)  # type: ignore[union-attr]
    except ValueError:
        msg = f"{name} must be a table: its {'columns' if of_columns else 'rows'} differ in length"
        raise ValueError(msg) from None
    if array.dtype.kind in "biuf":
        return array
    kinds = set(map(type, array.ravel().tolist())) if array.dtype.kind == "O" else {str}
    if not any(issubclass(kind, str | bytes) for kind in kinds):
        try:
            return array.astype(np.float64)
        except (TypeError, ValueError):
            pass
    msg = f"{name} must be numeric, got values of kind {array.dtype.name}"
    raise TypeError(msg)


def fits(values: NDArray[Any], limit: float) -> bool:
    """Whether all values are finite and not beyond a limit."""
    # Two quick passes: NaN and infinity survive in a maximum or minimum.
    flat = values.ravel(order="K")
    return -limit <= float(flat.min()) and float(flat.max()) <= limit


def finite(table: NDArray[Any], name: str, largest: float | None) -> None:
    limit = float(np.finfo(np.float64).max if largest is None else largest)
    if fits(table, limit):
        return
    wrong = np.flatnonzero(~(np.abs(table.astype(np.float64)) <= limit).all(axis=0))
    column = table[:, wrong[0]]
    missing, infinite = int(np.isnan(column).sum()), int(np.isinf(column).sum())
    if missing:
        what = f"{missing} missing values (NaN)"
    elif infinite:
        what = f"{infinite} infinite values"
    else:
        what = f"values beyond {limit:g}, too large to be squared; standardize them first"
    more = f" ({wrong.size} columns are affected)" if wrong.size > 1 else ""
    msg = f"{name}: column {wrong[0]} has {what}{more}"
    raise ValueError(msg)
