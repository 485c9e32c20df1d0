from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def npn_order(
    x: NDArray[np.float64],
    order: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
