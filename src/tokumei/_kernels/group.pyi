import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def mdav(
    x: object,
    k: int,
    labels: NDArray[np.int64],
    run: Run,
) -> None: ...
def vmdav(
    x: object,
    k: int,
    gamma: float,
    by_record: bool,
    labels: NDArray[np.int64],
    run: Run,
) -> None: ...
def block_mdav(
    x: object,
    k: int,
    block: int,
    labels: NDArray[np.int64],
    run: Run,
) -> None: ...
def kmember(
    x: object,
    k: int,
    labels: NDArray[np.int64],
    run: Run,
) -> None: ...
def block_kmember(
    x: object,
    k: int,
    block: int,
    labels: NDArray[np.int64],
    run: Run,
) -> None: ...
def mondrian(
    x: object,
    k: int,
    strict: bool,
    labels: NDArray[np.int64],
    run: Run,
) -> None: ...
def mil(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    groups: int,
    k: int,
    improved: NDArray[np.int64],
    run: Run,
) -> tuple[int, int]: ...
def merge_neighbours(
    counts: NDArray[np.int64],
    least: int,
    merged: NDArray[np.int64],
    run: Run,
) -> None: ...
def nearest_centres(
    centres: NDArray[np.float64],
    x: NDArray[np.float64],
    nearest: NDArray[np.int64],
    run: Run,
) -> None: ...
def aggregate_means(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    groups: int,
    out: NDArray[np.float64],
    run: Run,
) -> None: ...
def aggregate_weighted_means(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    groups: int,
    out: NDArray[np.float64],
    run: Run,
) -> None: ...
def aggregate_medians(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    groups: int,
    out: NDArray[np.float64],
    run: Run,
) -> None: ...
def sse(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    groups: int,
    run: Run,
) -> float: ...
def sst(
    x: NDArray[np.float64],
    run: Run,
) -> float: ...
def standardize(
    x: NDArray[np.float64],
    out: NDArray[np.float64],
    run: Run,
) -> None: ...
