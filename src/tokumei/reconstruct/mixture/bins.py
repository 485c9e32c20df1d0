"""Many records as few: equal bins much narrower than the noise, each with its mean and count."""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats

# Below this many records bins save nothing.
FEWEST_RECORDS = 10_000
WIDTH = 0.01


def binned(y: Floats, counts: Floats, width: float) -> tuple[Floats, Floats]:
    """Means and counts of the bins that hold records. y ascends, in units of the noise's scale.

    The log-likelihood changes by n width^2 / 24 times the mean curvature of the log density, which,
    where the mixture fits, is minus its Fisher information: at most 1, that of the noise.
    """
    place = np.floor((y - y[0]) / width)
    _, place = np.unique(place, return_inverse=True)
    held = np.asarray(np.bincount(place, weights=counts), dtype=np.float64)
    sums = np.asarray(np.bincount(place, weights=counts * (y - y[0])), dtype=np.float64)
    return y[0] + sums / held, held
