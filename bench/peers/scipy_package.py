"""scipy: pdist, a vector of the distances of all pairs. Distances of categories by hand."""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import Any

import numpy as np

from bench.kernel import Labels
from bench.kernels.distances import ANY_POWER, PARENT_OF, Mixed
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
