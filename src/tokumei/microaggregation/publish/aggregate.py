"""From groups to the values that are published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.microaggregation.mixed import is_mixed
from tokumei.microaggregation.publish.in_kind import in_kind

HOW = ("mean", "median")


def aggregate(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    categorical: Sequence[Any] | None = None,
    how: str = "mean",
    record_weights: ArrayLike | None = None,
    n_threads: int | None = None,
) -> Any:
    """Replace every record by the representative of its group.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record; or numbers and categories. Never written to.
    labels : array_like of int, shape (n,)
        The group of each record, as `partition` returns it.
    categorical : sequence, optional
        Columns of `X` that hold categories, see `partition`. Of these the most frequent one of a
        group is published, of equals the first in order; of ordered ones the middle one, of two the
        lower.
    how : {"mean", "median"}
        The representative of numbers. The median of an even number of values is the mean of the
        middle two.
    record_weights : array_like of shape (n,), optional
        Survey weights: the mean becomes the weighted mean. Each group needs a positive one.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Returns
    -------
    ndarray of shape (n, d), or a table like X
        The masked table, rows in the order of `X`, of the kind that came in: an array, a mapping
        of columns, a dataframe (with the extra ``tables``; pandas keeps its row labels), a lazy
        frame or a relation of DuckDB. Columns keep their dtype where it holds what is published.

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
    >>> people = {"age": [31, 35, 60, 70], "work": ["cook", "cook", "nurse", "smith"]}
    >>> {name: column.tolist() for name, column in tk.aggregate(people, [0, 0, 1, 1]).items()}
    {'age': [33.0, 33.0, 65.0, 65.0], 'work': ['cook', 'cook', 'nurse', 'nurse']}
    """
    X, given_back = _check.collected(X)
    run = _check.run(n_threads)
    if categorical is not None or is_mixed(X):
        from tokumei.microaggregation.publish.mixed_table import aggregate_mixed

        _check.one_of(how, HOW, "how")
        return given_back(aggregate_mixed(X, categorical, labels, how, record_weights, run))
    x = _check.table(X)
    group, groups = _check.labels(labels, len(x))
    _check.one_of(how, HOW, "how")
    weights = None if record_weights is None else checked_weights(record_weights, group, how)
    return given_back(in_kind(X, aggregate_of(x, group, groups, how, weights, run)))


def aggregate_of(
    x: _check.Floats,
    labels: _check.Labels,
    groups: int,
    how: str,
    weights: _check.Floats | None,
    run: _check.Run,
) -> _check.Floats:
    """`aggregate` of a checked table."""
    out = np.empty_like(x)
    if weights is not None:
        _kernels.aggregate_weighted_means(x, labels, weights, groups, out, run)
    elif how == "median":
        _kernels.aggregate_medians(x, labels, groups, out, run)
    else:
        _kernels.aggregate_means(x, labels, groups, out, run)
    return out


def checked_weights(record_weights: ArrayLike, group: _check.Labels, how: str) -> _check.Floats:
    """Weights that can be given to these groups."""
    weights = _check.weights(record_weights, len(group), "record_weights")
    if how != "mean":
        msg = f"record_weights go with how='mean', got how={how!r}"
        raise ValueError(msg)
    weightless = int((np.bincount(group, weights)[np.unique(group)] <= 0).sum())
    if weightless:
        msg = f"record_weights are all zero in {weightless} groups"
        raise ValueError(msg)
    return weights
