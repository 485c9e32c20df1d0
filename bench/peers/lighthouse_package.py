"""project-lighthouse-anonymize: Mondrian on pandas, groups released as their means.

Its release asks for a numpy below 2, which tokumei does not run with; installed without its
dependencies (``nox -s bench`` does) it runs with the newer one.
"""

from __future__ import annotations

import logging
from importlib.util import find_spec

import numpy as np

from bench.kernel import Labels
from bench.problems import Floats


def available() -> bool:
    return find_spec("project_lighthouse_anonymize") is not None


def mondrian(X: Floats, k: int) -> Labels:
    import pandas as pd
    from project_lighthouse_anonymize.mondrian.original import OriginalMondrian

    names = [f"x{j}" for j in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    masked = OriginalMondrian(logging.getLogger("lighthouse"), k).anonymize(frame, names)
    means = masked.sort_index()[names].to_numpy()
    labels: Labels = np.unique(means, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return labels
