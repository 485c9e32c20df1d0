"""Checks of what noise is asked to do: bounds, budgets, values within the bounds."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei._check.kinds import Floats
from tokumei._check.scalars import number, whole
from tokumei._check.tables import column


def bounds(lower: float, upper: float, *, integer: bool = False) -> tuple[float, float]:
    """Two finite numbers, the first below the second; whole ones where they are of integers."""
    lower, upper = number(lower, "lower"), number(upper, "upper")
    if not lower < upper:
        msg = f"lower must be below upper, got {lower:g} and {upper:g}"
        raise ValueError(msg)
    if integer and not (lower.is_integer() and upper.is_integer()):
        msg = f"the bounds of whole numbers must be whole, got {lower:g} and {upper:g}"
        raise ValueError(msg)
    return lower, upper


def above_zero(value: float, name: str) -> float:
    """A finite number above zero."""
    value = number(value, name)
    if value <= 0:
        msg = f"{name} must be above 0, got {value:g}"
        raise ValueError(msg)
    return value


def population(n: int, k: int) -> tuple[int, int]:
    """A number of records n and a bound k with 2 <= k < n."""
    n, k = whole(n, "n"), whole(k, "k")
    if not 2 <= k < n:
        msg = f"k must be at least 2 and below the number of records ({n}), got {k}"
        raise ValueError(msg)
    return n, k


def within(
    values: ArrayLike,
    lower: float,
    upper: float,
    *,
    integer: bool,
    clip: bool,
    name: str = "x",
) -> Floats:
    """One finite attribute within bounds; where it is not, clipped if that is asked for."""
    x = column(values, name)
    outside = int(((x < lower) | (x > upper)).sum())
    if outside and not clip:
        msg = (
            f"{name} has {outside} of {len(x)} values outside the bounds {lower:g} to {upper:g}; "
            "clip=True moves them to the nearest bound"
        )
        raise ValueError(msg)
    if outside:
        x = np.clip(x, lower, upper)
    broken = int((x != np.rint(x)).sum()) if integer else 0
    if broken:
        msg = f"{name} must hold whole numbers; {broken} of {len(x)} values are not"
        raise ValueError(msg)
    return x


def edges(values: ArrayLike, name: str = "cells") -> Floats:
    """The edges of at least one cell: finite, each above the one before."""
    array = column(values, name)
    if len(array) < 2:
        msg = f"{name} must hold at least the two edges of one cell, got {len(array)}"
        raise ValueError(msg)
    wrong = int((np.diff(array) <= 0).sum())
    if wrong:
        msg = f"{name} must be edges that increase; {wrong} of {len(array) - 1} steps do not"
        raise ValueError(msg)
    return array


def transitions(matrix: ArrayLike, name: str = "matrix") -> Floats:
    """Probabilities of outputs (rows) given inputs (columns): each column sums to 1."""
    array = np.asarray(matrix, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] < 2 or not array.shape[0]:
        msg = f"{name} must be a matrix of outputs by at least two inputs, got {array.shape}"
        raise ValueError(msg)
    if not ((array >= 0.0).all() and (np.abs(array.sum(axis=0) - 1.0) <= 1e-9).all()):
        msg = f"the columns of {name} must be probabilities that are not negative and sum to 1"
        raise ValueError(msg)
    return array
