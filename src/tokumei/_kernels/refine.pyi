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
    trials: float,
    warm: float,
    cool: float,
    seed: int,
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
