"""Lower bounds: every group, every partition, the linear program over all groups."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np

from .squares import exact_sst


def groups_between(rows, least, most):
    """All groups of so many records."""
    return [
        group
        for size in range(least, min(most, rows) + 1)
        for group in combinations(range(rows), size)
    ]


def group_costs(X, k):
    """The sum of squares of every group of k to 2k-1 records, without rounding."""
    X = np.asarray(X)
    return {group: exact_sst(X[list(group)]) for group in groups_between(len(X), k, 2 * k - 1)}


def negative_columns(costs, duals):
    """By how much the reduced cost of each group is below 0, of those where it is."""
    exact = [Fraction(float(dual)) for dual in duals]
    gains = {group: sum(exact[i] for i in group) - cost for group, cost in costs.items()}
    return {group: gain for group, gain in gains.items() if gain > 0}


def with_tolls(costs, sets):
    """Costs of groups, and for each odd set of which they hold most its price; pairs of both."""
    return {
        group: cost
        + sum(
            Fraction(float(price)) for rows, price in sets if 2 * len(rows & set(group)) > len(rows)
        )
        for group, cost in costs.items()
    }


def least_sse(costs, rows):
    """The lowest sum of squares of all partitions, by trying them; None if there is none."""
    ending = {}
    for group, cost in costs.items():
        ending.setdefault(group[0], []).append((frozenset(group), cost))

    @cache
    def least(left):
        if not left:
            return Fraction(0)
        found = [
            cost + rest
            for group, cost in ending.get(min(left), ())
            if group <= left and (rest := least(left - group)) is not None
        ]
        return min(found, default=None)

    return least(frozenset(range(rows)))


def relaxed_sse(costs, rows):
    """The lowest sum of squares where groups may be chosen in part."""
    from scipy.optimize import linprog

    held = np.array([[row in group for group in costs] for row in range(rows)], dtype=float)
    cost = np.array([float(cost) for cost in costs.values()])
    unit = cost.max() or 1.0
    return unit * linprog(cost / unit, A_eq=held, b_eq=np.ones(rows), method="highs").fun
