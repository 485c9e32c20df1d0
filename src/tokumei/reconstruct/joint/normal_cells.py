"""How much of a normal law of several attributes lies in each cell of a table.

The last attribute is exact given the others, whose density is summed by Gauss and Legendre's rule
on pieces no longer than half a standard deviation; beyond eight deviations there is nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels

REACH, PIECE, POINTS = 8.0, 0.5, 4
MOST_POINTS = 2**24


def cell_masses(mean: Floats, covariance: Floats, cells: Sequence[Floats], run: Run) -> Floats:
    """Probabilities of the cells; what lies outside is not counted."""
    if len(cells) == 1:
        only = _inside(mean[:1], float(np.sqrt(covariance[0, 0])), cells[0], run)
        return only.reshape(-1)
    deviation = float(np.sqrt(covariance[0, 0]))
    at, weight, cell = _points(cells[0], float(mean[0]), deviation)
    slope = covariance[1:, 0] / covariance[0, 0]
    rest = covariance[1:, 1:] - np.outer(slope, covariance[0, 1:])
    table = np.zeros([len(edges) - 1 for edges in cells])
    if len(cells) == 2:
        means = mean[1] + slope[0] * (at - mean[0])
        rows = _inside(means, float(np.sqrt(max(rest[0, 0], 1e-300))), cells[1], run)
        np.add.at(table, cell, weight[:, None] * rows)
        return table
    for point, share, number in zip(at, weight, cell, strict=True):
        moved = mean[1:] + slope * (point - mean[0])
        table[number] += share * cell_masses(moved, rest, cells[1:], run)
    return table


def _points(edges: Floats, mean: float, deviation: float) -> tuple[Floats, Floats, np.ndarray]:
    """Points, their probabilities and their cells."""
    steps = np.arange(-REACH, REACH + PIECE / 2, PIECE)
    low, high = mean - REACH * deviation, mean + REACH * deviation
    ends = np.concatenate([mean + deviation * steps, edges[(edges > low) & (edges < high)]])
    ends = np.unique(np.clip(ends, edges[0], edges[-1]))
    nodes, shares = np.polynomial.legendre.leggauss(POINTS)
    half = 0.5 * np.diff(ends)
    at = ((ends[:-1] + half)[:, None] + half[:, None] * nodes).reshape(-1)
    height = np.exp(-0.5 * ((at - mean) / deviation) ** 2) / (deviation * np.sqrt(2.0 * np.pi))
    weight = (half[:, None] * shares).reshape(-1) * height
    cell = np.clip(np.searchsorted(edges, at, side="right") - 1, 0, len(edges) - 2)
    return at, weight, cell


def _inside(means: Floats, deviation: float, edges: Floats, run: Run) -> Floats:
    """P(cell) of normal variables of these means (rows)."""
    t = (edges - means[:, None]) / deviation
    density, beyond = np.empty(t.size), np.empty(t.size)
    _kernels.normal_edges(np.ascontiguousarray(np.abs(t)).reshape(-1), density, beyond, run)
    above = beyond.reshape(t.shape)
    # Differences of the smaller tails, so that nothing cancels far out.
    left, right = t[:, :-1], t[:, 1:]
    a, b = above[:, :-1], above[:, 1:]
    return np.asarray(
        np.where(right <= 0.0, b - a, np.where(left >= 0.0, a - b, 1.0 - a - b))
    ).clip(0.0)
