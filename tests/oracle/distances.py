"""How far apart two values are, and what a whole column amounts to."""

from __future__ import annotations

import math
from fractions import Fraction


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
