from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def merge_neighbours(
    counts: NDArray[np.int64],
    least: int,
    merged: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
