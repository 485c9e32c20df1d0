import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def mixture_pass(
    y: NDArray[np.float64],
    counts: NDArray[np.float64] | None,
    weights: NDArray[np.float64],
    means: NDArray[np.float64],
    deviations: NDArray[np.float64],
    sums: NDArray[np.float64],
    run: Run,
) -> float: ...
def mixture_members(
    y: NDArray[np.float64],
    weights: NDArray[np.float64],
    means: NDArray[np.float64],
    deviations: NDArray[np.float64],
    members: NDArray[np.float64],
    log_densities: NDArray[np.float64],
    run: Run,
) -> None: ...
def normal_laplace_records(
    y: NDArray[np.float64],
    mean: float,
    deviation: float,
    out: NDArray[np.float64],
    run: Run,
) -> None: ...
def laplace_sums(
    sources: NDArray[np.float64],
    masses: NDArray[np.float64],
    targets: NDArray[np.float64],
    out: NDArray[np.float64],
    run: Run,
) -> None: ...
def normal_edges(
    t: NDArray[np.float64],
    density: NDArray[np.float64],
    beyond: NDArray[np.float64],
    run: Run,
) -> None: ...
def transition_cells(
    axes: NDArray[np.int64],
    coefficients: NDArray[np.float64],
    values: NDArray[np.float64],
    out: NDArray[np.float64],
    forward: bool,
    run: Run,
) -> None: ...
def iterative_bayes(
    axes: NDArray[np.int64],
    coefficients: NDArray[np.float64],
    counts: NDArray[np.float64],
    probabilities: NDArray[np.float64],
    most_passes: int,
    tolerance: float,
    smoothing: float,
    accelerated: bool,
    run: Run,
) -> tuple[float, int, bool]: ...
