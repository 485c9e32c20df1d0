import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run
from tokumei.recode.search import FullDomainOptions

def equal_rows(
    codes: NDArray[np.int64],
    row_of: NDArray[np.int64],
) -> int: ...
def full_domain(
    values: NDArray[np.int64],
    counts: NDArray[np.int64],
    options: FullDomainOptions,
    levels: NDArray[np.int64],
    suppressed: NDArray[np.uint8],
    figures: NDArray[np.float64],
    run: Run,
) -> bool: ...
def fewest_cells(
    codes: NDArray[np.int64],
    weights: NDArray[np.float64],
    k: int,
    steps: int,
    masks: NDArray[np.int64],
    figures: NDArray[np.float64],
    run: Run,
) -> None: ...
