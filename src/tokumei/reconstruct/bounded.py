"""EM for a mixture on declared bounds or whole numbers: values stand in cells.

The normal components are cut to the bounds and shared out to cells; records are seen through the
Laplace noise of the cells' middles (exact for whole numbers; for a continuous range the cells are a
hundredth of the noise's scale wide, which changes densities by less than 1e-5 of themselves).
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats
from tokumei._kernels import mixtures
from tokumei.reconstruct.components import Components, between, edge_masses

# A component of which less than this lies between the bounds is empty and stays where it is.
LEAST_INSIDE = 1e-200


class Bounded:
    """Records (ascending, with counts) and the edges of cells, in units of the noise's scale."""

    def __init__(self, y: Floats, counts: Floats, edges: Floats, level: int) -> None:
        self.y, self.counts, self.edges, self.level = y, counts, edges, level
        self.middles = 0.5 * (edges[1:] + edges[:-1])
        self.total = float(counts.sum())

    def _spread(self, sources: Floats, masses: Floats, targets: Floats) -> Floats:
        out = np.empty(len(targets))
        mixtures.laplace_sums(sources, masses, targets, out, self.level)
        return out

    def _cells(self, components: Components) -> tuple[Floats, Floats, Floats, Floats]:
        """For each free component: masses of the cells inside the bounds, what lies inside in all,
        and the integrals of t and t^2 over the cells."""
        free = components.free
        t = (self.edges - components.means[:free, None]) / components.deviations[:free, None]
        density, beyond = edge_masses(t, self.level)
        masses = np.array([between(*row) for row in zip(t, beyond, strict=True)])
        weighted = np.where(density > 0.0, t * density, 0.0)
        first = density[:, :-1] - density[:, 1:]
        second = masses + weighted[:, :-1] - weighted[:, 1:]
        return masses.reshape(free, -1), masses.sum(axis=1), first, second

    def densities(self, components: Components) -> Floats:
        """Each component's density at each record, components x records."""
        masses, inside, _, _ = self._cells(components)
        rows = [
            self._spread(self.middles, row / max(all_of_it, LEAST_INSIDE), self.y)
            for row, all_of_it in zip(masses, inside, strict=True)
        ]
        atoms = components.means[components.free :]
        rows += [0.5 * np.exp(-np.abs(self.y - atom)) for atom in atoms]
        return np.array(rows)

    def __call__(self, components: Components) -> tuple[Components, float]:
        free = components.free
        masses, inside, first, second = self._cells(components)
        able = inside > LEAST_INSIDE
        shares = components.weights[:free] * able / np.maximum(inside, LEAST_INSIDE)
        places, given = self.middles, shares @ masses
        if not given.any() and not components.weights[free:].any():
            return components, -np.inf
        order = None
        if components.atoms:
            places = np.concatenate([places, components.means[free:]])
            given = np.concatenate([given, components.weights[free:]])
            order = np.argsort(places, kind="stable")
            places, given = places[order], given[order]
        density = np.maximum(self._spread(places, given, self.y), np.finfo(np.float64).tiny)
        loglik = float(self.counts @ np.log(density))
        back = self._spread(self.y, self.counts / density, places)
        if order is not None:
            sorted_back, back = back, np.empty_like(back)
            back[order] = sorted_back
        cells = len(self.middles)
        # How many times more records each cell is to hold than the component gives it.
        ratio = shares[:, None] * back[:cells]
        held = (ratio * masses).sum(axis=1)
        # Draws that fell outside the bounds and were drawn again are part of the complete data.
        drawn = held / np.maximum(inside, LEAST_INSIDE)
        full = np.maximum(drawn, np.finfo(np.float64).tiny)
        shifts = ((ratio * first).sum(axis=1) - drawn * first.sum(axis=1)) / full
        squares = ((ratio * second).sum(axis=1) + drawn * (1.0 - second.sum(axis=1))) / full
        new = np.concatenate([held, components.weights[free:] * back[cells:]])
        new /= new.sum()
        stay = np.ones(components.atoms)
        shifts = np.concatenate([np.where(able, shifts, 0.0), 0.0 * stay])
        squares = np.concatenate([np.where(able, squares, 1.0), stay])
        return components.moved(new, shifts, squares), loglik

    def members(self, components: Components) -> tuple[Floats, Floats]:
        """P(component | record) and the log density of each record."""
        joint = components.weights[:, None] * self.densities(components)
        total = np.maximum(joint.sum(axis=0), np.finfo(np.float64).tiny)
        return np.asfortranarray((joint / total).T), np.log(total)


def cell_edges(lower: float, upper: float, integer: bool, scale: float) -> Floats:
    """Edges of the cells in the values' own unit."""
    if integer:
        return np.arange(np.ceil(lower), np.floor(upper) + 2.0) - 0.5
    cells = int(np.clip(np.ceil(100.0 * (upper - lower) / scale), 100, 4096))
    return np.linspace(lower, upper, cells + 1)
