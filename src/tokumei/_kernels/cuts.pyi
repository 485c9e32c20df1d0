from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def cut(
    x: NDArray[np.float64],
    row_after_row: bool,
    order: NDArray[np.int64],
    k: int,
    labels: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def univariate(
    x: NDArray[np.float64],
    k: int,
    labels: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def mil(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    groups: int,
    k: int,
    improved: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> tuple[int, int]: ...
