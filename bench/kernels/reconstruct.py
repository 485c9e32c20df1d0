"""Kernels of reconstruction under Laplace noise: an iteration of EM for a mixture, passes of EM on
cells."""

from __future__ import annotations

import numpy as np

from bench.kernel import Case, Kernel, same_values
from bench.limits import Machine
from bench.problems import Floats
from tokumei import _check, noise
from tokumei._kernels import reconstruct as kernels
from tokumei.reconstruct.cells.iterative_bayes import passes
from tokumei.reconstruct.cells.support import support_of
from tokumei.reconstruct.cells.transitions import transition_of

COMPONENTS = 4
# Two rational functions of degree 11 on either side, an exponential for each, and the rest.
OPERATIONS_OF_A_COMPONENT = 200


def records_and_components(table: Floats, _case: Case) -> tuple[Floats, Floats, Floats, Floats]:
    """The first attribute as records under noise of scale 1; four components among them."""
    records = np.asfortranarray(table[:, :1])
    weights = np.array([0.1, 0.2, 0.3, 0.4])
    means = np.quantile(records, (np.arange(COMPONENTS) + 0.5) / COMPONENTS)
    return records, weights, means, np.array([0.3, 0.5, 0.7, 1.2])


def em_iteration(X: Floats, weights: Floats, means: Floats, deviations: Floats) -> Floats:
    """Sums of g, g E t, g E t^2 of each component (mixture_pass.hpp), the log-likelihood last."""
    sums = np.empty((len(weights), 3), order="F")
    run = _check.run(1)
    loglik = kernels.mixture_pass(X[:, 0], None, weights, means, deviations, sums, run)
    return np.append(sums.ravel(), loglik)


def loglik_of(answer: Floats, *_arguments: Floats) -> float:
    return float(answer[-1])


def em_limit(machine: Machine, X: Floats, weights: Floats, *_rest: Floats) -> float:
    """The records read once, the operations counted."""
    operations = OPERATIONS_OF_A_COMPONENT * len(X) * len(weights)
    return max(machine.passing(X.nbytes, X.nbytes), machine.counting(operations))


EM_ITERATION = Kernel(
    name="em_iteration",
    arguments=records_and_components,
    answer=em_iteration,
    same=same_values,
    score=loglik_of,
    limit=em_limit,
    cases=(Case("normal", 100_000, 1), Case("normal", 1_000_000, 1)),
    quick=(Case("normal", 100_000, 1),),
)

PASSES = 100
# Two multiplications and additions up and down, forward and back, a division and what p takes.
OPERATIONS_OF_A_CELL = 20


def counts_and_scale(table: Floats, _case: Case) -> tuple[Floats, float]:
    """Counts of released cells, one open cell at each end; the noise's scale: a fifth of them."""
    counts = np.asfortranarray(np.floor(100.0 * np.abs(table[:, :1])) + 1.0)
    return counts, 0.2 * len(counts)


def bayes_passes(X: Floats, scale: float) -> Floats:
    """Probabilities of the whole numbers 0, 1, ... after so many passes from uniform ones."""
    cells = len(X) - 2
    channel = noise.laplace(scale, lower=0, upper=cells - 1)
    support = support_of(channel, np.arange(cells + 1) - 0.5, integer=True)
    start = np.full(cells, 1.0 / cells)
    run = _check.run(1)
    transitions = [transition_of(channel, support, run)]
    return passes(transitions, X[:, 0], start, max_iter=PASSES, run=run)[0]


def mean_of(answer: Floats, *_arguments: object) -> float:
    return float((answer * np.arange(len(answer))).sum())


def bayes_limit(machine: Machine, X: Floats, _scale: float) -> float:
    """The operations counted."""
    return machine.counting(OPERATIONS_OF_A_CELL * len(X) * PASSES)


BAYES_PASSES = Kernel(
    name="bayes_passes",
    arguments=counts_and_scale,
    answer=bayes_passes,
    same=same_values,
    score=mean_of,
    limit=bayes_limit,
    cases=(Case("normal", 102, 1), Case("normal", 1_002, 1)),
    quick=(Case("normal", 1_002, 1),),
)
