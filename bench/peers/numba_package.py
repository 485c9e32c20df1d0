"""numba: the loops of numba_loops.py, compiled when first asked for."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from bench.kernel import Labels
from bench.kernels.distances import ANY_POWER
from bench.problems import Floats

FEW = 16  # segments an end, below which they are not worth a vector


def available() -> bool:
    return find_spec("numba") is not None


def mdav(X: Floats, k: int) -> Labels:
    from bench.peers import numba_loops

    labels = np.zeros(len(X), dtype=np.int64)
    numba_loops.mdav(np.array(X.T, order="C"), k, labels)
    return labels


def npn_order(X: Floats) -> Labels:
    from bench.peers import numba_loops

    order = np.empty(len(X), dtype=np.int64)
    numba_loops.npn_order(np.array(X.T, order="C"), order)
    return order


def cut(X: Floats, way: Labels, k: int) -> Labels:
    from bench.peers import numba_loops

    labels = np.zeros(len(X), dtype=np.int64)
    if len(X) < 2 * k:
        return labels
    sums, squares = np.zeros((len(X) + 1, X.shape[1])), np.zeros(len(X) + 1)
    numba_loops.sums_along(X, way, sums, squares)
    shortest, before = _paths(len(X))
    if k < FEW:
        numba_loops.cut_few(sums, squares, k, shortest, before)
    else:
        columns = np.array(sums.T, order="C")
        numba_loops.cut_many(columns, squares, k, shortest, before)
    numba_loops.label_path(before, way, labels)
    return labels


def univariate(X: Floats, k: int) -> Labels:
    from bench.peers import numba_loops

    labels = np.zeros(len(X), dtype=np.int64)
    if len(X) < 2 * k:
        return labels
    way = np.argsort(X[:, 0])
    shortest, before = _paths(len(X))
    numba_loops.cut_column(X[way, 0], k, shortest, before)
    numba_loops.label_path(before, way, labels)
    return labels


def _paths(rows: int) -> tuple[Floats, Labels]:
    """The shortest path to each number of records and its last stop but one; none but to 0 yet."""
    shortest = np.full(rows + 1, np.inf)
    shortest[0] = 0.0
    return shortest, np.zeros(rows + 1, dtype=np.int64)


def aggregate(X: Floats, labels: Labels) -> Floats:
    from bench.peers import numba_loops

    out = np.empty_like(X)
    numba_loops.aggregate(X, labels, labels.max() + 1, out)
    return out


def sse(X: Floats, labels: Labels) -> float:
    from bench.peers import numba_loops

    return numba_loops.sse(X, labels, labels.max() + 1)


def standardize(X: Floats) -> Floats:
    from bench.peers import numba_loops

    out = np.empty_like(X)
    numba_loops.standardize(X, out)
    return out


def pairs_manhattan(X: Floats) -> float:
    from bench.peers import numba_pairs

    return numba_pairs.manhattan(np.ascontiguousarray(X))


def pairs_chebyshev(X: Floats) -> float:
    from bench.peers import numba_pairs

    return numba_pairs.chebyshev(np.ascontiguousarray(X))


def pairs_cubes(X: Floats) -> float:
    from bench.peers import numba_pairs

    return numba_pairs.cubes(np.ascontiguousarray(X))


def pairs_any_power(X: Floats) -> float:
    from bench.peers import numba_pairs

    return numba_pairs.any_power(np.ascontiguousarray(X), ANY_POWER)


information_manhattan = pairs_manhattan


def ild_euclidean(original: Floats, masked: Floats) -> float:
    from bench.peers import numba_pairs

    return 1.0 - numba_pairs.squares(masked.T) / numba_pairs.squares(original.T)
