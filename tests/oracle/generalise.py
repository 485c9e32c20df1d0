"""The baselines of generalisation: greedy k-member and Mondrian."""

from __future__ import annotations

import numpy as np

from .records import canonical, mean, table, without


def unit_ranges(X):
    """Every attribute brought to 0..1; a constant one becomes 0."""
    X = table(X)
    unit = np.zeros(X.shape)
    for j, column in enumerate(X.T):
        if column.min() < column.max():
            unit[:, j] = (column - column.min()) / (column.max() - column.min())
    return unit


def widths_with(U, group, rows):
    """For each of some rows, the sum of the ranges of a group once it holds that row too."""
    total = np.zeros(len(rows))
    for j in range(U.shape[1]):
        highest = np.maximum(U[group, j].max(), U[rows, j])
        lowest = np.minimum(U[group, j].min(), U[rows, j])
        total += highest - lowest
    return total


def absolute_distances(U, point):
    """sum_j |u_ij - point_j|, from the first attribute to the last."""
    total = np.zeros(len(U))
    for j in range(U.shape[1]):
        total += np.abs(U[:, j] - point[j])
    return total


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


def mondrian(X, k, strict=True):
    X = table(X)
    whole = np.ptp(X, axis=0)

    def width(rows, j):
        return np.ptp(X[rows, j]) / whole[j] if whole[j] > 0 else 0.0

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

    return canonical(parts(list(range(len(X)))))
