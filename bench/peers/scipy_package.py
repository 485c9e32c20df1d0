"""scipy: pdist, a vector of the distances of all pairs; the erfcx form of a mixture under noise.

Distances of categories by hand.
"""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import Any

import numpy as np

from bench.kernel import Labels
from bench.kernels.distance_arguments import PARENT_OF, Mixed
from bench.kernels.distances import ANY_POWER
from bench.peers.declined import Declined
from bench.problems import Floats

# 1.6 GB of distances.
MOST_ROWS = 20_000


def available() -> bool:
    return find_spec("scipy") is not None


def _squares(values: Any, metric: str, **more: float) -> float:
    """The sum of squared distances over all ordered pairs; of metric "sqeuclidean" as they are."""
    if len(values) > MOST_ROWS:
        msg = f"needs a vector of {len(values) * (len(values) - 1) // 2:,} distances"
        raise Declined(msg)
    from scipy.spatial.distance import pdist

    found = pdist(values, metric, **more)
    return 2.0 * float(found.sum() if metric == "sqeuclidean" else found @ found)


def pairs_manhattan(X: Floats) -> float:
    return _squares(X, "cityblock")


def pairs_chebyshev(X: Floats) -> float:
    return _squares(X, "chebyshev")


def pairs_cubes(X: Floats) -> float:
    return _squares(X, "minkowski", p=3.0)


def pairs_any_power(X: Floats) -> float:
    return _squares(X, "minkowski", p=ANY_POWER)


information_manhattan = pairs_manhattan


def nearest_centres(X: Floats, centres: Floats) -> Labels:
    from scipy.spatial import cKDTree

    found: Labels = cKDTree(centres).query(X)[1]
    return found


def ild_euclidean(original: Floats, masked: Floats) -> float:
    return 1.0 - _squares(masked, "sqeuclidean") / _squares(original, "sqeuclidean")


def ild_discrete(original: Labels, masked: Labels) -> float:
    return 1.0 - _squares(masked, "hamming") / _squares(original, "hamming")


def ild_tree(original: Labels, masked: Labels) -> float:
    """Edges between two nodes: those to the root that only one of them has."""

    def ways(nodes: Labels) -> Floats:
        table = np.zeros((len(nodes), max(PARENT_OF) + 1))
        at = nodes[:, 0].copy()
        while (at > 1).any():
            rows = np.flatnonzero(at > 1)
            table[rows, at[rows]] = 1.0
            at //= 2
        return table

    return 1.0 - _squares(ways(masked), "cityblock") / _squares(ways(original), "cityblock")


def ild_mixed(original: Mixed, masked: Mixed) -> float:
    losses = []
    for name, before in original.columns.items():
        after = masked.columns[name]
        if original.is_number(name):
            losses.append(ild_euclidean(before[:, np.newaxis], after[:, np.newaxis]))
        else:
            _, codes = np.unique(np.concatenate([before, after]), return_inverse=True)
            both = codes[:, np.newaxis]
            losses.append(ild_discrete(both[: len(before)], both[len(before) :]))
    return math.fsum(losses) / len(losses)


def em_iteration(X: Floats, weights: Floats, means: Floats, deviations: Floats) -> Floats:
    from scipy.special import erfcx, log_ndtr

    z, q = (X - means) / deviations, deviations
    below, above = q - z, q + z  # where x is below y, above it
    # Past -8 erfcx would overflow in the end: the tail by its logarithm.
    log_below, log_above = (
        np.where(
            c > -8.0,
            np.log(0.25 * erfcx(np.maximum(c, -8.0) / np.sqrt(2.0))) - 0.5 * z * z,
            np.log(0.5) + 0.5 * q * q + side * q * z + log_ndtr(-c),
        )
        for c, side in ((below, -1.0), (above, 1.0))
    )
    log_density = np.logaddexp(log_below, log_above)
    joint = log_density + np.log(weights)
    log_total = np.logaddexp.reduce(joint, axis=1, keepdims=True)
    given = np.exp(joint - log_total)
    first, second = np.zeros_like(z), np.zeros_like(z)
    for c, side, log_part in ((below, 1.0, log_below), (above, -1.0, log_above)):
        with np.errstate(over="ignore"):
            hazard = np.sqrt(2.0 / np.pi) / erfcx(c / np.sqrt(2.0))
        share = np.exp(log_part - log_density)
        first += share * side * (q - hazard)
        second += share * (1.0 + q * q - hazard * (2.0 * q - c))
    sums = np.stack([given.sum(0), (given * first).sum(0), (given * second).sum(0)], axis=1)
    return np.append(sums.ravel(), log_total.sum())
