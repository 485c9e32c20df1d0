"""Small symmetric matrices, very many at once: one for each record and component.

Indices of the matrix come first, those of the records last, so each step is one operation on long
arrays: a factor of d x d matrices costs d^3/3 of them, whatever the number of records.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats


def factors(covariances: Floats, extra: Floats) -> Floats:
    """Cholesky factors of covariances[k] + diag(extra[:, i]): shape (d, d, K, n).

    covariances: (K, d, d); extra: (d, n), positive.
    """
    count, width, _ = covariances.shape
    out = np.zeros((width, width, count, extra.shape[1]))
    for j in range(width):
        for i in range(j, width):
            total = np.repeat(covariances[:, i, j, None], extra.shape[1], axis=1)
            if i == j:
                total = total + extra[j]
            for m in range(j):
                total -= out[i, m] * out[j, m]
            out[i, j] = np.sqrt(total) if i == j else total / out[j, j]
    return out


def solved(factor: Floats, right: Floats) -> Floats:
    """L^-1 right, for right of shape (d, K, n)."""
    out = np.empty_like(right)
    for i in range(len(right)):
        total = right[i].copy()
        for m in range(i):
            total -= factor[i, m] * out[m]
        out[i] = total / factor[i, i]
    return out


def solved_back(factor: Floats, right: Floats) -> Floats:
    """L'^-1 right, for right of shape (d, K, n)."""
    out = np.empty_like(right)
    for i in reversed(range(len(right))):
        total = right[i].copy()
        for m in range(i + 1, len(right)):
            total -= factor[m, i] * out[m]
        out[i] = total / factor[i, i]
    return out


def log_densities(factor: Floats, white: Floats) -> Floats:
    """Log normal densities from whitened deviations, (K, n)."""
    width = len(white)
    logs = np.sum([np.log(factor[i, i]) for i in range(width)], axis=0)
    squares = np.einsum("ikn,ikn->kn", white, white)
    out: Floats = -0.5 * squares - logs - 0.5 * width * np.log(2.0 * np.pi)
    return out


def shares(log_joint: Floats) -> tuple[Floats, Floats]:
    """Columns of e^log_joint scaled to sum 1, and the logs of the sums."""
    top = log_joint.max(axis=0)
    parts = np.exp(log_joint - top)
    total = parts.sum(axis=0)
    return parts / total, top + np.log(total)
