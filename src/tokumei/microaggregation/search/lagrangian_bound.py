"""The Lagrangian bound, for any table: dual values from the distances to nearest records."""

from __future__ import annotations

import contextlib

import numpy as np

from tokumei import _check
from tokumei._kernels import bounds

# Sweeps by the number of records: more would gain little, or take long.
SWEEPS = ((5_000, 100), (50_000, 30))
SWEEPS_OF_LARGE = 10


def lagrangian_duals(x: _check.Floats, k: int, run: _check.Run) -> _check.Floats:
    """Feasible dual values: no group of at least k costs less than its records are worth."""
    n, d = x.shape
    duals = np.zeros(n)
    if k == 1:
        return duals
    sweeps = next((sweeps for rows, sweeps in SWEEPS if n <= rows), SWEEPS_OF_LARGE)
    # A search that is stopped leaves the dual values of its best sweep.
    with contextlib.suppress(StopIteration):
        bounds.lagrangian_bound(x, k, sweeps, duals, run)
    # The rounding of squared distances, which the kernel leaves out.
    duals *= 1 - 2 * (d + 4) * np.finfo(np.float64).eps
    return duals
