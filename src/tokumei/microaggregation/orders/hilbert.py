"""The order of records along a Hilbert curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import order as _kernels

MOST_HILBERT_BITS = 31


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
    n_threads, callback
        How it is run, see `partition`; neither changes the order.

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
