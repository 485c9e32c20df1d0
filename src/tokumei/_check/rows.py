"""Checks of arrays with one entry for each row or column: labels, weights, codes, orders."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei._check.kinds import Floats, Labels
from tokumei._check.tables import numbers


def labels(values: ArrayLike, rows: int, name: str = "labels") -> tuple[Labels, int]:
    """Group labels, one a row, as numbers 0.. without wide gaps; and one more than the largest."""
    array = _one_a_row(values, rows, name, "iu", f"one label for each of the {rows} rows")
    if int(array.min()) < 0:
        msg = f"{name} must not be negative, got {int((array < 0).sum())} negative labels"
        raise ValueError(msg)
    if int(array.max()) >= rows:
        array = np.unique(array, return_inverse=True)[1]
    return np.ascontiguousarray(array, dtype=np.int64), int(array.max()) + 1


def groups_of(labels: Labels, k: int) -> None:
    """Groups that all have at least k records."""
    sizes = np.bincount(labels)
    small = int(((sizes > 0) & (sizes < k)).sum())
    if small:
        msg = f"labels must form groups of at least k = {k} records; {small} groups are smaller"
        raise ValueError(msg)


def weights(values: ArrayLike, count: int, name: str) -> Floats:
    """Weights of records or attributes: finite, not negative, not all zero."""
    array = numbers(values, name)
    if array.shape != (count,):
        msg = f"{name} must hold {count} numbers, got shape {array.shape}"
        raise ValueError(msg)
    weights = np.ascontiguousarray(array, dtype=np.float64)
    wrong = int((~np.isfinite(weights) | (weights < 0)).sum())
    if wrong:
        msg = f"{name} must be finite and not negative; {wrong} of {count} are not"
        raise ValueError(msg)
    if not weights.any():
        msg = f"{name} must not all be zero"
        raise ValueError(msg)
    return weights


def positive(values: ArrayLike, count: int, name: str) -> Floats:
    """So many positive, finite numbers."""
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        msg = f"{name} must be numbers, got values of kind {array.dtype.name}"
        raise TypeError(msg)
    if array.shape != (count,):
        msg = f"{name} must be {count} numbers, got shape {array.shape}"
        raise ValueError(msg)
    wrong = int((~(np.isfinite(array) & (array > 0))).sum())
    if wrong:
        msg = f"{name} must be positive and finite, {wrong} of {count} are not"
        raise ValueError(msg)
    return array.astype(np.float64)


def probabilities(values: ArrayLike, name: str) -> Floats:
    """Numbers from 0 to 1 that sum to 1, within 1e-9."""
    array = numbers(values, name).astype(np.float64)
    if not ((array >= 0.0).all() and abs(float(array.sum()) - 1.0) <= 1e-9):
        msg = f"{name} must hold probabilities that are not negative and sum to 1"
        raise ValueError(msg)
    return array


def flags(values: ArrayLike, rows: int, name: str) -> NDArray[np.bool_]:
    """One truth value for each row."""
    return _one_a_row(values, rows, name, "b", f"one value for each of the {rows} rows")


def per_axis(values: int | ArrayLike, columns: int, most: int, name: str) -> Labels:
    """One whole number from 1 to `most` for each column, or one for all of them."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        msg = f"{name} must be a whole number or one for each column, got {array.dtype.name}"
        raise TypeError(msg)
    if array.shape not in ((), (columns,)):
        msg = f"{name} must hold one number for each of the {columns} columns, got {array.shape}"
        raise ValueError(msg)
    wrong = int(((array < 1) | (array > most)).sum())
    if wrong:
        msg = f"{name} must be between 1 and {most}, got {wrong} other numbers"
        raise ValueError(msg)
    return np.ascontiguousarray(np.broadcast_to(array, columns), dtype=np.int64)


def permutation(values: ArrayLike, rows: int, name: str = "order") -> Labels:
    """Every row 0 to rows - 1 once, in some order."""
    array = _one_a_row(values, rows, name, "iu", f"each of the {rows} rows once")
    if array.min() < 0 or array.max() >= rows:
        outside = int(((array < 0) | (array >= rows)).sum())
        msg = f"{name} must hold rows from 0 to {rows - 1}, got {outside} others"
        raise ValueError(msg)
    found = np.zeros(rows, dtype=bool)
    found[array] = True
    absent = rows - int(found.sum())
    if absent:
        msg = f"{name} must hold each of the {rows} rows once, got {absent} of them not at all"
        raise ValueError(msg)
    return np.ascontiguousarray(array, dtype=np.int64)


def _one_a_row(values: ArrayLike, rows: int, name: str, kinds: str, wanted: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind not in kinds:
        called = "truth values" if kinds == "b" else "whole numbers"
        msg = f"{name} must be {called}, got values of kind {array.dtype.name}"
        raise TypeError(msg)
    if array.shape != (rows,):
        msg = f"{name} must hold {wanted}, got shape {array.shape}"
        raise ValueError(msg)
    return array
