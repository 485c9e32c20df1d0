"""Values behind noise, as the kernels of EM take them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels
from tokumei.reconstruct.mixture.components import Components


@dataclass(frozen=True)
class Climb:
    """Where EM arrived: components and their log-likelihood; how it went."""

    components: Components
    loglik: float
    steps: int
    converged: bool
    trace: tuple[float, ...]  # log-likelihoods on the way


@dataclass(frozen=True)
class NoisyValues:
    """Ascending values, each once or with its count, on the whole line or between edges of cells.

    All in units of the noise's scale.
    """

    y: Floats
    counts: Floats | None
    edges: Floats | None
    run: Run

    def climb(self, start: Components, tol: float, max_iter: int, accelerated: bool) -> Climb:
        """Steps of EM from a start until one gains less than `tol` in log-likelihood."""
        at = Components(
            start.weights.copy(), start.means.copy(), start.deviations.copy(), start.atoms
        )
        found = _kernels.fit_mixture(
            self.y, self.counts, self.edges, *_parts(at), tol, max_iter, accelerated, self.run
        )
        return Climb(at, *found)

    def loglik(self, components: Components) -> float:
        """The log-likelihood of a mixture."""
        return _kernels.mixture_log_likelihood(
            self.y, self.counts, self.edges, *_parts(components), self.run
        )

    def members(self, components: Components) -> tuple[Floats, Floats]:
        """P(component | record) and the log density of each record."""
        found = np.empty((len(self.y), len(components.weights)), order="F")
        log_densities = np.empty(len(self.y))
        _kernels.mixture_posterior(
            self.y, self.edges, *_parts(components), found, log_densities, self.run
        )
        return found, log_densities


def _parts(components: Components) -> tuple[Floats, Floats, Floats, int]:
    return components.weights, components.means, components.deviations, components.atoms
