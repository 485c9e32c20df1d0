"""Best cuts of an order, the univariate optimum, and MIL."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from .records import canonical, exact, middle


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


def deviations_from_median(values):
    """The sum of absolute deviations from the median, in rational numbers."""
    values = sorted(Fraction(float(x)) for x in values)
    return sum(abs(x - values[len(values) // 2]) for x in values)


def least_absolute(x, k):
    """The least sum of absolute deviations from medians of any partition of one attribute."""
    (column,), scale = on_whole_numbers(np.sort(np.asarray(x, dtype=np.float64))[:, None])
    n, sums = len(column), list(itertools.accumulate(column, initial=0))
    longest = 2 * k - 1 if n >= 2 * k else n
    least = {0: 0}
    for end in range(k, n + 1):
        paths = []
        for start in range(max(0, end - longest), end - k + 1):
            half = (end - start) // 2
            lower, upper = sums[start + half] - sums[start], sums[end] - sums[end - half]
            if start in least:
                paths.append(least[start] + upper - lower)
        if paths:
            least[end] = min(paths)
    return Fraction(least[n], scale)


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
