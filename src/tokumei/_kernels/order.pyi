import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def grid_order(
    x: NDArray[np.float64],
    blocks_per_axis: NDArray[np.int64],
    order: NDArray[np.int64],
    run: Run,
) -> None: ...
def flexdice_order(
    x: NDArray[np.float64],
    c1: int,
    c2: int,
    axes: int,
    order: NDArray[np.int64],
    run: Run,
) -> None: ...
def count_blocks(
    x: NDArray[np.float64],
    c1: int,
    c2: int,
    axes: int,
    run: Run,
) -> tuple[int, int]: ...
def list_blocks(
    x: NDArray[np.float64],
    c1: int,
    c2: int,
    axes: int,
    block: NDArray[np.int64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    links: NDArray[np.int64],
    run: Run,
) -> None: ...
def hilbert_order(
    x: NDArray[np.float64],
    bits: int,
    order: NDArray[np.int64],
    run: Run,
) -> None: ...
def column_order(
    x: NDArray[np.float64],
    order: NDArray[np.int64],
    run: Run,
) -> None: ...
def principal_order(
    x: NDArray[np.float64],
    order: NDArray[np.int64],
    run: Run,
) -> None: ...
def npn_order(
    x: object,
    order: NDArray[np.int64],
    run: Run,
) -> None: ...
def find_blocks(
    x: NDArray[np.float64],
    axis: NDArray[np.int64],
    cut: NDArray[np.float64],
    below: NDArray[np.int64],
    above: NDArray[np.int64],
    blocks: NDArray[np.int64],
    run: Run,
) -> None: ...
