import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def cut(
    x: NDArray[np.float64],
    row_after_row: bool,
    order: NDArray[np.int64],
    k: int,
    labels: NDArray[np.int64],
    run: Run,
) -> None: ...
def cut_records(
    x: object,
    order: NDArray[np.int64],
    k: int,
    labels: NDArray[np.int64],
    run: Run,
) -> None: ...
def univariate(
    x: NDArray[np.float64],
    k: int,
    labels: NDArray[np.int64],
    run: Run,
) -> None: ...
