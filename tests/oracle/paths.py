"""The path paper's graph as it is written: edge costs (6) and (8), and Dijkstra's shortest path.

A graph is a list: of each node i its edges (j, cost) to j > i. Numbers are rational, or whatever
`number` makes of them: with ``number=float`` the same steps take the time the paper speaks of.
"""

from __future__ import annotations

import heapq
import math
from fractions import Fraction

import numpy as np


def columns_of(X, number):
    return [[number(value) for value in column] for column in np.asarray(X, float).T.tolist()]


def edge_costs(X, k, number=Fraction):
    """The cost of every edge (i, j), i + k <= j < i + 2k: the squares about the mean of i+1..j."""
    columns, n, edges = columns_of(X, number), len(X), []
    for i in range(n + 1):
        row = []
        for j in range(i + k, min(i + 2 * k, n + 1)):
            cost = number(0)
            for column in columns:
                mean = sum(column[i:j]) / (j - i)
                cost += sum((x - mean) ** 2 for x in column[i:j])
            row.append((j, cost))
        edges.append(row)
    return edges


def edge_costs_in_turn(X, k, number=Fraction):
    """The same by equations (6) and (8): each from an edge with one end in common."""
    columns, n, edges = columns_of(X, number), len(X), []
    before = [{} for _ in columns]  # of each column: mean and cost of the edges (i - 1, j)
    for i in range(n + 1):
        row = {}
        for place, column in enumerate(columns):
            here = {}
            for j in range(i + 1, min(i + 2 * k, n + 1)):
                size = j - i
                if j in before[place]:
                    here[j] = without_first(*before[place][j], column[i - 1], size)
                elif size == 1:
                    here[j] = column[j - 1], number(0)
                else:
                    here[j] = with_last(*here[j - 1], column[j - 1], size)
                if size >= k:
                    row[j] = row.get(j, number(0)) + here[j][1]
            before[place] = here
        edges.append(list(row.items()))
    return edges


def with_last(mean, cost, x, size):
    """Equation (6): the mean and the cost of `size` records, from those without the last one."""
    grown = (mean * (size - 1) + x) / size
    return grown, cost + (size - 1) * mean**2 + x**2 - size * grown**2


def without_first(mean, cost, x, size):
    """Equation (8): the mean and the cost of `size` records, from those and one before them."""
    shrunk = (mean * (size + 1) - x) / size
    return shrunk, cost - x**2 + (size + 1) * mean**2 - size * shrunk**2


def in_order(edges):
    """The length of the shortest path, taking the nodes as they are numbered: O(edges)."""
    shortest = [0] + [math.inf] * (len(edges) - 1)
    for i, row in enumerate(edges):
        for j, cost in row:
            shortest[j] = min(shortest[j], shortest[i] + cost)
    return shortest[-1]


def dijkstra(edges):
    """The same by always settling the nearest node: O(edges log n)."""
    shortest = [0] + [math.inf] * (len(edges) - 1)
    waiting = [(0, 0)]
    while waiting:
        length, i = heapq.heappop(waiting)
        if i == len(edges) - 1:
            return length
        if length > shortest[i]:
            continue
        for j, cost in edges[i]:
            if length + cost < shortest[j]:
                shortest[j] = length + cost
                heapq.heappush(waiting, (shortest[j], j))
    return math.inf
