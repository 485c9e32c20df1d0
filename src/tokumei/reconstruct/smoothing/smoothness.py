"""Smooth log-densities on cells under noise: every order and strength of smoothing, weighed.

The log-probabilities of the cells are a random walk: their differences of order 1, 2 or 3 are
normal with variance 1/strength. What the differences leave open (a constant, a line, a parabola)
has normal coefficients of deviation `FREE`, and so has each atom's log-probability, which no
difference ties to the cells. For each order and strength the most probable log-probabilities are
found by Newton's method, and the evidence - the probability of the counts with everything unknown
integrated out - by Laplace's approximation. (A penalised composite link model: Eilers 2007.)

All of it is dense linear algebra on at most `MOST_CELLS` cells, in kernels of our own: a library's
threads cost more than they save on matrices so small, and would decide the last bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei.reconstruct.cells.transitions import CellTransition, dense, product
from tokumei.reconstruct.smoothing.systems import Factor, factor, weighted_square

MOST_CELLS = 200
# Root mean square of the parts of a log-density that are not smoothed; of an atom, the deviation.
FREE, ATOM = 3.0, 5.0
# Where atoms start: they explain what they can before the cells beside them do.
ATOM_START = 5.0
WEAKEST, STEP = -2.0, 0.5
# Evidence so far below the best, and falling, is not pursued.
HOPELESS = 20.0
NEWTON_STEPS, GAIN = 100, 1e-7


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


def _of_order(
    matrix: Floats, counts: Floats, atoms: int, order: int, run: Run
) -> Iterator[SmoothFit]:
    """Fits from the strongest smoothing to the weakest, each begun where the last one ended."""
    transition = dense(matrix, run)
    prior = _Prior(matrix.shape[1] - atoms, atoms, order, run)
    theta = np.zeros(matrix.shape[1])
    theta[prior.cells :] = ATOM_START
    powers = np.arange(1.0 + 3.0 * order, WEAKEST - STEP / 2, -STEP)
    best = -np.inf
    for power in powers:
        fit = _fit(transition, matrix, counts, prior, float(10.0**power), len(powers), theta)
        yield fit
        theta = fit.theta
        if fit.evidence < best - HOPELESS:
            return
        best = max(best, fit.evidence)


class _Prior:
    """The normal distribution of log-probabilities; its precision is full but for the level."""

    def __init__(self, cells: int, atoms: int, order: int, run: Run) -> None:
        self.order = order = min(order, cells)
        self.cells = cells
        difference = np.eye(cells)
        for _ in range(order):
            difference = np.diff(difference, axis=0)
        x = np.linspace(-1.0, 1.0, cells)
        free = np.linalg.qr(np.vander(x, order, increasing=True))[0]
        self.rough = np.zeros((cells + atoms, cells + atoms))
        if cells > order:
            self.rough[:cells, :cells] = weighted_square(difference, np.ones(cells - order), run)
        self.fixed = np.zeros_like(self.rough)
        self.fixed[:cells, :cells] = weighted_square(free.T.copy(), np.ones(order), run)
        self.fixed[:cells, :cells] /= FREE**2 * cells
        self.fixed[cells:, cells:] = np.eye(atoms) / ATOM**2
        # Of the differences' square: its pseudo-determinant has a closed form only for order 1.
        rough = 0.0
        if cells > order:
            square = weighted_square(difference.T.copy(), np.ones(cells), run)
            rough = factor(square, run).log_determinant
        fixed = -order * np.log(FREE**2 * cells) - atoms * np.log(ATOM**2)
        self.log_determinant = float(rough + fixed)

    def log_scale(self, strength: float) -> float:
        """Half the log determinant of the precision."""
        return 0.5 * ((self.cells - self.order) * float(np.log(strength)) + self.log_determinant)


def softmax(theta: Floats) -> Floats:
    """Probabilities of log-probabilities that lack their constant; in columns, where there are."""
    weights = np.exp(theta - theta.max(axis=0))
    return np.asarray(weights / weights.sum(axis=0))


def _fit(
    transition: CellTransition,
    matrix: Floats,
    counts: Floats,
    prior: _Prior,
    strength: float,
    strengths: int,
    theta: Floats,
) -> SmoothFit:
    rough = strength * prior.rough + prior.fixed
    run = transition.run
    penalty = dense(rough, run)
    records = float(counts.sum())

    def at(theta: Floats) -> tuple[float, float, Floats, Floats]:
        p = softmax(theta)
        expected = transition.forward(p)
        loglik = float((counts * np.log(np.maximum(expected, 1e-300))).sum())
        return loglik - 0.5 * float((theta * penalty.forward(theta)).sum()), loglik, p, expected

    value, loglik, p, expected = at(theta)
    for _ in range(NEWTON_STEPS):
        # Fisher's information: it is never indefinite, whatever the counts.
        by_theta = matrix * p
        by_theta -= expected[:, None] * p
        information = weighted_square(by_theta, records / expected, run)
        precision = factor(information + rough, run)
        towards = product([transition], counts / expected, forward=False)
        uphill = p * (towards - records) - penalty.forward(theta)
        step = precision.solve(uphill)
        slope = float((uphill * step).sum())
        if slope < GAIN:
            break
        length = 1.0
        tried = at(theta + step)
        while not tried[0] >= value + 1e-4 * length * slope and length > 1e-8:
            length *= 0.5
            tried = at(theta + length * step)
        if not tried[0] > value:
            break
        theta = theta + length * step
        value, loglik, p, expected = tried
    evidence = value + prior.log_scale(strength) - 0.5 * precision.log_determinant
    evidence -= float(np.log(strengths))  # all strengths of an order are equally likely a priori
    return SmoothFit(prior.order, strength, theta, p, evidence, loglik, information, precision)


def draws(fits: Sequence[SmoothFit], weights: Floats, count: int) -> Floats:
    """Distributions (rows) from the normal approximations, as often from each as it weighs."""
    chance = np.random.default_rng(0)
    numbers = chance.multinomial(count, weights)
    found = []
    for fit, number in zip(fits, numbers, strict=True):
        if number:
            off = chance.standard_normal((number, len(fit.theta)))
            found.append(softmax((fit.theta + fit.precision.solve(off, half=True)).T).T)
    return np.concatenate(found)
