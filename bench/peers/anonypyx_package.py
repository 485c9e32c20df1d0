"""anonypyx: MDAV on pandas, with a matrix of all distances."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from bench.kernel import Labels
from bench.peers.declined import Declined
from bench.problems import Floats

# The matrix is built twice over; at this size it takes 0.4 GB.
MOST_ROWS = 5_000


def available() -> bool:
    return find_spec("anonypyx") is not None


def mdav(X: Floats, k: int) -> Labels:
    if len(X) > MOST_ROWS:
        msg = f"needs a matrix of {len(X):,} x {len(X):,} distances"
        raise Declined(msg)
    import pandas as pd
    from anonypyx.microaggregation import MDAVGeneric

    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    # Without a categorical attribute it takes distances between empty rows, which are NaN, and so
    # starts from the first record instead of the farthest. A constant one makes its answer right.
    frame["same"] = pd.Categorical(np.zeros(len(X), dtype=np.int64))
    labels = np.empty(len(X), dtype=np.int64)
    for group, rows in enumerate(MDAVGeneric(frame, list(frame.columns)).partition(k)):
        labels[np.asarray(rows)] = group
    return labels
