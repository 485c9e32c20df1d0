"""Where mixtures of several attributes begin."""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats

LOOKED_AT = 5000


def spread_means(z: Floats, components: int, chance: np.random.Generator) -> Floats:
    """Records far from each other: each in proportion to its squared distance from those chosen.

    The seeds of k-means++ (Arthur & Vassilvitskii 2007). Records are rows.
    """
    looked = z[chance.permutation(len(z))[:LOOKED_AT]]
    chosen = [looked[0]]
    apart = ((looked - looked[0]) ** 2).sum(axis=1)
    for _ in range(1, components):
        total = float(apart.sum())
        at = int(chance.integers(len(looked)))
        if total > 0.0:
            at = int(np.searchsorted(np.cumsum(apart), total * chance.random()))
        chosen.append(looked[min(at, len(looked) - 1)])
        apart = np.minimum(apart, ((looked - chosen[-1]) ** 2).sum(axis=1))
    return np.array(chosen)
