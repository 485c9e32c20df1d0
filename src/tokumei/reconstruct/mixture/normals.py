"""A mixture of normals as a list of parameters that can be moved freely, and their prior.

Logits of all weights but the last; means in units of the range; log deviations, or the triangular
roots of covariances with logarithms on the diagonal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from tokumei._check import Floats

LEAST = 1e-6
# The range of a logit and of what lies beside the diagonal of a root, in units of the prior.
LOGITS, BESIDE = math.sqrt(12.0 / 0.25), 2.0


@dataclass(frozen=True)
class Normals:
    """Weights (atoms last), means and covariances of the others, and the range of each attribute.

    `correlated` is false where covariances are diagonal and stay so.
    """

    weights: Floats
    means: Floats
    covariances: Floats
    ranges: Floats
    correlated: bool

    def parameters(self) -> Floats:
        """The list."""
        logs = np.log(np.maximum(self.weights, LEAST))
        least = (LEAST * self.ranges) ** 2
        roots = np.linalg.cholesky(self.covariances + np.eye(len(least)) * least)
        roots = roots / self.ranges[:, None]
        parts = [logs[:-1] - logs[-1], (self.means / self.ranges).reshape(-1)]
        parts.append(np.log(np.einsum("kii->ki", roots)).reshape(-1))
        if self.correlated:
            parts.append(roots[:, *self._below()].reshape(-1))
        return np.concatenate(parts)

    def moved(self, parameters: Floats) -> Normals:
        """The mixture of other parameters."""
        count, free, width = len(self.weights), *self.means.shape
        ends = np.cumsum([count - 1, free * width, free * width])
        logits, means, logs, beside = np.split(parameters, ends)
        weights = np.exp(np.append(logits, 0.0))
        roots = np.zeros((free, width, width))
        np.einsum("kii->ki", roots)[:] = np.exp(logs).reshape(free, width)
        if self.correlated:
            roots[:, *self._below()] = beside.reshape(free, -1)
        roots = roots * self.ranges[:, None]
        return replace(
            self,
            weights=weights / weights.sum(),
            means=means.reshape(free, width) * self.ranges,
            covariances=np.einsum("kij,klj->kil", roots, roots),
        )

    def widths(self, narrowest: float) -> Floats:
        """The range over which each parameter is equally likely."""
        count, free, width = len(self.weights), *self.means.shape
        beside = free * len(self._below()[0]) if self.correlated else 0
        return np.repeat(
            [LOGITS, 1.0, -math.log(narrowest), BESIDE],
            [count - 1, free * width, free * width, beside],
        )

    def log_prior(self, uniform: Floats) -> float:
        """Of weights equally likely, the rest over its range, whatever the order of components."""
        count, free = len(self.weights), len(self.means)
        shares = np.maximum(self.weights, LEAST)
        log_weights = float(np.log(shares / shares.sum()).sum())
        rest = float(np.log(uniform[count - 1 :]).sum())
        return math.lgamma(count) + log_weights - rest + math.lgamma(free + 1)

    def _below(self) -> tuple[np.ndarray, np.ndarray]:
        return np.tril_indices(len(self.ranges), -1)
