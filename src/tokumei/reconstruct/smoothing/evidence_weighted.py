"""Mixtures of 1 to 6 normals under Laplace noise, each weighed by its evidence on cells.

Under wide noise most mixtures explain the records equally well, and criteria that count parameters
(BIC) charge for what the data hardly determine. The evidence charges for what is determined:
Laplace's approximation with weights, means and logarithms of deviations equally likely a priori.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei.reconstruct.cells.transitions import dense
from tokumei.reconstruct.mixture.components import masses_between
from tokumei.reconstruct.mixture.laplace_mixture import LaplaceMixture
from tokumei.reconstruct.smoothing.systems import Factor, factor, weighted_square

COMPONENTS = range(1, 7)
STARTS, GAIN = 2, 1e-3
# The narrowest normal, in cells: narrower ones look the same.
NARROWEST = 0.25
DIFFERENCE = 1e-4


@dataclass(frozen=True)
class WeighedMixture:
    """A mixture's cells, the evidence for it, and how well its parameters are known."""

    probabilities: Floats
    evidence: float
    loglik: float
    freedom: float
    shape: _Shape
    parameters: Floats
    precision: Factor

    def draws(self, count: int, chance: np.random.Generator) -> Floats:
        """Distributions (rows) from the normal approximation of the parameters."""
        off = chance.standard_normal((count, len(self.parameters)))
        moved = self.parameters + self.precision.solve(off, half=True)
        return np.stack([self.shape.cells(parameters) for parameters in moved])


@dataclass(frozen=True)
class _Shape:
    """Cells of mixtures cut to the outermost edges: logits, means in widths, log deviations."""

    edges: Floats
    components: int
    run: Run

    @property
    def width(self) -> float:
        return float(self.edges[-1] - self.edges[0])

    def parameters(self, mixture: LaplaceMixture) -> Floats:
        k, narrowest = self.components, NARROWEST * self.width / (len(self.edges) - 1)
        weights = np.maximum(mixture.weights_[:k], 1e-6)
        means = np.clip((mixture.means_[:k] - self.edges[0]) / self.width, -1.0, 2.0)
        deviations = np.clip(np.sqrt(mixture.variances_[:k]), narrowest, self.width)
        logits = np.log(weights[:-1] / weights[-1])
        return np.concatenate([logits, means, np.log(deviations / self.width)])

    def weights(self, parameters: Floats) -> Floats:
        logits = np.append(parameters[: self.components - 1], 0.0)
        weights = np.exp(logits - logits.max())
        return np.asarray(weights / weights.sum())

    def cells(self, parameters: Floats) -> Floats:
        k = self.components
        means, deviations = parameters[k - 1 : 2 * k - 1], np.exp(parameters[2 * k - 1 :])
        edges = (self.edges - self.edges[0]) / self.width
        total = np.zeros(len(edges) - 1)
        rows = zip(self.weights(parameters), means, deviations, strict=True)
        for weight, mean, deviation in rows:
            inside = masses_between(edges, float(mean), float(deviation), self.run)
            total += weight * inside / max(float(inside.sum()), 1e-300)
        return np.asarray(total / total.sum())

    def log_prior(self, parameters: Floats) -> float:
        """Of weights, means and log deviations, whatever the order of the components."""
        k, widest = self.components, math.log((len(self.edges) - 1) / NARROWEST)
        logs = float(np.log(self.weights(parameters)).sum())
        return math.lgamma(k) + logs - k * math.log(max(widest, 1.0)) + math.lgamma(k + 1)

    def curvature(self) -> Floats:
        """A precision for what the data leave open: the variances of the uniform priors."""
        k, widest = self.components, math.log((len(self.edges) - 1) / NARROWEST)
        parts = [np.full(k - 1, 0.25), np.full(k, 12.0), np.full(k, 12.0 / max(widest, 1.0) ** 2)]
        return np.diag(np.concatenate(parts))


def weigh(
    mixture: LaplaceMixture, edges: Floats, matrix: Floats, counts: Floats, run: Run
) -> WeighedMixture:
    """The evidence for a fitted mixture on cells that transition by `matrix`."""
    shape = _Shape(edges, mixture.n_components, run)
    parameters = shape.parameters(mixture)
    p = shape.cells(parameters)
    transition = dense(matrix, run)
    expected = np.maximum(transition.forward(p), 1e-300)
    loglik = float((counts * np.log(expected)).sum())
    slopes = []
    for unit in np.eye(len(parameters)) * DIFFERENCE:
        rise = shape.cells(parameters + unit) - shape.cells(parameters - unit)
        slopes.append(transition.forward(rise) / (2.0 * DIFFERENCE))
    by_parameter = np.stack(slopes, axis=1)
    information = weighted_square(by_parameter, counts.sum() / expected, run)
    precision = factor(information + shape.curvature(), run)
    evidence = (
        loglik
        + shape.log_prior(parameters)
        + 0.5 * len(parameters) * math.log(2.0 * math.pi)
        - 0.5 * precision.log_determinant
    )
    freedom = float(np.diagonal(precision.solve(information)).sum())
    return WeighedMixture(p, evidence, loglik, freedom, shape, parameters, precision)
