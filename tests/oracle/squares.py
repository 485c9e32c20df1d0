"""Sums of squares in rational numbers, and group means."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .mixed import Mixed, corners
from .records import exact


def exact_sse(X, labels):
    """The sum of squares within groups, without rounding."""
    if isinstance(X, Mixed):
        parts = [(X.numbers, 1), *((points, Fraction(weight)) for points, weight in corners(X))]
        return sum(weight * exact_sse(points, labels) for points, weight in parts)
    total = Fraction(0)
    for column in exact(X):
        for group in set(map(int, labels)):
            values = [x for x, label in zip(column, labels, strict=True) if label == group]
            middle = sum(values) / len(values)
            total += sum((x - middle) ** 2 for x in values)
    return total


def exact_sst(X):
    return exact_sse(X, np.zeros(len(X), dtype=np.int64))


def aggregate(X, labels):
    """Every record replaced by the mean of its group, rounded once."""
    out = np.empty(np.shape(X))
    for j, column in enumerate(exact(X)):
        for group in set(map(int, labels)):
            rows = np.flatnonzero(np.asarray(labels) == group)
            out[rows, j] = float(sum(column[row] for row in rows) / len(rows))
    return out
