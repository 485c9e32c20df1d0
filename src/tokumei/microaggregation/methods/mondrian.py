"""Mondrian: groups from halving the table at medians, for publishing groups as ranges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.microaggregation.mixed import scaled_records
from tokumei.microaggregation.records import Table


def mondrian(
    X: ArrayLike,
    k: int,
    *,
    categorical: Sequence[Any] | None = None,
    strict: bool = True,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Partition records into groups of at least k by halving the table at medians (Mondrian).

    A group is cut in two across the attribute in which its range is the largest share of the range
    of the whole table, next to its median; if a half would have less than k records, across the
    next widest one; if no attribute can be cut, the group is final.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. The scale of the attributes does not matter.
    k : int
        Smallest group size, from 1 to n.
    categorical : sequence, optional
        Columns of `X` that hold categories, see `partition`.
    strict : bool
        Whether records of equal value in the cut attribute stay together, so that groups do not
        overlap. If not, records that equal the median are divided, the lowest rows going down, and
        every group of 2k or more is cut.
    n_threads, callback
        How it is run, see `partition`; neither changes a label.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record; groups are numbered from 0 in the order of their first record.
        Groups have k to 2k-1 records if not strict or if no values are equal; more where equal
        values forbid a cut: a table of equal rows is one group.

    Notes
    -----
    A category is its rank by frequency in the table, the most frequent first, of equals the first
    met; its range in a group is the number of different ones less one, as a share of that in the
    table. The median is the middle value, of two the lower. If strict, all records that equal it go
    to the side that leaves the halves more equal, down if that makes no difference; the article
    always sends them down and so cannot cut where the median is the largest value. Of equally wide
    attributes the first is taken, numbers first. The time grows with ``n d log(n / k)``.

    References
    ----------
    K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", 22nd
    International Conference on Data Engineering, 2006.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.microaggregation.mondrian([[1, 5], [2, 5], [9, 5], [8, 6]], k=2)
    array([0, 0, 1, 1])
    """
    x = scaled_records(X, categorical)
    k = _check.group_size(k, len(x))
    strict = _check.flag(strict, "strict")
    return mondrian_of(x, k, _check.run(n_threads, callback), strict)


def mondrian_of(x: Table, k: int, run: _check.Run, strict: bool = True) -> _check.Labels:
    """`mondrian` of a checked table."""
    labels = np.empty(len(x), dtype=np.int64)
    _kernels.mondrian(x, k, strict, labels, run)
    return labels
