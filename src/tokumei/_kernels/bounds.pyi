import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def lagrangian_bound(
    x: NDArray[np.float64],
    k: int,
    sweeps: int,
    shares: NDArray[np.float64],
    run: Run,
) -> None: ...
def half_nearest_sums(
    x: NDArray[np.float64],
    sums: NDArray[np.float64],
    run: Run,
) -> None: ...
def solve_pricing(
    x: NDArray[np.float64],
    sums: NDArray[np.float64],
    duals: NDArray[np.float64],
    k: int,
    steps: int,
    kept: int,
    groups: NDArray[np.int64],
    correction: NDArray[np.float64],
    run: Run,
) -> int: ...
