from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def mixture_pass(
    y: NDArray[np.float64],
    counts: NDArray[np.float64],
    weights: NDArray[np.float64],
    means: NDArray[np.float64],
    deviations: NDArray[np.float64],
    sums: NDArray[np.float64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> float: ...
def mixture_members(
    y: NDArray[np.float64],
    weights: NDArray[np.float64],
    means: NDArray[np.float64],
    deviations: NDArray[np.float64],
    members: NDArray[np.float64],
    log_densities: NDArray[np.float64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def normal_laplace_records(
    y: NDArray[np.float64],
    mean: float,
    deviation: float,
    out: NDArray[np.float64],
    n_threads: int,
    level: int,
    callback: Callable[[float], object] | None,
) -> None: ...
def laplace_sums(
    sources: NDArray[np.float64],
    masses: NDArray[np.float64],
    targets: NDArray[np.float64],
    out: NDArray[np.float64],
    level: int,
) -> None: ...
def normal_edges(
    t: NDArray[np.float64],
    density: NDArray[np.float64],
    beyond: NDArray[np.float64],
    level: int,
) -> None: ...
