"""Records, their means and squared distances, and labels in canonical form."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np

from .mixed import Mixed


def table(X):
    """A table of numbers as float64; one of numbers and codes as it is.

    Where squares would vanish it is brought near one by a power of two, which changes no digit.
    """
    if isinstance(X, Mixed):
        return X
    X = np.asarray(X, dtype=np.float64)
    largest = np.abs(X).max(initial=0.0)
    return np.ldexp(X, -math.frexp(largest)[1]) if 0.0 < largest < 2.0**-300 else X


def canonical(groups):
    """Labels of a list of groups (lists of rows), numbered in the order of their first record."""
    labels = np.empty(sum(map(len, groups)), dtype=np.int64)
    for number, group in enumerate(sorted(groups, key=min)):
        labels[group] = number
    return labels


def squared_distances(X, point):
    """|x_i - point|^2, summed from the first attribute to the last."""
    total = np.zeros(len(X))
    numbers = X.numbers if isinstance(X, Mixed) else X
    for j in range(numbers.shape[1]):
        difference = numbers[:, j] - point[j]
        total += difference * difference
    return X.add_terms(total, point) if isinstance(X, Mixed) else total


def farthest(X, rows, point):
    """The row farthest from a point; the lowest of equals."""
    return rows[int(np.argmax(squared_distances(X[rows], point)))]


def farthest_from_mean(X, rows, of=None):
    """The row farthest from the mean of rows, or of others; exactly, and the lowest of equals.

    In whole numbers: n^2 |x - s/n|^2 for n records of sum s, and for a column of codes n^2 times
    its term, weight (1 + S/n^2 - 2c/n).
    """
    of = rows if of is None else of
    n = len(of)
    distances = dict.fromkeys(rows, Fraction(0))
    for column in (X.numbers if isinstance(X, Mixed) else X).T:
        whole, unit = whole_numbers(column)
        total = sum(whole[row] for row in of)
        for row in rows:
            distances[row] += (n * whole[row] - total) ** 2 * unit**2
    if isinstance(X, Mixed):
        for column, weight in zip(X.codes.T.tolist(), X.weights.tolist(), strict=True):
            counts = Counter(column[row] for row in of if column[row] >= 0)
            squares = sum(count * count for count in counts.values())
            for row in rows:
                share = 2 * counts[column[row]] if column[row] >= 0 else n
                distances[row] += Fraction(weight) * (n * n + squares - share * n)
    return max(sorted(rows), key=distances.__getitem__)


def whole_numbers(column):
    """A column as whole numbers times a common unit."""
    fractions, exponents = np.frexp(column)
    least = int(exponents.min()) - 53
    digits = np.ldexp(fractions, 53).astype(np.int64).tolist()
    shifts = (exponents - 53 - least).tolist()
    return [x << up for x, up in zip(digits, shifts, strict=True)], Fraction(2) ** least


def with_nearest(X, rows, row, k):
    """A row and the k-1 others nearest to it; the lowest of equals first."""
    others = [other for other in rows if other != row]
    distances = squared_distances(X[others], X[row])
    order = np.lexsort((others, distances))[: k - 1]
    return [row, *(others[i] for i in order)]


def without(rows, group):
    gone = set(group)
    return [row for row in rows if row not in gone]


def mean(X, rows):
    if isinstance(X, Mixed):
        return X.mean(rows)
    return [math.fsum(X[rows, j]) / len(rows) for j in range(X.shape[1])]


def exact(X):
    """The table in rational numbers, as a list of columns."""
    return [[Fraction(float(value)) for value in column] for column in np.asarray(X).T]


def standardize(X):
    """Mean 0, standard deviation 1; constant attributes become 0."""
    out = np.zeros(np.shape(X))
    for j, column in enumerate(exact(X)):
        middle = sum(column) / len(column)
        variance = sum((x - middle) ** 2 for x in column) / len(column)
        if variance:
            # isqrt of a wide integer: a square root to far more digits than a double has.
            digits = Fraction(math.isqrt(int(variance * 4**1200)), 2**1200)
            out[:, j] = [float((x - middle) / digits) for x in column]
    return out


def nearest(X, rows, point):
    """The row nearest to a point; the lowest of equals."""
    rows = sorted(rows)
    return rows[int(np.argmin(squared_distances(X[rows], point)))]


def middle(values):
    return sum(values) / len(values)
