"""How much two attributes go together: the correlation of their copula, by its likelihood.

Noise that is added independently leaves covariances as they are, and they alone would determine the
correlation; the likelihood of the released table says more, because Laplace noise has a peak.
Margins are taken as they were found; that they are not known is carried into the credible bands by
draws of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats
from tokumei.reconstruct.cells.transitions import CellTransition
from tokumei.reconstruct.joint.copula import FURTHEST, copula, loadings

# In Fisher's z = artanh(r), over which likelihoods are nearly normal.
POINTS, FINE, NODES, DEGREE = 47, 61, 12, 6
# Log-likelihood below the best that counts as nothing.
NOTHING = 14.0
# A correlation enters the estimate where independence is less probable than this.
DOUBT = 0.05
# Priors of r as powers of 1 - r^2 over z, where a step is one of 1 - r^2 of r, and their integrals.
SHRINKING, EVEN = (2, 4.0 / 3.0), (1, 2.0)

Likelihood = Callable[[float], float]


@dataclass(frozen=True)
class Margin:
    """Loadings of a margin and of draws of it, in cells of the truth and in released ones."""

    cells: Floats
    released: Floats
    drawn_cells: Floats
    drawn_released: Floats


@dataclass(frozen=True)
class Association:
    """What the released table says of the correlation of normal scores.

    `independent` is the probability that there is none; `correlation` the posterior mean, or 0
    where that is in doubt; `draws` are correlations as likely, one for each draw of the margins.
    """

    correlation: float
    independent: float
    draws: Floats


@dataclass(frozen=True)
class _Posterior:
    points: Floats
    chances: Floats
    independent: float

    def at(self, share: float) -> float:
        """Below which correlation this share lies, those of none counted first."""
        if share < self.independent:
            return 0.0
        rest = (share - self.independent) / (1.0 - self.independent)
        return float(np.interp(rest, np.cumsum(self.chances) - 0.5 * self.chances, self.points))


def margin_of(transition: CellTransition, probabilities: Floats, draws: Floats) -> Margin:
    """The loadings of a margin and of its draws (rows), before and behind the noise."""
    matrix = transition.matrix()
    cells, drawn = loadings(probabilities), loadings(draws)
    return Margin(
        cells,
        np.einsum("rc,ck->rk", matrix, cells),
        drawn,
        np.einsum("rc,dck->drk", matrix, drawn),
    )


def association(
    counts: Floats, margins: Sequence[Margin], chance: np.random.Generator
) -> Association:
    """The association of two attributes from the counts of their released table.

    Half of the prior is independence; the rest spreads over correlations r as 1 - r^2 does for the
    estimate, which costs more where it is too far from nothing than where it is too near, and
    evenly for draws, which should be as often beyond the truth as before it.
    """
    first, second = margins
    ends = float(np.arctanh(FURTHEST))
    likely = _likelihood(counts, first.released, second.released)
    wide = np.linspace(-ends, ends, POINTS)
    low, high = _range(wide, _curve(likely, wide))
    fine = np.linspace(low, high, FINE)
    point = _posterior(fine, _curve(likely, fine), likely(0.0), SHRINKING)
    reach = 0.5 * (high - low)
    nodes = np.linspace(max(low - reach, -ends), min(high + reach, ends), NODES)
    fine = np.linspace(nodes[0], nodes[-1], 4 * FINE)
    count, draws = len(first.drawn_released), []
    # Evenly over the posterior: so few draws at random would miss its middle and spread by a tenth.
    shares = (chance.permutation(count) + 0.5) / max(count, 1)
    for share, *pair in zip(shares, first.drawn_released, second.drawn_released, strict=True):
        again = _likelihood(counts, *pair)
        values = _curve(again, nodes)
        top = float(values.max())
        curve = np.polynomial.Polynomial.fit(
            nodes, values - top, DEGREE, w=np.exp(np.maximum(values - top, -NOTHING) / NOTHING)
        )
        drawn = _posterior(fine, curve(fine), again(0.0) - top, EVEN)
        draws.append(drawn.at(float(share)))
    mean = (1.0 - point.independent) * float(point.points @ point.chances)
    found = mean if point.independent < DOUBT else 0.0
    return Association(found, point.independent, np.array(draws))


def _likelihood(counts: Floats, first: Floats, second: Floats) -> Likelihood:
    """The log-likelihood of a correlation, from the loadings of released cells."""

    def likely(correlation: float) -> float:
        return float((counts * np.log(copula(first, second, correlation))).sum())

    return likely


def _curve(likely: Likelihood, points: Floats) -> Floats:
    return np.array([likely(float(np.tanh(z))) for z in points])


def _range(points: Floats, logs: Floats) -> tuple[float, float]:
    """Where likelihoods are not nothing, and a point further at both sides."""
    held = np.flatnonzero(logs > logs.max() - NOTHING)
    return float(points[max(held[0] - 1, 0)]), float(points[min(held[-1] + 1, len(points) - 1)])


def _posterior(z: Floats, logs: Floats, nothing: float, prior: tuple[int, float]) -> _Posterior:
    points, top = np.tanh(z), max(float(logs.max()), nothing)
    power, total = prior
    weights = np.exp(logs - top) * (1.0 - points**2) ** power * (z[1] - z[0]) / total
    every, none = float(weights.sum()), float(np.exp(nothing - top))
    if not every > 0.0:
        return _Posterior(points, np.full(len(z), 1.0 / len(z)), 1.0)
    return _Posterior(points, weights / every, none / (none + every))
