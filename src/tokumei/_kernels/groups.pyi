from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def mdav(
    x: NDArray[np.float64],
    k: int,
    labels: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def vmdav(
    x: NDArray[np.float64],
    k: int,
    gamma: float,
    labels: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def kmember(
    x: NDArray[np.float64],
    k: int,
    labels: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def mondrian(
    x: NDArray[np.float64],
    k: int,
    strict: bool,
    labels: NDArray[np.int64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def aggregate_means(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    groups: int,
    out: NDArray[np.float64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def aggregate_weighted_means(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    groups: int,
    out: NDArray[np.float64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def aggregate_medians(
    x: NDArray[np.float64],
    labels: NDArray[np.int64],
    groups: int,
    out: NDArray[np.float64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
