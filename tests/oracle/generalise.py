"""The baselines of generalisation: greedy k-member and Mondrian.

Of records of numbers and codes, k-member sees a corner for each category: as wide as there are
categories among records that do not all agree. Mondrian sees ranks by frequency, and how many
different ones there are.
"""

from __future__ import annotations

import numpy as np

from .mixed import Mixed
from .records import canonical, mean, table, without


def unit_ranges(X):
    """Every attribute brought to 0..1; a constant one becomes 0."""
    if isinstance(X, Mixed):
        return Mixed(unit_ranges(X.numbers), X.codes, X.weights)
    X = table(X)
    unit = np.zeros(X.shape)
    for j, column in enumerate(X.T):
        if column.min() < column.max():
            unit[:, j] = (column - column.min()) / (column.max() - column.min())
    return unit


def widths_with(U, group, rows):
    """For each of some rows, the sum of the ranges of a group once it holds that row too."""
    if isinstance(U, Mixed):
        total = widths_with(U.numbers, group, rows)
        for column in U.codes.T:
            total += [float(width_of_codes({*column[group], column[row]})) for row in rows]
        return total
    total = np.zeros(len(rows))
    for j in range(U.shape[1]):
        highest = np.maximum(U[group, j].max(), U[rows, j])
        lowest = np.minimum(U[group, j].min(), U[rows, j])
        total += highest - lowest
    return total


def width_of_codes(held):
    """The number of categories if there are different cells; a missing one (-1) is no category."""
    return len(held - {-1}) if len(held) > 1 else 0


def absolute_distances(U, point):
    """sum_j |u_ij - point_j|, from the first attribute to the last."""
    if isinstance(U, Mixed):
        total = absolute_distances(U.numbers, point.numbers)
        for column, counts in zip(U.codes.T, point.counts, strict=True):
            total += [apart(code, counts, point.n) for code in column.tolist()]
        return total
    total = np.zeros(len(U))
    for j in range(U.shape[1]):
        total += np.abs(U[:, j] - point[j])
    return total


def apart(code, counts, n):
    """The absolute differences of a category's corner from the mean of n such."""
    present = sum(count for known, count in counts.items() if known >= 0)
    if code < 0:
        return present / n
    return (n + present - 2 * counts.get(code, 0)) / n


def kmember(X, k):
    U = unit_ranges(X)
    rows, groups = list(range(len(U))), []
    before = mean(U, rows)
    while len(rows) >= k:
        seed = rows[int(np.argmax(absolute_distances(U[rows], before)))]
        group, before = [seed], U[seed]
        rows = without(rows, group)
        while len(group) < k:
            group.append(rows[int(np.argmin(widths_with(U, group, rows)))])
            rows = without(rows, group)
        groups.append(group)
    for row in rows:
        raised = [
            (len(group) + 1) * widths_with(U, group, [row])[0]
            - len(group) * widths_with(U, group, group[:1])[0]
            for group in groups
        ]
        home = min(range(len(groups)), key=lambda g: (raised[g], min(groups[g])))
        groups[home].append(row)
    return canonical(groups)


def ranks(codes):
    """1 for the most frequent code, of equals the lower one first; 0 for a missing one."""
    known = sorted(set(codes[codes >= 0].tolist()), key=lambda code: (-(codes == code).sum(), code))
    place = {code: rank for rank, code in enumerate(known, 1)}
    return np.array([float(place.get(code, 0)) for code in codes.tolist()])


def mondrian(X, k, strict=True):
    numbers = len(X.numbers.T) if isinstance(X, Mixed) else np.shape(X)[1]
    if isinstance(X, Mixed):
        X = np.column_stack([X.numbers, *(ranks(column) for column in X.codes.T)])
    X = table(X)

    def extent(rows, j):
        return np.ptp(X[rows, j]) if j < numbers else len(set(X[rows, j])) - 1.0

    everyone = list(range(len(X)))
    whole = [extent(everyone, j) for j in range(X.shape[1])]

    def width(rows, j):
        return extent(rows, j) / whole[j] if whole[j] > 0 else 0.0

    def first_half(rows, j):
        in_order = sorted(rows, key=lambda row: (X[row, j], row))
        if not strict:
            return in_order[: (len(rows) + 1) // 2]
        median = X[in_order[(len(rows) - 1) // 2], j]
        halves = [
            [row for row in rows if X[row, j] <= median],
            [row for row in rows if X[row, j] < median],
        ]
        return min(halves, key=lambda half: abs(2 * len(half) - len(rows)))

    def parts(rows):
        for j in sorted(range(X.shape[1]), key=lambda j: -width(rows, j)):
            down = first_half(rows, j)
            up = without(rows, down)
            if min(len(down), len(up)) >= k:
                return [*parts(down), *parts(up)]
        return [rows]

    return canonical(parts(everyone))
