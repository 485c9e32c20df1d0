"""microagg1d: the best partition by one attribute.

As called (for k <= 21: method "simple", stable=1) it is not optimal, and of the modes with stable=0
three missed the optimum on small tables and the fourth, "simple", on a large one. "staggered" with
stable=1, its default for larger k, was optimal in every trial and is what is measured here, though
it is among the slowest: docs/benchmarks.md has the times of the others.
"""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from bench.kernel import Labels
from bench.peers.declined import Declined
from bench.problems import Floats


def available() -> bool:
    return find_spec("microagg1d") is not None


def univariate(X: Floats, k: int) -> Labels:
    if len(X) == 2 * k:
        msg = "labels of 2k records come in sorted order, not in the order of the rows"
        raise Declined(msg)
    from microagg1d import univariate_microaggregation

    labels = univariate_microaggregation(X[:, 0].copy(), k, method="staggered", stable=1)
    return np.asarray(labels, dtype=np.int64)
