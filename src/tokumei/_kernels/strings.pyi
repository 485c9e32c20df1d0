from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def sum_of_string_distances(
    distance: int,
    letters: NDArray[np.uint32],
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
    power: float,
    normalized: bool,
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> float: ...
def string_distances(
    distance: int,
    letters: NDArray[np.uint32],
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    normalized: bool,
    out: NDArray[np.float64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
