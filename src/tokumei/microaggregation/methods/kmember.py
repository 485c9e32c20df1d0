"""Greedy k-member clustering: groups whose ranges grow least, for publishing groups as ranges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.microaggregation.mixed import scaled_records
from tokumei.microaggregation.records import Table

# Of more records each block is grouped by itself: the whole would take minutes. Larger blocks leave
# narrower groups and take longer.
LARGEST_WHOLE, BLOCK = 131_072, 32_768


def kmember(
    X: ArrayLike,
    k: int,
    *,
    categorical: Sequence[Any] | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Partition records into groups of at least k by greedy k-member clustering.

    The loss of a group is its size times the sum, over the attributes, of its range as a share of
    the range of the whole table. While k records or more are in no group, the one farthest from the
    seed of the group before is the seed of the next, and is joined by the record that raises the
    loss least until the group has k. The last records, less than k, each go to the group whose loss
    they raise least.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. The scale of the attributes does not matter.
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
        Groups have k records, and those that the last records join up to 2k-1.

    Notes
    -----
    The distance of two records is the sum of their absolute differences as shares of the ranges. A
    column of categories stands for one column of 0 and 1 for each of them: two different ones are 2
    apart, and its range in a group is the number of its categories there, 0 where all agree.
    The article starts from a random record; here the first seed is the record farthest from the
    mean of all. The last records go in the order of their rows, each counting for the next. Ties go
    to the lowest row, or to the group that holds the lowest row.

    A table of more than 131,072 records is cut into blocks of at most 32,768 neighbours (or 4k),
    each of which is grouped by itself; ranges are those of the whole table. Otherwise the groups
    are exactly those of comparing every record with every other, but most comparisons are ruled out
    by bounds; finding the seeds comes near to a scan for each group where many
    attributes fill space evenly. Memory: about three times the data.

    References
    ----------
    J.-W. Byun, A. Kamra, E. Bertino, N. Li, "Efficient k-anonymization using clustering
    techniques", Database Systems for Advanced Applications, 2007.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.microaggregation.kmember([[1], [2], [10], [11], [3], [12]], k=3)
    array([0, 0, 1, 1, 0, 1])
    """
    x = scaled_records(X, categorical)
    k = _check.group_size(k, len(x))
    return kmember_of(x, k, _check.run(n_threads, callback))


def kmember_of(x: Table, k: int, run: _check.Run) -> _check.Labels:
    """`kmember` of a checked table."""
    labels = np.empty(len(x), dtype=np.int64)
    if len(x) > LARGEST_WHOLE:
        _kernels.block_kmember(x, k, BLOCK, labels, run)
    else:
        _kernels.kmember(x, k, labels, run)
    return labels
