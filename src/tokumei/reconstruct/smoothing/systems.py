"""Symmetric systems of a few hundred unknowns: the same bits everywhere, on one thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import numeric


@dataclass(frozen=True)
class Factor:
    """U with S = U' U, upper triangular; what lies below its diagonal means nothing."""

    upper: Floats
    run: Run

    @property
    def log_determinant(self) -> float:
        """Of S."""
        return 2.0 * float(np.log(np.diagonal(self.upper)).sum())

    def solve(self, right: Floats, *, half: bool = False) -> Floats:
        """x with S x = right for each row of `right`; with U x = right if it is half the way."""
        x = np.ascontiguousarray(right, dtype=np.float64).copy()
        flat = self.upper.reshape(-1)
        numeric.solve_factorised(flat, len(self.upper), x.reshape(-1), not half, self.run)
        return x


def factor(matrix: Floats, run: Run) -> Factor:
    """The Cholesky factor; ValueError where the matrix is not positive definite."""
    upper = np.ascontiguousarray(matrix, dtype=np.float64).copy()
    numeric.factorise(upper.reshape(-1), len(upper), run)
    return Factor(upper, run)


def weighted_square(a: Floats, weights: Floats, run: Run) -> Floats:
    """A' diag(weights) A."""
    out = np.empty((a.shape[1], a.shape[1]))
    flat = np.ascontiguousarray(a).reshape(-1)
    numeric.weighted_square(flat, np.ascontiguousarray(weights), out.reshape(-1), run)
    return out
