"""Records of numbers and codes: one term an attribute, numbers first, codes from whole counts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Point:
    """A record, or the mean of some: of each column of codes how many records hold each code."""

    numbers: list[float]
    counts: list[dict[int, int]]
    n: int

    def __getitem__(self, j):
        return self.numbers[j]


@dataclass(frozen=True, eq=False)
class Mixed:
    """Numbers (n, p), codes (n, m) of which those below zero are missing, and a weight a column."""

    numbers: np.ndarray
    codes: np.ndarray
    weights: np.ndarray

    @property
    def shape(self):
        return self.numbers.shape

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, rows):
        if np.ndim(rows) == 0:
            return self.mean([rows])
        return Mixed(self.numbers[rows], self.codes[rows], self.weights)

    def mean(self, rows):
        numbers = [math.fsum(column[rows]) / len(rows) for column in self.numbers.T]
        counts = []
        for column in self.codes.T:
            found: dict[int, int] = {}
            for code in column[rows].tolist():
                found[code] = found.get(code, 0) + 1
            counts.append(found)
        return Point(numbers, counts, len(rows))

    def add_terms(self, total, point):
        for column, weight, counts in zip(self.codes.T, self.weights, point.counts, strict=True):
            terms = {
                code: term(code, counts, point.n, float(weight)) for code in set(column.tolist())
            }
            total += [terms[code] for code in column.tolist()]
        return total


def term(code, counts, n, weight):
    """What a column of codes brings to the squared distance of a record and a mean."""
    if n == 1:
        [other] = counts
        return 0.0 if code == other else 2 * weight if min(code, other) >= 0 else weight
    squares = sum(count * count for known, count in counts.items() if known >= 0)
    share = 2 * counts.get(code, 0) / n if code >= 0 else 1.0
    return weight * ((1 + squares / (n * n)) - share)


def corners(X):
    """The columns of codes as points, a coordinate for each category, and each column's weight.

    Squared distances of the points are to be taken times the weight.
    """
    for column, weight in zip(X.codes.T, X.weights, strict=True):
        used = np.unique(column[column >= 0])
        yield (column[:, None] == used).astype(np.float64), float(weight)
