from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def grid_order(
    x: NDArray[np.float64],
    blocks_per_axis: NDArray[np.int64],
    order: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def flexdice_order(
    x: NDArray[np.float64],
    c1: int,
    c2: int,
    axes: int,
    order: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def count_blocks(
    x: NDArray[np.float64],
    c1: int,
    c2: int,
    axes: int,
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
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
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def hilbert_order(
    x: NDArray[np.float64],
    bits: int,
    order: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def column_order(
    x: NDArray[np.float64],
    order: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def principal_order(
    x: NDArray[np.float64],
    order: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def npn_order(
    x: NDArray[np.float64],
    order: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
