"""Density, distribution function and cell probabilities of components, cut to bounds or not.

All in units of the noise's scale; `support` is where normal components are cut, or None. A
component of which next to nothing lies in the support counts as nothing.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels
from tokumei.reconstruct.mixture.components import Components, masses_between

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
    total, heights, tails = np.zeros(len(u)), np.empty(len(u)), np.empty(len(u))
    for k in range(components.free):
        mean, deviation = components.means[k], components.deviations[k]
        _kernels.normal_edges((u - mean) / deviation, heights, tails, run)
        inside = _inside(mean, deviation, support, run)
        total += components.weights[k] * heights / deviation / inside
    if support is not None:
        total[(u < support[0]) | (u > support[1])] = 0.0
    return total


def cumulated(components: Components, u: Floats, support: Support, run: Run) -> Floats:
    """How likely values up to u are, atoms included."""
    low, high = (-np.inf, np.inf) if support is None else support
    at, place = np.unique(np.clip(u, low, high), return_inverse=True)
    edges = np.concatenate([[low], at, [high]])
    total = np.zeros(len(u))
    rows = zip(components.weights, components.means, components.deviations, strict=True)
    for weight, mean, deviation in rows:
        if deviation == 0.0:
            total += weight * (u >= mean)
            continue
        below = np.cumsum(masses_between(edges, mean, deviation, run))
        total += weight * below[place] / max(float(below[-1]), LEAST_INSIDE)
    return total


def _inside(mean: float, deviation: float, support: Support, run: Run) -> float:
    if support is None:
        return 1.0
    return max(float(masses_between(np.array(support), mean, deviation, run)[0]), LEAST_INSIDE)
