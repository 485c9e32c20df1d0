"""The plain truth of every kernel: slow, obvious, believed by reading.

Tests lean on it, benchmarks race against it. It uses Python's exact arithmetic where the library
promises exactness: `math.fsum` is the correctly rounded sum, `Fraction` does not round at all.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np


def canonical(groups):
    """Labels of a list of groups (lists of rows), numbered in the order of their first record."""
    labels = np.empty(sum(map(len, groups)), dtype=np.int64)
    for number, group in enumerate(sorted(groups, key=min)):
        labels[group] = number
    return labels


def squared_distances(X, point):
    """|x_i - point|^2, summed from the first attribute to the last."""
    total = np.zeros(len(X))
    for j in range(X.shape[1]):
        difference = X[:, j] - point[j]
        total += difference * difference
    return total


def farthest(X, rows, point):
    """The row farthest from a point; the lowest of equals."""
    return rows[int(np.argmax(squared_distances(X[rows], point)))]


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
    return [math.fsum(X[rows, j]) / len(rows) for j in range(X.shape[1])]


def mdav(X, k):
    X = np.asarray(X, dtype=np.float64)
    rows, groups = list(range(len(X))), []

    def close(row):
        nonlocal rows
        groups.append(with_nearest(X, rows, row, k))
        rows = without(rows, groups[-1])

    while len(rows) >= 3 * k:
        r = farthest(X, rows, mean(X, rows))
        close(r)
        close(farthest(X, rows, X[r]))
    if len(rows) >= 2 * k:
        close(farthest(X, rows, mean(X, rows)))
    groups.append(rows)
    return canonical(groups)


def exact(X):
    """The table in rational numbers, as a list of columns."""
    return [[Fraction(float(value)) for value in column] for column in np.asarray(X).T]


def exact_sse(X, labels):
    """The sum of squares within groups, without rounding."""
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


def minkowski(a, b, p):
    """The p-distance of two sequences of numbers, in rational numbers up to the powers."""
    gaps = [abs(Fraction(float(x)) - Fraction(float(y))) for x, y in zip(a, b, strict=True)]
    if p == math.inf or max(gaps) == 0:
        return float(max(gaps))
    # Shares of the largest gap, so that their powers neither overflow nor vanish.
    return float(max(gaps)) * math.fsum(float(gap / max(gaps)) ** p for gap in gaps) ** (1 / p)


def discrete(a, b):
    return float(a != b)


def ordinal(order):
    def distance(a, b):
        low, high = sorted((order.index(a), order.index(b)))
        return len([category for category in order[low:high]]) / len(order)  # noqa: C416

    return distance


def tree(parent_of):
    """Edges between two nodes: those of both ways to the root that are not on both."""

    def way(node):
        return {node} | (way(parent_of[node]) if parent_of.get(node) is not None else set())

    return lambda a, b: float(len(way(a) ^ way(b)))


def graph(weights):
    both = {**weights, **{(b, a): w for (a, b), w in weights.items()}}
    return lambda a, b: 0.0 if a == b else float(both[a, b])


def shortest_paths(edges):
    """Lengths of shortest paths by Floyd and Warshall."""
    nodes = sorted({node for pair in edges for node in pair})
    lengths = {(a, b): 0.0 if a == b else math.inf for a in nodes for b in nodes}
    for (a, b), w in edges.items():
        lengths[a, b] = lengths[b, a] = min(w, lengths[a, b])
    for through in nodes:
        for a in nodes:
            for b in nodes:
                around = lengths[a, through] + lengths[through, b]
                lengths[a, b] = min(lengths[a, b], around)
    return lambda a, b: lengths[a, b]


def hamming(a, b):
    return float(sum(x != y for x, y in zip(a, b, strict=True)))


def levenshtein(a, b):
    """The whole table, row by row."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j - 1] + (x != y), above[j] + 1, row[j - 1] + 1))
    return float(row[-1])


def damerau_levenshtein(a, b):
    """The whole table of Lowrance and Wagner, bordered by a row and a column of "too far"."""
    far = len(a) + len(b)
    table = {(-1, -1): far}
    for i in range(len(a) + 1):
        table[i, -1], table[i, 0] = far, i
    for j in range(len(b) + 1):
        table[-1, j], table[0, j] = far, j
    last_row = {}
    for i, x in enumerate(a, 1):
        last_column = 0
        for j, y in enumerate(b, 1):
            k, m = last_row.get(y, 0), last_column
            table[i, j] = min(
                table[i - 1, j - 1] + (x != y),
                table[i, j - 1] + 1,
                table[i - 1, j] + 1,
                table[k - 1, m - 1] + (i - k - 1) + 1 + (j - m - 1),
            )
            if x == y:
                last_column = j
        last_row[x] = i
    return float(table[len(a), len(b)])


def normalized(distance):
    return lambda a, b: distance(a, b) / max(len(a), len(b), 1)


def product(distances, weights):
    """Records of several attributes."""

    def distance(a, b):
        parts = zip(weights, distances, a, b, strict=True)
        return math.sqrt(math.fsum(w * d(x, y) ** 2 for w, d, x, y in parts))

    return distance


def information(values, distance, power=2):
    """The information amount: a sum over all ordered pairs."""
    return math.fsum(distance(a, b) ** power for a in values for b in values)


def ild(original, masked, distance, power=2):
    whole = information(original, distance, power)
    return (whole - information(masked, distance, power)) / whole
