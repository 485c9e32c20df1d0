"""Many cells worked on in groups, and the density between the groups interpolated."""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats
from tokumei.reconstruct.cells.support import Support


class Coarse:
    """Cells joined to at most so many groups of equally many neighbours."""

    def __init__(self, fine: Support, most: int) -> None:
        self.fine = fine
        size = -(-fine.count // most)
        starts = np.arange(0, fine.count, size)
        edges = np.append(fine.cells[starts], fine.cells[-1])
        self.support = Support(edges, fine.integer, fine.atoms)
        self._group = np.arange(fine.count) // size

    def refined(self, probabilities: Floats) -> Floats:
        """Probabilities of the fine cells and the atoms (rows: distributions) from the groups'.

        The log-density runs straight between the middles of groups; each group keeps its sum.
        """
        if self.support.count == self.fine.count:
            return probabilities
        groups = self.support.count
        held = probabilities[:, :groups]
        density = np.log(np.maximum(held / _sizes(self.support), 1e-300))
        fine = _between(self.fine.middles, self.support.middles, density)
        weights = np.exp(fine - fine.max(axis=1, keepdims=True)) * _sizes(self.fine)
        starts = np.flatnonzero(np.diff(self._group, prepend=-1))
        sums = np.add.reduceat(weights, starts, axis=1)
        share = np.divide(held, sums, out=np.zeros_like(held), where=sums > 0.0)
        return np.concatenate([weights * share[:, self._group], probabilities[:, groups:]], axis=1)


def _between(at: Floats, places: Floats, values: Floats) -> Floats:
    """What runs straight between values (rows) at ascending places, and stays beyond the ends."""
    left = np.clip(np.searchsorted(places, at, side="right") - 1, 0, len(places) - 2)
    slopes = np.diff(values, axis=1) / np.diff(places)
    on = np.clip(at, places[0], places[-1]) - places[left]
    return np.asarray(slopes[:, left] * on + values[:, left])


def _sizes(support: Support) -> Floats:
    """How many whole numbers a cell holds, or how much length."""
    first, last = support.ends
    return np.asarray(last - first + (1.0 if support.integer else 0.0))
