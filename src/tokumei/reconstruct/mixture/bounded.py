"""EM for a mixture on declared bounds or whole numbers: values stand in cells.

The normal components are cut to the bounds and shared out to cells; records are seen through the
Laplace noise of the cells' middles (exact for whole numbers; for a continuous range the cells are a
hundredth of the noise's scale wide, which changes densities by less than 1e-5 of themselves).
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels
from tokumei.reconstruct.mixture.components import Components, between, edge_masses

# A component of which less than this lies between the bounds is empty and stays where it is.
LEAST_INSIDE = 1e-200
# A record of less density than this, 600 scales from all that could have made it, counts as if it
# had this.
LEAST_DENSITY = 1e-280


class Bounded:
    """Records (ascending, with counts) and the edges of cells, in units of the noise's scale.

    Beyond the bounds the density falls as e^-distance whatever the components are, so a record
    there tells what one on the bound would: it is moved, and its log density made up for.
    """

    def __init__(self, y: Floats, counts: Floats, edges: Floats, run: Run) -> None:
        self.y, self.counts = np.clip(y, edges[0], edges[-1]), counts
        self.edges, self.run = edges, run
        self.moved = np.abs(y - self.y)
        self.middles = 0.5 * (edges[1:] + edges[:-1])

    def _spread(self, sources: Floats, masses: Floats, targets: Floats) -> Floats:
        out = np.empty(len(targets))
        _kernels.laplace_sums(sources, masses, targets, out, self.run)
        return out

    def _cells(self, components: Components) -> tuple[Floats, Floats, Floats, Floats]:
        """For each free component: masses of the cells inside the bounds, what lies inside in all,
        and the integrals of t and t^2 over the cells."""
        free = components.free
        t = (self.edges - components.means[:free, None]) / components.deviations[:free, None]
        density, beyond = edge_masses(t, self.run)
        masses = np.array([between(*row) for row in zip(t, beyond, strict=True)])
        weighted = np.where(density > 0.0, t * density, 0.0)
        first = density[:, :-1] - density[:, 1:]
        second = masses + weighted[:, :-1] - weighted[:, 1:]
        return masses, masses.sum(axis=1), first, second

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
        weights = np.where(able, components.weights[:free], 0.0)
        inside = np.maximum(inside, LEAST_INSIDE)
        cut = masses / inside[:, None]
        places, given = self.middles, weights @ cut
        if not given.any() and not components.weights[free:].any():
            return components, -np.inf
        order = np.arange(len(places) + components.atoms)
        if components.atoms:
            places = np.concatenate([places, components.means[free:]])
            given = np.concatenate([given, components.weights[free:]])
            order = np.argsort(places, kind="stable")
        density = self._spread(places[order], given[order], self.y)
        density = np.maximum(density, LEAST_DENSITY)
        loglik = float(self.counts @ (np.log(density) - self.moved))
        # How many times more records each place is to hold than the mixture gives it.
        back = np.empty(len(places))
        back[order] = self._spread(self.y, self.counts / density, places[order])
        inner = back[: len(self.middles)]
        held = cut @ inner
        # Draws that fell outside the bounds and were drawn again are part of the complete data: for
        # each record 1 / inside - 1 of them, whose t and t^2 are what the cells lack of 0 and of 1.
        share = inside / np.where(held > 0.0, held, 1.0)
        shifts = share * ((first / inside[:, None]) @ inner) - first.sum(axis=1)
        squares = share * ((second / inside[:, None]) @ inner) + 1.0 - second.sum(axis=1)
        moves = able & (held > 0.0)
        new = np.concatenate([weights * held, components.weights[free:] * back[len(inner) :]])
        shifts = np.concatenate([np.where(moves, shifts, 0.0), np.zeros(components.atoms)])
        squares = np.concatenate([np.where(moves, squares, 1.0), np.ones(components.atoms)])
        return components.moved(new / new.sum(), shifts, squares), loglik

    def members(self, components: Components) -> tuple[Floats, Floats]:
        """P(component | record) and the log density of each record.

        Records that no component reaches are shared out by weight.
        """
        joint = components.weights[:, None] * self.densities(components)
        total = joint.sum(axis=0)
        reached = total > LEAST_DENSITY
        shares = np.where(
            reached, joint / np.where(reached, total, 1.0), components.weights[:, None]
        )
        log_densities = np.log(np.maximum(total, LEAST_DENSITY)) - self.moved
        return np.asfortranarray(shares.T), log_densities


def cell_edges(lower: float, upper: float, integer: bool, scale: float) -> Floats:
    """Edges of the cells in the values' own unit."""
    if integer:
        return np.arange(np.ceil(lower), np.floor(upper) + 2.0) - 0.5
    cells = int(np.clip(np.ceil(100.0 * (upper - lower) / scale), 100, 4096))
    return np.linspace(lower, upper, cells + 1)
