from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def spread_cells(
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
