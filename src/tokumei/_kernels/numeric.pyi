import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def exact_total(
    x: NDArray[np.float64],
) -> float: ...
def solve_factorised(
    u: NDArray[np.float64],
    n: int,
    x: NDArray[np.float64],
    both: bool,
    run: Run,
) -> None: ...
