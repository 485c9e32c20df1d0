"""scikit-learn: pairwise_distances_chunked, some rows of the matrix of distances at a time."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from bench.kernel import Labels
from bench.kernels.distances import ANY_POWER
from bench.problems import Floats


def available() -> bool:
    return find_spec("sklearn") is not None


def _squares(X: Floats, metric: str, **more: float) -> float:
    from sklearn.metrics import pairwise_distances_chunked

    chunks = pairwise_distances_chunked(np.ascontiguousarray(X), metric=metric, n_jobs=1, **more)
    return float(sum(np.vdot(distances, distances) for distances in chunks))


def pairs_manhattan(X: Floats) -> float:
    return _squares(X, "manhattan")


def pairs_chebyshev(X: Floats) -> float:
    return _squares(X, "chebyshev")


def pairs_cubes(X: Floats) -> float:
    return _squares(X, "minkowski", p=3.0)


def pairs_any_power(X: Floats) -> float:
    return _squares(X, "minkowski", p=ANY_POWER)


information_manhattan = pairs_manhattan


def ild_discrete(original: Labels, masked: Labels) -> float:
    before, after = original.astype(np.float64), masked.astype(np.float64)
    return 1.0 - _squares(after, "hamming") / _squares(before, "hamming")
