"""The plain truth that tests lean on: tests/oracle, loaded from where it lies."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from bench.kernel import Labels
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


def aggregate(X: Floats, labels: Labels) -> Floats:
    masked: Floats = _oracle().aggregate(X, labels)
    return masked


def standardize(X: Floats) -> Floats:
    scaled: Floats = _oracle().standardize(X)
    return scaled


def sse(X: Floats, labels: Labels) -> float:
    return float(_oracle().exact_sse(X, labels))


def em_iteration(X: Floats, weights: Floats, means: Floats, deviations: Floats) -> Floats:
    # Needs mpmath, so it is not part of what the oracle loads for everyone.
    _oracle()
    step = import_module("tokumei_oracle.mixtures").em_step
    sums, loglik = step(X[:, 0], np.ones(len(X)), weights, means, deviations)
    return np.append(sums.ravel(), loglik)
