"""Symmetric systems of a few hundred unknowns: the same bits everywhere, on one thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import numeric as _kernels


@dataclass(frozen=True)
class Factor:
    """U with S = U' U, upper triangular; what lies below its diagonal means nothing."""

    upper: Floats
    run: Run

    def solve(self, right: Floats, *, half: bool = False) -> Floats:
        """x with S x = right for each row of `right`; with U x = right if it is half the way."""
        x = np.ascontiguousarray(right, dtype=np.float64).copy()
        n = len(self.upper)
        _kernels.solve_factorised(self.upper.reshape(-1), n, x.reshape(-1), not half, self.run)
        return x
