"""Symmetric systems of a few hundred unknowns: the same bits everywhere, on one thread."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from tokumei import machine
from tokumei._check import Floats
from tokumei._kernels import cells as _cells


@dataclass(frozen=True)
class Factor:
    """U with S = U' U, upper triangular; what lies below its diagonal means nothing."""

    upper: Floats

    @property
    def log_determinant(self) -> float:
        """Of S."""
        return 2.0 * float(np.log(np.diagonal(self.upper)).sum())

    def solve(self, right: Floats, *, half: bool = False) -> Floats:
        """x with S x = right for each row of `right`; with U x = right if it is half the way."""
        x = np.ascontiguousarray(right, dtype=np.float64).copy()
        n = len(self.upper)
        level = machine.level(os.environ)
        _cells.solve_factorised(self.upper.reshape(-1), n, x.reshape(-1), not half, level)
        return x


def factor(matrix: Floats) -> Factor:
    """The Cholesky factor; ValueError where the matrix is not positive definite."""
    upper = np.ascontiguousarray(matrix, dtype=np.float64).copy()
    _cells.factorise(upper.reshape(-1), len(upper), machine.level(os.environ))
    return Factor(upper)


def weighted_square(a: Floats, weights: Floats) -> Floats:
    """A' diag(weights) A."""
    out = np.empty((a.shape[1], a.shape[1]))
    _cells.weighted_square(
        np.ascontiguousarray(a).reshape(-1),
        np.ascontiguousarray(weights),
        out.reshape(-1),
        machine.level(os.environ),
    )
    return out
