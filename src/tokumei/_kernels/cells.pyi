from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def transition_cells(
    axes: NDArray[np.int64],
    coefficients: NDArray[np.float64],
    values: NDArray[np.float64],
    out: NDArray[np.float64],
    forward: bool,
    level: int,
) -> None: ...
def iterative_bayes(
    axes: NDArray[np.int64],
    coefficients: NDArray[np.float64],
    counts: NDArray[np.float64],
    probabilities: NDArray[np.float64],
    most_passes: int,
    tolerance: float,
    smoothing: float,
    accelerated: bool,
    level: int,
    callback: Callable[[float], object] | None,
) -> tuple[float, int, bool]: ...
def weighted_square(
    a: NDArray[np.float64],
    weights: NDArray[np.float64],
    out: NDArray[np.float64],
    level: int,
) -> None: ...
def factorise(s: NDArray[np.float64], n: int, level: int) -> None: ...
def solve_factorised(
    u: NDArray[np.float64], n: int, x: NDArray[np.float64], both: bool, level: int
) -> None: ...
