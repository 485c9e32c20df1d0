"""The best cut of an order of the records."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import cut as _kernels
from tokumei.microaggregation.records import Records, Table

# Squares of sums of such values over any group stay finite.
LARGEST_TO_CUT = 1e130


def cut(
    X: ArrayLike,
    order: ArrayLike,
    k: int,
    *,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Cut an order of the records into groups of at least k, with the least sum of squares.

    Of all partitions whose groups are stretches of the order, the result has the least `loss.sse`
    (multivariate Hansen-Mukherjee). The order decides how good that is: a path that goes from
    neighbour to neighbour makes good groups.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. Distances are Euclidean on the values as they are: `standardize`
        first, unless the attributes share a scale.
    order : array_like of int, shape (n,)
        The rows in the order to cut, each row 0 to n-1 once.
    k : int
        Smallest group size, from 1 to n. Groups have k to 2k-1 records, or all n if n < 2k.
    n_threads, callback
        How it is run, see `partition`; neither changes a label.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each row of X; groups are numbered from 0 in the order of their first record.

    Notes
    -----
    Time grows with n k d, memory with k d. The sum of squares is within 1e-12 (relatively) of the
    least possible, also for data far from zero. Between cuts that differ by less, rounding decides,
    the same on every machine; of cuts that come out equal the one with the shorter last group is
    taken.

    References
    ----------
    J. Domingo-Ferrer, A. Martinez-Balleste, J. M. Mateo-Sanz, F. Sebe, "Efficient multivariate
    data-oriented microaggregation", The VLDB Journal 15, 2006.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.cut([[0], [9], [1], [8], [2]], order=[0, 2, 4, 3, 1], k=2)
    array([0, 1, 0, 1, 0])
    """
    x = _check.in_scale(_check.table_in_place(X, largest=LARGEST_TO_CUT))
    rows = _check.permutation(order, len(x))
    k = _check.group_size(k, len(x))
    return cut_of(x, rows, k, _check.run(n_threads, callback))


def cut_of(x: Table, order: _check.Labels, k: int, run: _check.Run) -> _check.Labels:
    """`cut` of a checked table and order."""
    labels = np.empty(len(x), dtype=np.int64)
    if isinstance(x, Records):
        _kernels.cut_records(x, order, k, labels, run)
    else:
        _kernels.cut(x, not x.flags.f_contiguous, order, k, labels, run)
    return labels
