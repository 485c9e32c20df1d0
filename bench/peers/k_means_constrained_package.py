"""k-means-constrained: k-means whose clusters have a least size, by flows of minimum cost.

It takes a number of clusters: as many as there can be with k records in each. One start, as more
would each cost as much again.
"""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from bench.kernel import Labels
from bench.problems import SEED, Floats


def available() -> bool:
    return find_spec("k_means_constrained") is not None


def mdav(X: Floats, k: int) -> Labels:
    from k_means_constrained import KMeansConstrained

    clusters = max(1, len(X) // k)
    method = KMeansConstrained(clusters, size_min=k, n_init=1, random_state=SEED, n_jobs=1)
    labels: Labels = method.fit_predict(np.ascontiguousarray(X)).astype(np.int64)
    return labels
