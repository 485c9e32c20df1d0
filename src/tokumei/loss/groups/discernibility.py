"""Discernibility: with how many records each record can be confused."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.loss.tables.counts import weighed
from tokumei.values.columns import column


def dm(labels: ArrayLike, k: int, *, record_weights: ArrayLike | None = None) -> float:
    """Discernibility metric: with how many records each record can be confused, summed.

    A group E of at least k records costs ``|E|**2``; a smaller one is taken as suppressed and costs
    ``n * |E|``, n being the number of all records.

    Parameters
    ----------
    labels : array_like of int, shape (n,)
        The group of each record.
    k : int
        Smallest group size, from 1 to n.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for; k counts those that are there.

    Returns
    -------
    int or float
        From n (all alone, k = 1) to ``n**2``; with weights a float, n being their sum.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.dm([0, 0, 0, 0, 1, 1, 1, 1], k=3)
    32
    >>> tk.loss.dm([0, 1, 1, 1, 2, 2, 2, 2], k=3)
    33
    """
    rows = len(column(labels, "labels"))
    group, groups = _check.labels(labels, rows)
    k = _check.group_size(k, rows)
    sizes = np.bincount(group, minlength=groups)
    weights = weighed(record_weights, rows)
    if weights is not None:
        held = np.bincount(group, weights, groups)
        return math.fsum(held * np.where(sizes >= k, held, math.fsum(weights)))
    return int(np.where(sizes >= k, sizes * sizes, rows * sizes).sum())
