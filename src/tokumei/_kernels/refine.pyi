from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def block_mdav(
    x: NDArray[np.float64],
    k: int,
    block: int,
    labels: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def refine(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    groups: int,
    k: int,
    most: int,
    absolute: bool,
    trials: float,
    warm: float,
    cool: float,
    seed: int,
    weights: NDArray[np.float64],
    sensitive: NDArray[np.int64],
    sensitive_values: int,
    sensitive_distinct: int,
    sensitive_apart: float,
    sensitive_ordered: bool,
    households: NDArray[np.int64],
    household_distinct: int,
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
