"""A matrix of one column and one row in noise, by the definition: sums over the prior's grid."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rank_one(
    seen: Floats, down: Floats, across: Floats, variances: Floats, nodes: int = 48
) -> tuple[Floats, float]:
    """The posterior mean of X = a b' and the log evidence for it over X = 0.

    Entries of a and b are normal of one variance, each of `variances` as likely as any other, and
    `seen` is down * X * across with normal noise of variance 1.
    """
    at, weights = np.polynomial.hermite_e.hermegauss(nodes)
    weights = weights / weights.sum()
    first, second = seen.shape
    total, mean = 0.0, np.zeros(seen.shape)
    for variance in variances:
        for places in itertools.product(range(nodes), repeat=first + second):
            entries = np.sqrt(variance) * at[list(places)]
            x = np.outer(entries[:first], entries[first:])
            shown = down[:, None] * x * across
            likely = np.exp((seen * shown).sum() - 0.5 * (shown**2).sum())
            chance = float(np.prod(weights[list(places)])) / len(variances)
            total += chance * likely
            mean += chance * likely * x
    return mean / total, float(np.log(total))
