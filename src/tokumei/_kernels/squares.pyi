from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def sse(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    groups: int,
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> float: ...
def sst(
    x: NDArray[np.float64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> float: ...
def standardize(
    x: NDArray[np.float64],
    out: NDArray[np.float64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
