"""Density, distribution function and cell probabilities of components, cut to bounds or not.

All in units of the noise's scale; `support` is where normal components are cut, or None. A
component of which next to nothing lies in the support counts as nothing.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats, Run
from tokumei.reconstruct.mixture.components import Components, between, edge_masses, masses_between

LEAST_INSIDE = 1e-300

Support = tuple[float, float] | None


def cell_masses(components: Components, edges: Floats, support: Support, run: Run) -> Floats:
    """How likely each cell is, atoms included."""
    total = np.zeros(len(edges) - 1)
    rows = zip(components.weights, components.means, components.deviations, strict=True)
    for weight, mean, deviation in rows:
        if deviation == 0.0 or support is None:
            total += weight * masses_between(edges, mean, deviation, run)
            continue
        cut = np.clip(edges, *support)
        inside = _inside(mean, deviation, support, run)
        total += weight * masses_between(cut, mean, deviation, run) / inside
    return total


def density(components: Components, u: Floats, support: Support, run: Run) -> Floats:
    """Density of the normal components."""
    total = np.zeros(len(u))
    for k in range(components.free):
        mean, deviation = components.means[k], components.deviations[k]
        heights, _ = edge_masses((u - mean) / deviation, run)
        inside = _inside(mean, deviation, support, run)
        total += components.weights[k] * heights / deviation / inside
    if support is not None:
        total[(u < support[0]) | (u > support[1])] = 0.0
    return total


def cumulated(components: Components, u: Floats, support: Support, run: Run) -> Floats:
    """How likely values up to u are, atoms included."""
    low, high = (-np.inf, np.inf) if support is None else support
    at = np.clip(u, low, high)
    ends = np.stack([np.full(len(u), low), at, np.full(len(u), high)])
    total = np.zeros(len(u))
    rows = zip(components.weights, components.means, components.deviations, strict=True)
    for weight, mean, deviation in rows:
        if deviation == 0.0:
            total += weight * (u >= mean)
            continue
        t = np.clip((ends - mean) / deviation, -1e18, 1e18)
        _, beyond = edge_masses(t, run)
        below, above = (between(t[i : i + 2], beyond[i : i + 2])[0] for i in (0, 1))
        total += weight * below / np.maximum(below + above, LEAST_INSIDE)
    return total


def _inside(mean: float, deviation: float, support: Support, run: Run) -> float:
    if support is None:
        return 1.0
    return max(float(masses_between(np.array(support), mean, deviation, run)[0]), LEAST_INSIDE)
