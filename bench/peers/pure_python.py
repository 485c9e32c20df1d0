"""The plain truth that tests lean on: tests/oracle, loaded from where it lies."""

from __future__ import annotations

import math
import sys
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from bench.kernel import Labels, sum_of_squares
from bench.kernels.distance_arguments import PARENT_OF, Mixed, Words
from bench.kernels.distances import ANY_POWER
from bench.kernels.reconstruct import PASSES
from bench.problems import Floats

PATH = Path(__file__).resolve().parents[2] / "tests" / "oracle" / "__init__.py"


def available() -> bool:
    return PATH.is_file()


@cache
def _oracle() -> Any:
    # A package: its modules find one another under the name it is loaded by.
    spec = spec_from_file_location(
        "tokumei_oracle", PATH, submodule_search_locations=[str(PATH.parent)]
    )
    if spec is None or spec.loader is None:
        msg = f"cannot load {PATH.name}"
        raise ImportError(msg)
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mdav(X: Floats, k: int) -> Labels:
    labels: Labels = _oracle().mdav(X, k)
    return labels


def nearest_centres(X: Floats, centres: Floats) -> Labels:
    return np.array(_oracle().nearest_centres(X, centres), dtype=np.int64)


def aggregate(X: Floats, labels: Labels) -> Floats:
    masked: Floats = _oracle().aggregate(X, labels)
    return masked


def standardize(X: Floats) -> Floats:
    scaled: Floats = _oracle().standardize(X)
    return scaled


def sse(X: Floats, labels: Labels) -> float:
    return float(_oracle().exact_sse(X, labels))


def _pairs(X: Floats, p: float) -> float:
    truth = _oracle()
    total: float = truth.information(X.tolist(), lambda a, b: truth.minkowski(a, b, p))
    return total


def pairs_manhattan(X: Floats) -> float:
    return _pairs(X, 1.0)


def pairs_chebyshev(X: Floats) -> float:
    return _pairs(X, math.inf)


def pairs_cubes(X: Floats) -> float:
    return _pairs(X, 3.0)


def pairs_any_power(X: Floats) -> float:
    return _pairs(X, ANY_POWER)


information_manhattan = pairs_manhattan


def information_levenshtein(words: Words) -> float:
    total: float = _oracle().information(words[:, 0].tolist(), _oracle().levenshtein)
    return total


def information_normalized(words: Words) -> float:
    truth = _oracle()
    total: float = truth.information(words[:, 0].tolist(), truth.normalized(truth.levenshtein))
    return total


def information_damerau(words: Words) -> float:
    total: float = _oracle().information(words[:, 0].tolist(), _oracle().damerau_levenshtein)
    return total


def _euclidean(a: list[float], b: list[float]) -> float:
    distance: float = _oracle().minkowski(a, b, 2.0)
    return distance


def ild_euclidean(original: Floats, masked: Floats) -> float:
    return float(_oracle().ild(original.tolist(), masked.tolist(), _euclidean))


def ild_discrete(original: Labels, masked: Labels) -> float:
    return float(_oracle().ild(original[:, 0].tolist(), masked[:, 0].tolist(), _oracle().discrete))


def ild_tree(original: Labels, masked: Labels) -> float:
    apart = _oracle().tree(PARENT_OF)
    return float(_oracle().ild(original[:, 0].tolist(), masked[:, 0].tolist(), apart))


def ild_mixed(original: Mixed, masked: Mixed) -> float:
    """Every attribute counts one over its amount, and so alike."""
    losses = []
    for name, before in original.columns.items():
        apart = (lambda a, b: abs(a - b)) if original.is_number(name) else _oracle().discrete
        losses.append(_oracle().ild(before.tolist(), masked.columns[name].tolist(), apart))
    return float(sum(losses)) / len(losses)


def npn_order(X: Floats) -> Labels:
    order: Labels = _oracle().nearest_point_next(X)
    return order


def grid_order(X: Floats) -> Labels:
    from bench.kernels.orders import blocks_per_axis

    order: Labels = _oracle().grid_order(X, [blocks_per_axis(X)] * X.shape[1])
    return order


def flexdice_order(X: Floats, c1: int = 256) -> Labels:
    order: Labels = _oracle().flexdice_order(X, c1, 0, 1)
    return order


def hilbert_order(X: Floats) -> Labels:
    order: Labels = _oracle().hilbert_order(X, min(max(16, -(-128 // X.shape[1])), 31))
    return order


def cut(X: Floats, way: Labels, k: int) -> float:
    return float(_oracle().least_cut(X, way, k))


def flexdice(X: Floats, k: int) -> float:
    return cut(X, flexdice_order(X, 1024 if k <= 5 else 256 if k < 25 else 64), k)


def univariate(X: Floats, k: int) -> float:
    return float(_oracle().least_univariate(X[:, 0], k))


def mil(X: Floats, labels: Labels, k: int) -> Labels:
    moved: Labels = _oracle().mil(X[:, 0], labels, k)[0]
    return moved


def vmdav(X: Floats, k: int) -> Labels:
    labels: Labels = _oracle().vmdav(X, k, 1.0)
    return labels


def kmember(X: Floats, k: int) -> Labels:
    labels: Labels = _oracle().kmember(X, k)
    return labels


def mondrian(X: Floats, k: int) -> Labels:
    labels: Labels = _oracle().mondrian(X, k)
    return labels


def em_iteration(X: Floats, weights: Floats, means: Floats, deviations: Floats) -> Floats:
    # Needs mpmath, so it is not part of what the oracle loads for everyone.
    _oracle()
    step = import_module("tokumei_oracle.mixtures").em_step
    sums, loglik = step(X[:, 0], np.ones(len(X)), weights, means, deviations)
    return np.append(sums.ravel(), loglik)


def bayes_passes(X: Floats, scale: float) -> Floats:
    truth, points = _oracle(), np.arange(len(X) - 2.0)
    matrix = truth.point_matrix(np.append(points, len(points)) - 0.5, points, scale)
    p: Floats = np.full(len(points), 1.0 / len(points))
    for _ in range(PASSES):
        p = truth.bayes_pass(matrix, X[:, 0], p)
    return p


def refine(X: Floats, labels: Labels, k: int) -> float:
    return sum_of_squares(X, _oracle().local_search(X, labels, k))
