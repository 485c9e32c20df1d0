"""Orders of records by one number each: an attribute, or the first principal axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import order as _kernels


def column_order(X: ArrayLike, column: int = 0) -> _check.Labels:
    """Order records by one attribute, ascending.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record.
    column : int, default 0
        The attribute to order by, from 0 to d-1.

    Returns
    -------
    ndarray of int64, shape (n,)
        The rows of `X` in their new order; of equal values the lowest row comes first.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.microaggregation.column_order([[3, 1], [1, 2], [3, 0]], column=0)
    array([1, 0, 2])
    """
    x = _check.table(X, largest=None)
    column = _check.between(column, 0, x.shape[1] - 1, "column")
    return column_order_of(x, _check.run(1), column)


def column_order_of(x: _check.Floats, run: _check.Run, column: int = 0) -> _check.Labels:
    """`column_order` of a checked table."""
    order = np.empty(len(x), dtype=np.int64)
    _kernels.column_order(x[:, column], order, run)
    return order


def principal_order(
    X: ArrayLike, *, n_threads: int | None = None, callback: _check.Callback | None = None
) -> _check.Labels:
    """Order records by their projections on the first principal axis, ascending.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, on a common scale (see `standardize`).
    n_threads, callback
        How it is run, see `partition`; neither changes the order.

    Returns
    -------
    ndarray of int64, shape (n,)
        The rows of `X` in their new order; of equal projections the lowest row comes first.

    Notes
    -----
    The axis is the eigenvector of the covariance's largest eigenvalue; its component of largest
    size is made positive, so the same table gives the same order everywhere. Where no direction is
    longest, the axis is one of many, and still the same everywhere.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.microaggregation.principal_order([[5, 5], [0, 1], [9, 8]])
    array([1, 0, 2])
    """
    return principal_order_of(_check.scaled_table(X), _check.run(n_threads, callback))


def principal_order_of(x: _check.Floats, run: _check.Run) -> _check.Labels:
    """`principal_order` of a checked table."""
    order = np.empty(len(x), dtype=np.int64)
    _kernels.principal_order(x, order, run)
    return order
