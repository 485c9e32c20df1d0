"""The nearest-point-next path: every record is followed by the nearest one left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import order as _kernels
from tokumei.microaggregation.mixed import scaled_records
from tokumei.microaggregation.records import Table


def npn_order(
    X: ArrayLike,
    *,
    categorical: Sequence[Any] | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Order records along a path from each to the nearest not yet visited.

    The path starts at the record farthest from the mean of all.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. Distances are Euclidean on the values as they are: `standardize`
        first, unless the attributes share a scale.
    categorical : sequence, optional
        Columns of `X` that hold categories, see `partition`.
    n_threads, callback
        How it is run, see `partition`; neither changes the order.

    Returns
    -------
    ndarray of int64, shape (n,)
        The rows in the order of the path: each row number once.

    Notes
    -----
    Ties go to the lowest row: of equally far records the first is taken, of equally near ones too.
    The path is exactly that of comparing every record with every other, but most comparisons are
    ruled out by bounds: time depends on how the data fill space. Memory: about twice the data.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.npn_order([[1], [2], [10], [11], [3], [12]])
    array([0, 1, 4, 2, 3, 5])
    """
    return npn_order_of(scaled_records(X, categorical), _check.run(n_threads, callback))


def npn_order_of(x: Table, run: _check.Run) -> _check.Labels:
    """`npn_order` of a checked table."""
    order = np.empty(len(x), dtype=np.int64)
    _kernels.npn_order(x, order, run)
    return order
