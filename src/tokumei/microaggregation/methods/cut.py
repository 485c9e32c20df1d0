"""The best cut: of an order of the records, or of one attribute."""

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
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no label.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1.

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
    x = _check.table_in_place(X, largest=LARGEST_TO_CUT)
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


def univariate(
    x: ArrayLike,
    k: int,
    *,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Partition the records by one attribute, with the least sum of squares there is.

    No partition into groups of at least k has a smaller `loss.sse` than the result.

    Parameters
    ----------
    x : array_like of shape (n,) or (n, 1)
        Numbers, one a record. Any finite values will do.
    k : int
        Smallest group size, from 1 to n. Groups have k to 2k-1 records, or all n if n < 2k.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no label.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record; groups are numbered from 0 in the order of their first record.

    Notes
    -----
    Groups are stretches of the sorted values, equal values in row order. Time grows with n log k.
    The sum of squares is within 1e-12 (relatively) of the least possible, also for data far from
    zero; ties are those of `cut`.

    References
    ----------
    S. L. Hansen, S. Mukherjee, "A polynomial algorithm for optimal univariate microaggregation",
    IEEE Transactions on Knowledge and Data Engineering 15, 2003.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.univariate([5, 1, 5.1, 0.9], k=2)
    array([0, 1, 0, 1])
    """
    column = _check.column(x)
    k = _check.group_size(k, len(column))
    return univariate_of(column, k, _check.run(n_threads, callback))


def univariate_of(x: _check.Floats, k: int, run: _check.Run) -> _check.Labels:
    """`univariate` of a checked attribute."""
    labels = np.empty(len(x), dtype=np.int64)
    _kernels.univariate(x, k, labels, run)
    return labels
