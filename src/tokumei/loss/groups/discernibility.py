"""Discernibility: with how many records each record can be confused."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.values.columns import column


def dm(labels: ArrayLike, k: int) -> int:
    """Discernibility metric: with how many records each record can be confused, summed.

    A group E of at least k records costs ``|E|**2``; a smaller one is taken as suppressed and costs
    ``n * |E|``, n being the number of all records.

    Parameters
    ----------
    labels : array_like of int, shape (n,)
        The group of each record.
    k : int
        Smallest group size, from 1 to n.

    Returns
    -------
    int
        From n (all alone, k = 1) to ``n**2``.

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
    return int(np.where(sizes >= k, sizes * sizes, rows * sizes).sum())
