"""What a mixture is made of: normal components and atoms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels

# A component narrower than this share of the noise's scale cannot be told from an atom.
NARROWEST = 1e-6


@dataclass(frozen=True)
class Components:
    """Weights, means and standard deviations; the last `atoms` of them have no width and stay."""

    weights: Floats
    means: Floats
    deviations: Floats
    atoms: int = 0

    @property
    def free(self) -> int:
        """How many may move."""
        return len(self.weights) - self.atoms

    def by_mean(self) -> Components:
        """The normal components by ascending mean, then the atoms."""
        order = np.arange(len(self.weights))
        order[: self.free] = np.argsort(self.means[: self.free], kind="stable")
        return Components(
            self.weights[order], self.means[order], self.deviations[order], self.atoms
        )


def masses_between(edges: Floats, mean: float, deviation: float, run: Run) -> Floats:
    """How much of a normal variable, or of an atom, lies in each cell.

    An atom on the border of two cells counts for the upper one, on the last edge for the last cell.
    """
    masses = np.empty(len(edges) - 1)
    _kernels.normal_cells(edges, mean, deviation, masses, run)
    return masses
