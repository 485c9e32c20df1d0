"""MDAV: groups of k around the records farthest apart; whole, or inside blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.microaggregation.mixed import scaled_records
from tokumei.microaggregation.records import Table

# Records a block of "block_mdav"; larger blocks lose less and take longer.
BLOCK = 1000


def mdav(
    X: ArrayLike,
    k: int,
    *,
    categorical: Sequence[Any] | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Partition records into groups of at least k by MDAV.

    While 3k records or more remain, the record farthest from their mean and its k-1 nearest form a
    group, then the record farthest from that one and its k-1 nearest; the last 2k to 3k-1 records
    form two groups, fewer form one. All groups but the last have exactly k records.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. Distances are Euclidean on the values as they are: `standardize`
        first, unless the attributes share a scale.
    k : int
        Smallest group size, from 1 to n.
    categorical : sequence, optional
        Columns of `X` that hold categories, see `partition`.
    n_threads, callback
        How it is run, see `partition`; neither changes a label.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record; groups are numbered from 0 in the order of their first record.

    Notes
    -----
    Ties go to the lowest row: of equally far records the first is taken, of equally near ones too.
    The record opposite is looked for among those that are not in the group just formed. The groups
    are exactly those of comparing every record with every other, but most comparisons are ruled out
    by bounds: time depends on how the data fill space. Memory: about twice the data.

    References
    ----------
    J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation", Data Mining and Knowledge Discovery 11, 2005.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.mdav([[1], [2], [10], [11], [3], [12]], k=3)
    array([0, 0, 1, 1, 0, 1])
    """
    x = scaled_records(X, categorical)
    k = _check.group_size(k, len(x))
    return mdav_of(x, k, _check.run(n_threads, callback))


def mdav_of(x: Table, k: int, run: _check.Run) -> _check.Labels:
    """`mdav` of a checked table."""
    labels = np.empty(len(x), dtype=np.int64)
    _kernels.mdav(x, k, labels, run)
    return labels


def block_mdav_of(x: Table, k: int, run: _check.Run) -> _check.Labels:
    """MDAV inside blocks of about a thousand neighbouring records, of a checked table."""
    labels = np.empty(len(x), dtype=np.int64)
    _kernels.block_mdav(x, k, BLOCK, labels, run)
    return labels
