import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def special_uniques(
    codes: NDArray[np.int64],
    several: NDArray[np.uint8],
    of_rows: NDArray[np.int64],
    of_columns: NDArray[np.int64],
    run: Run,
) -> None: ...
