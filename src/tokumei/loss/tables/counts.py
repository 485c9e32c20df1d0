"""Counting combinations of categories without ever laying out the whole table of them.

Every combination of codes is one whole number. Where the possible numbers are few they are counted
in place, else sorted: memory grows with the records, not with the product of the categories.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Labels

# Counting in place pays as long as the table is not much longer than the records.
_DENSE = 4
# Keys stay below it, so that they can be doubled.
_MOST_KEYS = 2**61


def combine(codes: Sequence[Labels], sizes: Sequence[int]) -> tuple[Labels, int]:
    """One key for each combination of codes below their sizes, and one more than the largest."""
    keys, most = codes[0], sizes[0]
    for code, size in zip(codes[1:], sizes[1:], strict=True):
        if most > _MOST_KEYS // size:
            distinct, keys = np.unique(keys, return_inverse=True)
            most = len(distinct)
        keys, most = keys * size + code, most * size
    return keys, most


def weighed(record_weights: ArrayLike | None, rows: int) -> Floats | None:
    """How many records each one stands for, checked; None where each stands for itself."""
    if record_weights is None:
        return None
    return _check.weights(record_weights, rows, "record_weights")


def total(weights: Floats | None, rows: int) -> float:
    """How many records there are, those that each stands for included."""
    return rows if weights is None else float(weights.sum())


def cells(keys: Labels, most: int, weights: Floats | None = None) -> tuple[Labels, Any]:
    """The keys that occur, in ascending order, and how often each does."""
    if weights is not None:
        present, place = np.unique(keys, return_inverse=True)
        return present, np.bincount(place, weights)
    if most <= _DENSE * len(keys):
        counts = np.bincount(keys, minlength=most)
        present = np.flatnonzero(counts)
        return present, counts[present]
    ordered = np.sort(keys)
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return ordered[starts], np.diff(starts, append=len(ordered))


def difference(
    keys: Labels, most: int, first: int, weights: Floats | None = None
) -> tuple[float, int]:
    """How far two tables of counts are apart, and how many cells are in one of them or both.

    The first table counts ``keys[:first]``, the second the rest.
    """
    if weights is not None:
        cell, place = np.unique(keys, return_inverse=True)
        before = np.bincount(place[:first], weights, len(cell))
        after = np.bincount(place[first:], weights, len(cell))
        return math.fsum(np.abs(before - after)), int(np.count_nonzero(before + after))
    if most <= _DENSE * len(keys):
        before = np.bincount(keys[:first], minlength=most)
        after = np.bincount(keys[first:], minlength=most)
        return int(np.abs(before - after).sum()), int(np.count_nonzero(before + after))
    tagged = keys * 2
    tagged[first:] += 1
    tagged.sort()
    cell = tagged >> 1
    starts = np.flatnonzero(np.concatenate(([True], cell[1:] != cell[:-1])))
    surplus = np.add.reduceat(1 - 2 * (tagged & 1), starts)
    return int(np.abs(surplus).sum()), len(starts)
