"""Sums over pairs as an expert user writes them: a double loop, compiled, on one thread.

The record of the outer loop is compared with all after it, attribute by attribute, in rows of
memory. Floating point is left as it is written (no fastmath).
"""

from __future__ import annotations

import math

import numpy as np

from bench.peers.numba_loops import compiled
from bench.problems import Floats


@compiled
def manhattan(rows: Floats) -> float:
    total = 0.0
    for i in range(rows.shape[0]):
        part = 0.0
        for j in range(i + 1, rows.shape[0]):
            distance = 0.0
            for a in range(rows.shape[1]):
                distance += abs(rows[i, a] - rows[j, a])
            part += distance * distance
        total += part
    return 2.0 * total


@compiled
def chebyshev(rows: Floats) -> float:
    total = 0.0
    for i in range(rows.shape[0]):
        part = 0.0
        for j in range(i + 1, rows.shape[0]):
            distance = 0.0
            for a in range(rows.shape[1]):
                distance = max(distance, abs(rows[i, a] - rows[j, a]))
            part += distance * distance
        total += part
    return 2.0 * total


@compiled
def cubes(rows: Floats) -> float:
    total = 0.0
    for i in range(rows.shape[0]):
        part = 0.0
        for j in range(i + 1, rows.shape[0]):
            distance = 0.0
            for a in range(rows.shape[1]):
                gap = abs(rows[i, a] - rows[j, a])
                distance += gap * gap * gap
            part += np.cbrt(distance) ** 2
        total += part
    return 2.0 * total


@compiled
def any_power(rows: Floats, p: float) -> float:
    total = 0.0
    for i in range(rows.shape[0]):
        part = 0.0
        for j in range(i + 1, rows.shape[0]):
            distance = 0.0
            for a in range(rows.shape[1]):
                distance += math.pow(abs(rows[i, a] - rows[j, a]), p)
            part += math.pow(distance, 2.0 / p)
        total += part
    return 2.0 * total


@compiled
def squares(columns: Floats) -> float:
    """Squared deviations from the means; attributes lie one after the other."""
    total = 0.0
    for a in range(columns.shape[0]):
        mean = columns[a].sum() / columns.shape[1]
        for i in range(columns.shape[1]):
            total += (columns[a, i] - mean) ** 2
    return total
