"""V-MDAV: groups around extreme records that grow where the next record is near."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.microaggregation.mixed import scaled_records
from tokumei.microaggregation.options import Rest
from tokumei.microaggregation.orders.hilbert import hilbert_order_of
from tokumei.microaggregation.records import Table, of_rows, on_axes, sse_of

# What gamma="auto" tries: no extension, the literature's 0.2 and 1.1, the best between and beyond.
GAMMAS = (0.0, 0.2, 0.5, 0.65, 0.8, 1.1, 1.5, 3.0)
# Of more records some stretches of neighbours decide which; a stretch has many groups.
LARGEST_TRIED = 131_072
STRETCHES, STRETCH, GROUPS_OF_A_STRETCH = 16, 4096, 256


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
        equals that of the lowest gamma; it takes about eight times as long. Of more than 131,072
        records the eight are tried on sixteen stretches of a Hilbert curve, and the best is taken
        for all.
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
    stretch = max(STRETCH, GROUPS_OF_A_STRETCH * k)
    if len(x) > max(LARGEST_TRIED, STRETCHES * stretch):
        gamma = _gamma_of_stretches(x, k, run.part(0.0, 0.2), rest, stretch)
        return vmdav_of(x, k, run.part(0.2, 1.0), gamma, rest)
    return _best_of_gammas(x, k, run, rest)[0]


def _best_of_gammas(
    x: Table, k: int, run: _check.Run, rest: str
) -> tuple[_check.Labels, dict[float, float]]:
    """The best labels, and the sum of squares of each gamma up to one that leaves nothing."""
    best, losses, silent = np.empty(0, dtype=np.int64), dict[float, float](), run.silent()
    for gamma, part in zip(GAMMAS, run.parts(len(GAMMAS)), strict=True):
        labels = vmdav_of(x, k, part, gamma, rest)
        loss = sse_of(x, labels, int(labels.max()) + 1, silent)
        if not losses or loss < min(losses.values()):
            best = labels
        losses[gamma] = loss
        if loss == 0:
            break
    return best, losses


def _gamma_of_stretches(x: Table, k: int, run: _check.Run, rest: str, stretch: int) -> float:
    """The gamma of lowest loss on stretches of neighbouring records, evenly spaced."""
    order = hilbert_order_of(on_axes(x), run.part(0.0, 0.2), None)
    totals = np.zeros(len(GAMMAS))
    for number in range(STRETCHES):
        first = number * (len(x) - stretch) // (STRETCHES - 1)
        some = of_rows(x, np.sort(order[first : first + stretch]))
        share = 0.2 + 0.8 * np.arange(number, number + 2) / STRETCHES
        part = run.part(float(share[0]), float(share[1]))
        losses = _best_of_gammas(some, k, part, rest)[1]
        totals += [losses.get(gamma, 0.0) for gamma in GAMMAS]
    return GAMMAS[int(np.argmin(totals))]
