"""What can be said without a reconstruction."""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats, Run
from tokumei.noise.channel import Channel
from tokumei.noise.laplace import Laplace
from tokumei.reconstruct.cells.support import Support
from tokumei.reconstruct.mixture.components import masses_between


def baselines(
    y: Floats, channel: Channel, support: Support, found: Floats, atoms: Floats, run: Run
) -> dict[str, Floats]:
    """Trivial probabilities of the cells, by name; `found` are the reconstructed ones."""
    noisy = np.bincount(support.cell_of(y), minlength=support.count) / len(y)
    mean, variance = _moments(channel, y, support, found)
    made = {"noisy": noisy, "single normal": _normal(support, mean, variance, run)}
    if len(support.atoms):
        everyone = np.zeros(support.count)
        everyone[support.cell_of(support.atoms)[atoms.argmax()]] = 1.0
        made["all at the atom"] = everyone
    return made


def _moments(channel: Channel, y: Floats, support: Support, found: Floats) -> tuple[float, float]:
    """Mean and variance of the true values."""
    if isinstance(channel, Laplace):
        return float(y.mean()), float(y.var() - 2.0 * channel.scale**2)
    mean = float(found @ support.middles)
    return mean, float(found @ (support.middles - mean) ** 2)


def _normal(support: Support, mean: float, variance: float, run: Run) -> Floats:
    smallest = float(np.diff(support.cells).min())
    deviation = float(np.sqrt(max(variance, smallest**2 / 12.0)))
    width = float(support.cells[-1] - support.cells[0])
    edges = (support.cells - support.cells[0]) / width
    at = float(np.clip((mean - support.cells[0]) / width, 0.0, 1.0))
    masses = masses_between(edges, at, deviation / width, run)
    return np.asarray(masses / masses.sum())
