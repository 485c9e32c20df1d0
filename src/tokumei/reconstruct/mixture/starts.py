"""Where EM may begin: a few different guesses at the components."""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats
from tokumei.reconstruct.mixture.components import Components

# The variance of Laplace noise of scale 1.
NOISE = 2.0
# Of the weight, for all atoms at the start: who declares atoms expects them to be heavy.
ATOM_SHARE = 0.8


def starts(
    y: Floats,
    counts: Floats,
    components: int,
    atoms: Floats,
    support: tuple[float, float] | None,
    count: int,
    seed: np.random.Generator,
) -> list[Components]:
    """Quantiles first, then one-dimensional k-means, then means drawn from the records.

    y ascends, in units of the noise's scale. Means are drawn towards the middle by as much as the
    noise had pushed values away from it, and into the support.
    """
    ends = (-np.inf, np.inf) if support is None else support
    total = float(counts.sum())
    middle = float(counts @ y) / total
    seen = float(counts @ (y - middle) ** 2) / total
    spread = max(seen - NOISE, 0.05 * min(seen, 1.0))
    narrowing = np.sqrt(spread / seen) if seen > 0.0 else 1.0
    reached = np.cumsum(counts) / total

    def mixture(means: Floats, weights: Floats, deviations: Floats) -> Components:
        kept = 1.0 - ATOM_SHARE * (len(atoms) > 0)
        shares = np.full(len(atoms), (1.0 - kept) / max(len(atoms), 1))
        return Components(
            np.concatenate([kept * weights, shares]),
            np.concatenate([np.clip(middle + narrowing * (means - middle), *ends), atoms]),
            np.concatenate([np.maximum(deviations, 1e-3), np.zeros(len(atoms))]),
            len(atoms),
        )

    even = np.full(components, 1.0 / components)
    wide = np.full(components, np.sqrt(spread) / components + 1e-3)
    levels = (np.arange(components) + 0.5) / components
    quantiles = y[np.searchsorted(reached, levels)]
    found = [mixture(quantiles, even, wide)]
    if count > 1:
        means, labels = _k_means(y, counts, quantiles)
        weights = np.bincount(labels, counts, components)
        within = np.bincount(labels, counts * (y - means[labels]) ** 2, components)
        variances = within / np.maximum(weights, 1.0)
        weights = np.maximum(weights, 1.0)
        found.append(mixture(means, weights / weights.sum(), narrowing * np.sqrt(variances)))
    while len(found) < count:
        drawn = np.sort(y[np.searchsorted(reached, seed.random(components))])
        width = np.sqrt(spread) * np.exp(seed.uniform(-2.0, 0.0, components))
        found.append(mixture(drawn, even, width))
    return found[:count]


def _k_means(y: Floats, counts: Floats, means: Floats) -> tuple[Floats, np.ndarray]:
    """Lloyd's iterations on a line, from ascending means."""
    labels = np.zeros(len(y), dtype=np.int64)
    for _ in range(50):
        borders = 0.5 * (means[1:] + means[:-1])
        labels = np.searchsorted(borders, y)
        held = np.bincount(labels, counts, len(means))
        sums = np.bincount(labels, counts * y, len(means))
        new = np.where(held > 0, sums / np.maximum(held, 1e-300), means)
        if np.array_equal(new, means):
            break
        means = np.sort(new)
    return means, labels
