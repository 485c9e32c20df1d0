"""From groups to the values that are published."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import groups as _groups
from tokumei.microaggregation.partition import partition


def aggregate(
    X: ArrayLike, labels: ArrayLike, *, how: str = "mean", n_threads: int | None = None
) -> _check.Floats:
    """Replace every record by the representative of its group.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. Never written to.
    labels : array_like of int, shape (n,)
        The group of each record, as `partition` returns it.
    how : {"mean"}
        The representative.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Returns
    -------
    ndarray of shape (n, d)
        The masked table, rows in the order of `X`.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.aggregate([[1], [2], [10], [12]], [0, 0, 1, 1])
    array([[ 1.5],
           [ 1.5],
           [11. ],
           [11. ]])
    """
    x = _check.table(X)
    group, groups = _check.labels(labels, len(x))
    _check.one_of(how, ("mean",), "how")
    out = np.empty_like(x)
    _groups.aggregate_means(x, group, groups, out, _check.threads(n_threads))
    return out


def microaggregate(
    X: ArrayLike,
    k: int,
    *,
    method: str = "auto",
    how: str = "mean",
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Floats:
    """Mask a table so that every published record is shared by at least k.

    It is ``aggregate(X, partition(X, k))``: see `partition` and `aggregate` for the arguments.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.microaggregate([[1], [2], [10], [12]], k=2)
    array([[ 1.5],
           [ 1.5],
           [11. ],
           [11. ]])
    """
    x = _check.table(X)
    labels = partition(x, k, method=method, n_threads=n_threads, callback=callback)
    return aggregate(x, labels, how=how, n_threads=n_threads)
