"""Distances between the numbers of a table and of its masked one, attribute by attribute."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei._check import Floats
from tokumei.loss.tables.counts import weighed
from tokumei.loss.tables.statistics import mean_and_variance, mean_of, pairs_of, ratio


def il1s(original: Any, masked: Any, *, record_weights: ArrayLike | None = None) -> float:
    """Mean absolute change of the numbers of a table, scaled attribute by attribute.

    ``IL1s = 1/(n d) * sum_ij |x_ij - x'_ij| / (sqrt(2) * S_j)``, S_j being the standard deviation
    of attribute j in `original` with divisor n - 1.

    Parameters
    ----------
    original, masked : table of n records, numbers only
        Mappings of columns, dataframes, or arrays of shape (n, d), with the same columns.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.

    Returns
    -------
    float
        0 where nothing changed. An attribute that is constant in `original` adds nothing where it
        is unchanged; where it changed the result is infinite.

    Notes
    -----
    The formula is that of Mateo-Sanz, Sebe and Domingo-Ferrer (2004). Older versions of sdcMicro
    multiply by the square root where it divides, and so show twice as much.

    Examples
    --------
    >>> import tokumei as tk
    >>> round(tk.loss.il1s([[1], [2], [3], [4]], [[1.5], [1.5], [3.5], [3.5]]), 6)
    0.273861
    """
    pairs = pairs_of(original, masked)
    weights = weighed(record_weights, len(pairs[0][0]))
    return math.fsum(scaled_distance(x, y, weights) for x, y in pairs) / len(pairs)


def scaled_distance(x: Floats, y: Floats, weights: Floats | None = None) -> float:
    """Mean absolute change of one attribute over sqrt(2) sample standard deviations."""
    distance = mean_of(np.abs(x - y), weights)
    if distance == 0.0:
        return 0.0
    _, variance = mean_and_variance(x - x[0], weights)
    return ratio(distance, math.sqrt(2 * variance * len(x) / max(len(x) - 1, 1)))


def squared_share(x: Floats, y: Floats, weights: Floats | None = None) -> float:
    """Squared changes of one attribute over its squared deviations from the mean."""
    _, variance = mean_and_variance(x - x[0], weights)
    return ratio(mean_of(np.square(x - y), weights), variance)
