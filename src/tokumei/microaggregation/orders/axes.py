"""Orders of records by one number each: an attribute, the first principal axis, a Hilbert curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import order as _kernels

MOST_HILBERT_BITS = 31


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
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes nothing.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1.

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


def hilbert_order(
    X: ArrayLike,
    *,
    bits: int | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Order records along a Hilbert curve through space.

    The curve visits every cell of a fine grid and goes from each to one next to it, so records that
    are near on the curve are near in space. It is by far the fastest of the orders that look at
    all attributes.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. Each attribute is scaled to its own range.
    bits : int, optional
        Each attribute is cut into ``2**bits`` cells, 1 to 31. By default as many as make keys of
        128 bits, but from 16 to 31.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes nothing.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1.

    Returns
    -------
    ndarray of int64, shape (n,)
        The rows of `X` in their new order; in one cell the lowest row comes first.

    References
    ----------
    J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 2004.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.microaggregation.hilbert_order([[0, 0], [1, 0], [0, 1], [1, 1]])
    array([0, 2, 3, 1])
    """
    x = _check.scaled_table(X)
    if bits is not None:
        bits = _check.between(bits, 1, MOST_HILBERT_BITS, "bits")
    return hilbert_order_of(x, _check.run(n_threads, callback), bits)


def hilbert_order_of(x: _check.Floats, run: _check.Run, bits: int | None = None) -> _check.Labels:
    """`hilbert_order` of a checked table, on cells of so many bits or of as many as suit it."""
    if bits is None:
        bits = min(max(16, -(-128 // x.shape[1])), MOST_HILBERT_BITS)
    order = np.empty(len(x), dtype=np.int64)
    _kernels.hilbert_order(x, bits, order, run)
    return order
