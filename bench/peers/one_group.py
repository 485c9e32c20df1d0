"""The competitor that does nothing: all records in one group, data copied as they are.

Nobody is faster, and no partition loses more.
"""

from __future__ import annotations

import numpy as np

from bench.kernel import Labels
from bench.problems import Floats


def available() -> bool:
    return True


def mdav(X: Floats, k: int) -> Labels:
    return np.zeros(len(X), dtype=np.int64)


vmdav = kmember = mondrian = flexdice = univariate = mdav


def cut(X: Floats, way: Labels, k: int) -> Labels:
    return np.zeros(len(X), dtype=np.int64)


def mil(X: Floats, labels: Labels, k: int) -> Labels:
    return np.zeros(len(X), dtype=np.int64)


def npn_order(X: Floats) -> Labels:
    """The records as they come."""
    return np.arange(len(X))


grid_order = flexdice_order = hilbert_order = npn_order


def aggregate(X: Floats, labels: Labels) -> Floats:
    return X.copy(order="F")


def standardize(X: Floats) -> Floats:
    return X.copy(order="F")
