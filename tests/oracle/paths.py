"""The path paper's graph as it is written: edge costs (6) and (8), and Dijkstra's shortest path."""

from __future__ import annotations

import heapq
from fractions import Fraction

from .records import exact


def edge_costs(X, k):
    """The cost of every edge (i, j), i + k <= j < i + 2k: the squares about the mean of i+1..j."""
    columns, n, costs = exact(X), len(X), {}
    for i in range(n):
        for j in range(i + k, min(i + 2 * k, n + 1)):
            cost = Fraction(0)
            for column in columns:
                mean = sum(column[i:j]) / (j - i)
                cost += sum((x - mean) ** 2 for x in column[i:j])
            costs[i, j] = cost
    return costs


def edge_costs_in_turn(X, k):
    """The same by equations (6) and (8): each from an edge with one end in common."""
    columns, n = exact(X), len(X)
    costs = {}
    for column in columns:
        part, mean = {}, {}
        for i in range(n):
            for j in range(i + 1, min(i + 2 * k, n + 1)):
                x = column[j - 1]
                if (i - 1, j) in part:  # (8)
                    gone, size = column[i - 1], j - i
                    mean[i, j] = (mean[i - 1, j] * (size + 1) - gone) / size
                    part[i, j] = (
                        part[i - 1, j]
                        - gone**2
                        + (size + 1) * mean[i - 1, j] ** 2
                        - size * mean[i, j] ** 2
                    )
                elif j == i + 1:
                    mean[i, j], part[i, j] = x, Fraction(0)
                else:  # (6)
                    size = j - i
                    mean[i, j] = (mean[i, j - 1] * (size - 1) + x) / size
                    part[i, j] = (
                        part[i, j - 1]
                        + (size - 1) * mean[i, j - 1] ** 2
                        + x**2
                        - size * mean[i, j] ** 2
                    )
                if j >= i + k:
                    costs[i, j] = costs.get((i, j), Fraction(0)) + part[i, j]
    return costs


def dijkstra(costs, n):
    """The length of the shortest path from node 0 to node n."""
    after = {}
    for (i, j), cost in costs.items():
        after.setdefault(i, []).append((j, cost))
    settled, waiting = set(), [(Fraction(0), 0)]
    while waiting:
        length, i = heapq.heappop(waiting)
        if i == n:
            return length
        if i in settled:
            continue
        settled.add(i)
        for j, cost in after.get(i, []):
            heapq.heappush(waiting, (length + cost, j))
    return None
