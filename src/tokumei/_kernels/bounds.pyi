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
def solve_pricing(
    x: NDArray[np.float64],
    duals: NDArray[np.float64],
    subsets: NDArray[np.int64],
    prices: NDArray[np.float64],
    k: int,
    steps: int,
    kept: int,
    groups: NDArray[np.int64],
    correction: NDArray[np.float64],
    run: Run,
) -> int: ...
def price_ascent(
    groups: NDArray[np.int64],
    costs: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    sweeps: int,
    tolerance: float,
    prices: NDArray[np.float64],
    shares: NDArray[np.float64],
    run: Run,
) -> None: ...
def settle_prices(
    groups: NDArray[np.int64],
    costs: NDArray[np.float64],
    prices: NDArray[np.float64],
) -> None: ...
