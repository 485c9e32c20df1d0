import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def chacha(
    key: NDArray[np.uint32],
    stream: int,
    counter: int,
    out: NDArray[np.uint32],
    run: Run,
) -> None: ...
def discrete_laplace(
    key: NDArray[np.uint32],
    whole: int,
    fraction: int,
    out: NDArray[np.int64],
    run: Run,
) -> None: ...
def scatter(
    key: NDArray[np.uint32],
    codes: int,
    reach: int,
    near: int,
    values: NDArray[np.int64],
    out: NDArray[np.int64],
    run: Run,
) -> None: ...
def secure_order(
    key: NDArray[np.uint32],
    order: NDArray[np.int64],
    run: Run,
) -> None: ...
def secure_places(
    key: NDArray[np.uint32],
    parts: int,
    places: NDArray[np.int64],
    run: Run,
) -> None: ...
