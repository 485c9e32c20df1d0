"""Iterative Bayes and the cells of Laplace noise, written out."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np


def whole_noise_in(first: float, last: float, rate: float) -> float:
    """P(first <= noise <= last) of the two-sided geometric law, term by term to where it ends."""
    end = math.ceil(800 / rate)
    scale = math.tanh(rate / 2)
    low, high = max(first, -end), min(last, end)
    return math.fsum(scale * math.exp(-rate * abs(j)) for j in range(int(low), int(high) + 1))


def noise_below(x: float, scale: float) -> float:
    """P(Laplace noise < x)."""
    return 0.5 * math.exp(x / scale) if x < 0 else 1.0 - 0.5 * math.exp(-x / scale)


def whole_matrix(edges: np.ndarray, rate: float) -> np.ndarray:
    """P(released cell | cell) of whole numbers: two open end cells, a cell's numbers alike."""
    numbers = [range(math.ceil(a), math.ceil(b)) for a, b in pairwise(edges)]
    outputs = [
        (-math.inf, numbers[0][0] - 1),
        *((cell[0], cell[-1]) for cell in numbers),
        (numbers[-1][-1] + 1, math.inf),
    ]
    return np.array(
        [
            [
                math.fsum(whole_noise_in(a - x, b - x, rate) for x in cell) / len(cell)
                for cell in numbers
            ]
            for a, b in outputs
        ]
    )


def point_matrix(edges: np.ndarray, points: np.ndarray, scale: float) -> np.ndarray:
    """P(released cell | point) of continuous Laplace noise, two open end cells."""
    below = np.array([[noise_below(edge - x, scale) for x in points] for edge in edges])
    ends = np.zeros((1, len(points))), np.ones((1, len(points)))
    return np.diff(np.concatenate([ends[0], below, ends[1]]), axis=0)


def bayes_pass(matrix: np.ndarray, counts: np.ndarray, p: np.ndarray) -> np.ndarray:
    """One pass of EM."""
    return p * (matrix.T @ (counts / (matrix @ p))) / counts.sum()


def smoothed(p: np.ndarray, share: float) -> np.ndarray:
    """Each cell mixed with its neighbours; the ends are their own."""
    below, above = np.append(p[0], p[:-1]), np.append(p[1:], p[-1])
    return (1.0 - share) * p + share / 2 * (below + above)


def cell_loglik(matrix: np.ndarray, counts: np.ndarray, p: np.ndarray) -> float:
    """The log-likelihood of counts of released cells."""
    expected = matrix @ p
    return math.fsum(n * math.log(e) for n, e in zip(counts, expected, strict=True) if n > 0)
