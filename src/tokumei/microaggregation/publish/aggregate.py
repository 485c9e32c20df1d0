"""From groups to the values that are published."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import groups as _groups


def aggregate(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    how: str = "mean",
    record_weights: ArrayLike | None = None,
    n_threads: int | None = None,
) -> _check.Floats:
    """Replace every record by the representative of its group.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. Never written to.
    labels : array_like of int, shape (n,)
        The group of each record, as `partition` returns it.
    how : {"mean", "median"}
        The representative. The median of an even number of values is the mean of the middle two.
    record_weights : array_like of shape (n,), optional
        Survey weights: the mean becomes the weighted mean. Each group needs a positive one.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Returns
    -------
    ndarray of shape (n, d)
        The masked table, rows in the order of `X`.

    See Also
    --------
    tokumei.microaggregation.represent : mode, set, interval and others for one column of any kind.

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
    _check.one_of(how, ("mean", "median"), "how")
    run = _check.run(n_threads, None)
    out = np.empty_like(x)
    if record_weights is not None:
        weights = _check.weights(record_weights, len(x), "record_weights")
        _weighable(weights, group, how)
        _groups.aggregate_weighted_means(x, group, weights, groups, out, *run)
    elif how == "median":
        _groups.aggregate_medians(x, group, groups, out, *run)
    else:
        _groups.aggregate_means(x, group, groups, out, *run)
    return out


def _weighable(weights: _check.Floats, group: _check.Labels, how: str) -> None:
    if how != "mean":
        msg = f"record_weights go with how='mean', got how={how!r}"
        raise ValueError(msg)
    weightless = int((np.bincount(group, weights)[np.unique(group)] <= 0).sum())
    if weightless:
        msg = f"record_weights are all zero in {weightless} groups"
        raise ValueError(msg)
