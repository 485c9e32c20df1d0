"""The plain truth of every kernel: slow, obvious, believed by reading.

Tests lean on it, benchmarks race against it. It uses Python's exact arithmetic where the library
promises exactness: `math.fsum` is the correctly rounded sum, `Fraction` does not round at all.
"""

from __future__ import annotations

import itertools
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


def representative(values, labels, how, order=None):
    """One value a group for a column of any kind, written out plainly."""
    order = sorted(set(values)) if order is None else list(order)
    out = []
    for label in labels:
        group = sorted(
            (value for value, other in zip(values, labels, strict=True) if other == label),
            key=order.index,
        )
        if how == "mode":
            out.append(max(order, key=lambda v, g=group: (g.count(v), -order.index(v))))
        elif how == "median":
            out.append(group[(len(group) - 1) // 2])
        elif how == "interval":
            ends = f"[{group[0]}..{group[-1]}]" if group[0] != group[-1] else str(group[0])
            out.append(ends)
        else:
            names = [str(v) for v in order if v in group]
            out.append(names[0] if len(names) == 1 else "{" + ", ".join(names) + "}")
    return out


def medians(X, labels):
    """Every record replaced by the medians of its group."""
    out = np.empty(np.shape(X))
    for group in set(map(int, labels)):
        rows = np.flatnonzero(np.asarray(labels) == group)
        out[rows] = np.median(np.asarray(X)[rows], axis=0)
    return out


def weighted_means(X, labels, weights):
    """Every record replaced by the weighted mean of its group, rounded once."""
    out = np.empty(np.shape(X))
    for j, column in enumerate(exact(X)):
        for group in set(map(int, labels)):
            rows = np.flatnonzero(np.asarray(labels) == group)
            w = [Fraction(float(weights[row])) for row in rows]
            total = sum(v * column[row] for v, row in zip(w, rows, strict=True))
            out[rows, j] = float(total / sum(w))
    return out


def on_whole_numbers(X):
    """The columns of a table as integers on a common scale, and that scale."""
    columns = exact(X)
    scale = max(x.denominator for column in columns for x in column)
    return [[int(x * scale) for x in column] for column in columns], scale


def least_cut(X, order, k):
    """The least sum of squares of any cut of an order into groups of at least k, exactly."""
    columns, scale = on_whole_numbers(np.asarray(X)[order])
    n = len(order)
    sums = [list(itertools.accumulate(column, initial=0)) for column in columns]
    squares = list(
        itertools.accumulate(
            (sum(x * x for x in record) for record in zip(*columns, strict=True)), initial=0
        )
    )

    def cost(start, end):
        length = end - start
        whole = (squares[end] - squares[start]) * length - sum(
            (s[end] - s[start]) ** 2 for s in sums
        )
        return Fraction(whole, length)

    # A group of 2k records or more costs no less than its halves: only one that is all may be long.
    longest = 2 * k - 1 if n >= 2 * k else n
    least = {0: Fraction(0)}
    for end in range(k, n + 1):
        starts = (start for start in range(max(0, end - longest), end - k + 1) if start in least)
        paths = [least[start] + cost(start, end) for start in starts]
        if paths:
            least[end] = min(paths)
    return least[n] / scale**2


def least_univariate(x, k):
    """The least sum of squares of any partition of one attribute: the best cut of its order."""
    x = np.asarray(x, dtype=np.float64)
    return least_cut(x[:, None], np.argsort(x, kind="stable"), k)


def partitions(rows, k):
    """Every partition of some rows into groups of at least k, as lists of groups."""
    if not rows:
        yield []
        return
    first, *others = rows
    for size in range(k - 1, len(others) + 1):
        for company in itertools.combinations(others, size):
            left = [row for row in others if row not in company]
            for groups in partitions(left, k):
                yield [[first, *company], *groups]


def mil(x, labels, k):
    """MIL step by step in rational numbers: labels, number of tests, number of moves."""
    order = sorted(range(len(x)), key=lambda row: (x[row], row))
    value = [Fraction(float(x[row])) for row in order]
    by_group = {}
    for row, label in enumerate(labels):
        by_group.setdefault(int(label), []).append(Fraction(float(x[row])))
    ranked = sorted(by_group, key=lambda label: (middle(by_group[label]), label))
    places = iter(range(len(x)))
    groups = [[next(places) for _ in by_group[label]] for label in ranked]
    tests = moves = 0

    def gains(x, leaving, joined):
        nonlocal tests
        tests += 1
        n, m = len(leaving) - 1, len(joined)
        lost = Fraction(n + 1, n) * (x - middle([value[place] for place in leaving])) ** 2
        added = Fraction(m, m + 1) * (x - middle([value[place] for place in joined])) ** 2
        return added - lost < 0

    moved = True
    while moved:
        moved = False
        for lower, upper in itertools.pairwise(groups):
            while len(lower) > k and gains(value[lower[-1]], lower, upper):
                upper.insert(0, lower.pop())
                moves, moved = moves + 1, True
            while len(upper) > k and gains(value[upper[0]], upper, lower):
                lower.append(upper.pop(0))
                moves, moved = moves + 1, True
    return canonical([[order[place] for place in group] for group in groups]), tests, moves


def middle(values):
    return sum(values) / len(values)
