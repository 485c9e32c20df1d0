"""What a mixture is made of: normal components and atoms, in units of the noise's scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels

# A component narrower than this share of the noise's scale cannot be told from an atom.
NARROWEST = 1e-6
# A component of less weight than this is empty: it stays where it is.
LIGHTEST = 1e-290


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

    def moved(self, shares: Floats, shifts: Floats, squares: Floats) -> Components:
        """The M-step: new components of what the E-step expects of each.

        `shares` sum to 1; `shifts` and `squares` are means of t = (x - mean) / deviation and of its
        square. Only free components move, and only those that hold something.
        """
        held = (shares > LIGHTEST) & (np.arange(len(shares)) < self.free)
        shift, square = np.where(held, shifts, 0.0), np.where(held, squares, 1.0)
        spread = np.sqrt(np.maximum(square - shift * shift, 0.0))
        return Components(
            shares,
            self.means + self.deviations * shift,
            np.where(held, np.maximum(self.deviations * spread, NARROWEST), self.deviations),
            self.atoms,
        )

    def vector(self) -> Floats:
        """Log weights, means and log deviations of what may move: a space without borders."""
        free = slice(self.free)
        logs = np.log(np.maximum(self.weights, LIGHTEST))
        return np.concatenate([logs, self.means[free], np.log(self.deviations[free])])

    def at(self, vector: Floats) -> Components:
        """The components that a vector of that space stands for."""
        count, free = len(self.weights), self.free
        weights = np.exp(vector[:count] - vector[:count].max())
        deviations = np.exp(np.clip(vector[count + free :], np.log(NARROWEST), 300.0))
        return Components(
            weights / weights.sum(),
            np.concatenate([vector[count : count + free], self.means[free:]]),
            np.concatenate([deviations, self.deviations[free:]]),
            self.atoms,
        )


def edge_masses(t: Floats, run: Run) -> tuple[Floats, Floats]:
    """At ascending numbers: the standard normal density, and the mass beyond their magnitude."""
    flat = np.ascontiguousarray(t).ravel()
    density, beyond = np.empty_like(flat), np.empty_like(flat)
    _kernels.normal_edges(flat, density, beyond, run)
    return density.reshape(t.shape), beyond.reshape(t.shape)


def masses_between(edges: Floats, mean: float, deviation: float, run: Run) -> Floats:
    """How much of a normal variable, or of an atom, lies in each cell.

    An atom on the border of two cells counts for the upper one, on the last edge for the last cell.
    """
    if deviation == 0.0:
        masses = np.zeros(len(edges) - 1)
        if edges[0] <= mean <= edges[-1]:
            masses[min(int(np.searchsorted(edges, mean, "right")) - 1, len(masses) - 1)] = 1.0
        return masses
    t = (edges - mean) / deviation
    return between(t, edge_masses(t, run)[1])


def between(t: Floats, beyond: Floats) -> Floats:
    """Masses of cells from the tails at their edges, without cancellation on either side of 0."""
    low, high = beyond[:-1], beyond[1:]
    outside = np.where(t[:-1] >= 0.0, low - high, high - low)
    across = (t[:-1] < 0.0) & (t[1:] > 0.0)
    return np.maximum(np.where(across, 1.0 - low - high, outside), 0.0)
