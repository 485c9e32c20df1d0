"""Smooth log-densities on cells under noise: the fits of every smoothness prior, with evidence.

The log-probabilities of the cells are a random walk: their differences of order 1, 2 or 3 are
normal with variance 1/strength. For each order and strength the most probable log-probabilities are
found by Newton's method, and their evidence by Laplace's approximation (smoothness.hpp).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels
from tokumei.reconstruct.smoothing.posterior_draws import corrected
from tokumei.reconstruct.smoothing.systems import Factor

MOST_CELLS = 200
# Powers of ten between the weakest strength of smoothing and the next ones.
WEAKEST, STEP = -2.0, 0.5


@dataclass(frozen=True)
class SmoothFit:
    """The most probable distribution under one order and strength of smoothing."""

    order: int
    strength: float
    theta: Floats
    probabilities: Floats
    evidence: float
    loglik: float
    information: Floats
    precision: Factor

    @property
    def freedom(self) -> float:
        """How many numbers the records determined: the trace of information / precision."""
        return float(np.diagonal(self.precision.solve(self.information)).sum())


def fit_all(
    matrix: Floats, counts: Floats, atoms: int, orders: Sequence[int], run: Run
) -> list[SmoothFit]:
    """A fit for each order and strength; the last `atoms` columns of the matrix are atoms."""
    return [fit for order in orders for fit in _of_order(matrix, counts, atoms, order, run)]


def weights_of(evidence: Sequence[float] | Floats) -> Floats:
    """Probabilities in proportion to exp(evidence)."""
    array = np.asarray(evidence)
    weights = np.exp(array - array.max())
    return np.asarray(weights / weights.sum())


def _of_order(matrix: Floats, counts: Floats, atoms: int, order: int, run: Run) -> list[SmoothFit]:
    """Fits from the strongest smoothing to the weakest, each begun where the last one ended."""
    strengths = 10.0 ** np.arange(1.0 + 3.0 * order, WEAKEST - STEP / 2, -STEP)
    fits, unknowns = len(strengths), matrix.shape[1]
    evidence, loglik = np.empty(fits), np.empty(fits)
    theta, probabilities = np.empty((fits, unknowns)), np.empty((fits, unknowns))
    information, factors = np.empty((2, fits, unknowns, unknowns))
    made = _kernels.smooth_fits(
        np.ascontiguousarray(matrix).reshape(-1),
        counts,
        atoms,
        order,
        strengths,
        evidence,
        loglik,
        theta.reshape(-1),
        probabilities.reshape(-1),
        information.reshape(-1),
        factors.reshape(-1),
        run,
    )
    return [
        SmoothFit(
            order,
            float(strengths[i]),
            theta[i],
            probabilities[i],
            float(evidence[i]),
            float(loglik[i]),
            information[i],
            Factor(factors[i], run),
        )
        for i in range(made)
    ]


def draws(
    fits: Sequence[SmoothFit], weights: Floats, count: int, matrix: Floats, counts: Floats, run: Run
) -> Floats:
    """Distributions (rows) as likely, as often under each prior as it weighs."""
    chance = np.random.default_rng(0)
    numbers = chance.multinomial(count, weights)
    flat = np.ascontiguousarray(matrix).reshape(-1)
    found = []
    for fit, number in zip(fits, numbers, strict=True):
        if number:

            def remainder(moves: Floats, fit: SmoothFit = fit) -> Floats:
                out = np.empty(len(moves))
                _kernels.likelihood_remainders(
                    flat, counts, fit.theta, fit.information.reshape(-1), moves, out, run
                )
                return out

            found.append(_softmax(fit.theta + corrected(remainder, fit.precision, number, chance)))
    return np.concatenate(found)


def _softmax(theta: Floats) -> Floats:
    """Probabilities (rows) of log-probabilities that lack their constant."""
    weights = np.exp(theta - theta.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
