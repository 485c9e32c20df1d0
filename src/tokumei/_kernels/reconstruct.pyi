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
def normal_laplace_records(
    y: NDArray[np.float64],
    mean: float,
    deviation: float,
    out: NDArray[np.float64],
    run: Run,
) -> None: ...
def normal_edges(
    t: NDArray[np.float64],
    density: NDArray[np.float64],
    beyond: NDArray[np.float64],
    run: Run,
) -> None: ...
def normal_cells(
    edges: NDArray[np.float64],
    mean: float,
    deviation: float,
    masses: NDArray[np.float64],
    run: Run,
) -> None: ...
def fit_mixture(
    y: NDArray[np.float64],
    counts: NDArray[np.float64] | None,
    edges: NDArray[np.float64] | None,
    weights: NDArray[np.float64],
    means: NDArray[np.float64],
    deviations: NDArray[np.float64],
    atoms: int,
    tolerance: float,
    most_steps: int,
    accelerated: bool,
    run: Run,
) -> tuple[float, int, bool, tuple[float, ...]]: ...
def mixture_log_likelihood(
    y: NDArray[np.float64],
    counts: NDArray[np.float64] | None,
    edges: NDArray[np.float64] | None,
    weights: NDArray[np.float64],
    means: NDArray[np.float64],
    deviations: NDArray[np.float64],
    atoms: int,
    run: Run,
) -> float: ...
def mixture_posterior(
    y: NDArray[np.float64],
    edges: NDArray[np.float64] | None,
    weights: NDArray[np.float64],
    means: NDArray[np.float64],
    deviations: NDArray[np.float64],
    atoms: int,
    members: NDArray[np.float64],
    log_densities: NDArray[np.float64],
    run: Run,
) -> None: ...
def line_clusters(
    y: NDArray[np.float64],
    counts: NDArray[np.float64],
    means: NDArray[np.float64],
    weights: NDArray[np.float64],
    squares: NDArray[np.float64],
    run: Run,
) -> None: ...
def mixture_evidence(
    edges: NDArray[np.float64],
    parameters: NDArray[np.float64],
    transition: NDArray[np.float64],
    counts: NDArray[np.float64],
    prior: NDArray[np.float64],
    cells: NDArray[np.float64],
    factor: NDArray[np.float64],
    run: Run,
) -> tuple[float, float, float]: ...
def smooth_fits(
    transition: NDArray[np.float64],
    counts: NDArray[np.float64],
    atoms: int,
    order: int,
    strengths: NDArray[np.float64],
    evidence: NDArray[np.float64],
    log_likelihood: NDArray[np.float64],
    theta: NDArray[np.float64],
    probabilities: NDArray[np.float64],
    information: NDArray[np.float64],
    factor: NDArray[np.float64],
    run: Run,
) -> int: ...
def likelihood_remainders(
    transition: NDArray[np.float64],
    counts: NDArray[np.float64],
    theta: NDArray[np.float64],
    information: NDArray[np.float64],
    moves: NDArray[np.float64],
    out: NDArray[np.float64],
    run: Run,
) -> None: ...
def transition_matrix(
    axes: NDArray[np.int64],
    coefficients: NDArray[np.float64],
    out: NDArray[np.float64],
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
