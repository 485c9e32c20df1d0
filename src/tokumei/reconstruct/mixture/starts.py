"""Where EM may begin: a few different guesses at the components."""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels
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
    run: Run,
) -> list[Components]:
    """Quantiles first, then one-dimensional k-means, then means drawn from the records.

    y ascends, in units of the noise's scale. Means are drawn towards the middle by as much as the
    noise had pushed values away from it, and into the support.
    """
    ends = (-np.inf, np.inf) if support is None else support
    total = float(counts.sum())
    middle = float(counts @ y) / total
    seen = float(counts @ (y - middle) ** 2) / total
    variance = max(seen - NOISE, 0.05 * min(seen, 1.0))
    narrowing = np.sqrt(variance / seen) if seen > 0.0 else 1.0
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
    wide = np.full(components, np.sqrt(variance) / components + 1e-3)
    levels = (np.arange(components) + 0.5) / components
    quantiles = y[np.searchsorted(reached, levels)]
    found = [mixture(quantiles, even, wide)]
    if count > 1:
        means, weights, squares = quantiles.copy(), np.empty(components), np.empty(components)
        _kernels.line_clusters(y, counts, means, weights, squares, run)
        variances = squares / np.maximum(weights, 1.0)
        weights = np.maximum(weights, 1.0)
        found.append(mixture(means, weights / weights.sum(), narrowing * np.sqrt(variances)))
    while len(found) < count:
        drawn = np.sort(y[np.searchsorted(reached, seed.random(components))])
        width = np.sqrt(variance) * np.exp(seed.uniform(-2.0, 0.0, components))
        found.append(mixture(drawn, even, width))
    return found[:count]
