"""Kernels of reconstruction: one iteration of EM for a normal mixture under Laplace noise."""

from __future__ import annotations

import os

import numpy as np

from bench.kernel import Case, Kernel, same_values
from bench.limits import Machine
from bench.problems import Floats
from tokumei import machine
from tokumei._kernels import mixtures

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
    level = machine.level(os.environ)
    loglik = mixtures.mixture_pass(
        X[:, 0], np.empty(0), weights, means, deviations, sums, 1, level, None
    )
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
