"""Groups grown record by record around extreme records: MDAV and V-MDAV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.microaggregation.mixed import scaled_records
from tokumei.microaggregation.options import Rest
from tokumei.microaggregation.records import Table, sse_of

# Records a block of "block_mdav"; larger blocks lose less and take longer.
BLOCK = 1000
# What gamma="auto" tries: no extension, the literature's 0.2 and 1.1, the best between and beyond.
GAMMAS = (0.0, 0.2, 0.5, 0.65, 0.8, 1.1, 1.5, 3.0)


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


def vmdav(
    X: ArrayLike,
    k: int,
    *,
    categorical: Sequence[Any] | None = None,
    gamma: float | Literal["auto"] = 1.0,
    rest: Rest = "record",
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Partition records into groups of at least k by V-MDAV: MDAV with groups of variable size.

    While k records or more are in no group, the one farthest from the mean of all records and its
    k-1 nearest form a group. The group then takes in, up to 2k-1 in all, the ungrouped record
    nearest to any of its records, as long as ``d_in < gamma * d_out``: `d_in` is the distance of
    that record to the group, `d_out` that to the nearest other ungrouped record. The last records,
    less than k, each join the group of the record nearest to them.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. Distances are Euclidean on the values as they are: `standardize`
        first, unless the attributes share a scale.
    k : int
        Smallest group size, from 1 to n.
    categorical : sequence, optional
        Columns of `X` that hold categories, see `partition`.
    gamma : float or "auto"
        How readily groups are extended, 0 or more. 0 extends none: groups of k. The literature has
        0.2 for scattered and 1.1 for clustered data; far above 1 nearly all groups reach 2k-1.
        "auto" tries eight values from 0 to 3 and keeps the partition of lowest sum of squares, of
        equals that of the lowest gamma; it takes about eight times as long.
    rest : {"record", "mean"}
        What the last records go by: the nearest record that is in a group, or the nearest mean of a
        group. By records is how the tables of the ILD thesis were made.
    n_threads, callback
        How it is run, see `partition`; neither changes a label.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record; groups are numbered from 0 in the order of their first record.
        Groups have k to 2k-1 records, and those that the last records join up to k-1 more.

    Notes
    -----
    Ties go to the lowest row, or to the group that holds the lowest row. Distances are compared by
    their squares. A candidate that is the only record left joins if gamma is above 0. The records
    and means that the last records are compared with are those before any of them joined.

    The groups are exactly those of comparing every record with every other, but most comparisons
    are ruled out by bounds: about twice the time of `mdav`. Memory: about twice the data.

    References
    ----------
    A. Solanas, A. Martinez-Balleste, "V-MDAV: a multivariate microaggregation with variable group
    size", 17th COMPSTAT Symposium of the IASC, Rome, 2006.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.vmdav([[1], [2], [3], [10], [11]], k=2)
    array([0, 0, 0, 1, 1])
    >>> tk.vmdav([[1], [2], [3], [10], [11]], k=2, gamma="auto")
    array([0, 0, 0, 1, 1])

    The last record, 20, is nearer to 11 than to 34, but nearer to the mean of the other group:

    >>> x = [[3], [11], [20], [35], [34], [0]]
    >>> tk.vmdav(x, k=2)
    array([0, 0, 0, 1, 1, 0])
    >>> tk.vmdav(x, k=2, rest="mean")
    array([0, 0, 1, 1, 1, 0])
    """
    x = scaled_records(X, categorical)
    k = _check.group_size(k, len(x))
    by = _check.one_of(rest, get_args(Rest), "rest")
    return vmdav_of(x, k, _check.run(n_threads, callback), _check.gamma(gamma), by)


def vmdav_of(
    x: Table, k: int, run: _check.Run, gamma: float | None = 1.0, rest: str = "record"
) -> _check.Labels:
    """`vmdav` of a checked table; without a gamma the best of several."""
    if gamma is None:
        return _vmdav_of_lowest_loss(x, k, run, rest)
    labels = np.empty(len(x), dtype=np.int64)
    _kernels.vmdav(x, k, gamma, rest == "record", labels, run)
    return labels


def _vmdav_of_lowest_loss(x: Table, k: int, run: _check.Run, rest: str) -> _check.Labels:
    """Try every one of GAMMAS."""
    best, lowest, silent = np.empty(0, dtype=np.int64), np.inf, run.silent()
    for number, gamma in enumerate(GAMMAS):
        part = run.part(number / len(GAMMAS), (number + 1) / len(GAMMAS))
        labels = vmdav_of(x, k, part, gamma, rest)
        loss = sse_of(x, labels, int(labels.max()) + 1, silent)
        if loss < lowest:
            best, lowest = labels, loss
        if lowest == 0:
            break
    return best
