"""EM for a mixture on the whole line: both steps in closed form."""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels
from tokumei.reconstruct.mixture.components import Components


class Unbounded:
    """Records in units of the noise's scale, each once or with its count."""

    def __init__(self, y: Floats, counts: Floats | None, run: Run) -> None:
        self.y, self.counts, self.run = y, counts, run
        self.total = float(len(y)) if counts is None else float(counts.sum())

    def expect(self, components: Components) -> tuple[Floats, float]:
        """Sums of g, g E t and g E t^2 a component (see mixture_pass.hpp); the log-likelihood."""
        sums = np.empty((len(components.weights), 3), order="F")
        loglik = _kernels.mixture_pass(
            self.y,
            self.counts,
            components.weights,
            components.means,
            components.deviations,
            sums,
            self.run,
        )
        return sums, loglik

    def __call__(self, components: Components) -> tuple[Components, float]:
        sums, loglik = self.expect(components)
        held = np.maximum(sums[:, 0], np.finfo(np.float64).tiny)
        shares = sums[:, 0] / self.total
        return components.moved(shares, sums[:, 1] / held, sums[:, 2] / held), loglik

    def members(self, components: Components) -> tuple[Floats, Floats]:
        """P(component | record) and the log density of each record."""
        found = np.empty((len(self.y), len(components.weights)), order="F")
        log_densities = np.empty(len(self.y))
        _kernels.mixture_members(
            self.y,
            components.weights,
            components.means,
            components.deviations,
            found,
            log_densities,
            self.run,
        )
        return found, log_densities
