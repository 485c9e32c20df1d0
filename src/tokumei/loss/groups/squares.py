"""Loss of numeric tables by sums of squares."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.loss.tables.counts import weighed


def sse(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    record_weights: ArrayLike | None = None,
    n_threads: int | None = None,
) -> float:
    """Sum of squared distances between the records and the means of their groups.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record.
    labels : array_like of int, shape (n,)
        The group of each record.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.sse([[1], [2], [3], [4]], [0, 0, 1, 1])
    1.0
    """
    x, exponent = _scaled(X)
    group, groups = _check.labels(labels, len(x))
    weights = weighed(record_weights, len(x))
    run = _check.run(n_threads)
    if weights is not None:
        return math.ldexp(_weighted(x, group, weights), 2 * exponent)
    return math.ldexp(_kernels.sse(x, group, groups, run), 2 * exponent)


def sst(
    X: ArrayLike, *, record_weights: ArrayLike | None = None, n_threads: int | None = None
) -> float:
    """Sum of squared distances between the records and their mean.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.sst([[1], [2], [3], [4]])
    5.0
    """
    x, exponent = _scaled(X)
    weights = weighed(record_weights, len(x))
    run = _check.run(n_threads)
    if weights is not None:
        return math.ldexp(_weighted(x, np.zeros(len(x), dtype=np.int64), weights), 2 * exponent)
    return math.ldexp(_kernels.sst(x, run), 2 * exponent)


def ilssdm(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    record_weights: ArrayLike | None = None,
    n_threads: int | None = None,
) -> float:
    """Information loss of group means: SSE/SST, 0 where nothing is lost, 1 where all is.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record.
    labels : array_like of int, shape (n,)
        The group of each record.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.ilssdm([[1], [2], [3], [4]], [0, 0, 1, 1])
    0.2
    """
    x = _check.scaled_table(X)
    group, groups = _check.labels(labels, len(x))
    weights = weighed(record_weights, len(x))
    return ilssdm_of(x, group, groups, _check.run(n_threads), weights)


def ilssdm_of(
    x: _check.Floats,
    labels: _check.Labels,
    groups: int,
    run: _check.Run,
    weights: _check.Floats | None = None,
) -> float:
    """`ilssdm` of a checked table."""
    everyone = np.zeros(len(x), dtype=np.int64)
    total = _kernels.sst(x, run) if weights is None else _weighted(x, everyone, weights)
    if total == 0.0:
        msg = "X has no information to lose: all its rows are equal"
        raise ValueError(msg)
    if weights is not None:
        return _weighted(x, labels, weights) / total
    return _kernels.sse(x, labels, groups, run) / total


def _weighted(x: _check.Floats, labels: _check.Labels, weights: _check.Floats) -> float:
    """Squared distances to weighted means, each counting by its weight, rounded once a column."""
    of_group = np.bincount(labels, weights)
    of_group[of_group == 0.0] = 1.0
    found = []
    for column in x.T:
        rest = column - (np.bincount(labels, weights * column) / of_group)[labels]
        # Once more, as the first mean is rounded.
        rest = rest - (np.bincount(labels, weights * rest) / of_group)[labels]
        found.append(math.fsum(weights * rest * rest))
    return math.fsum(found)


def _scaled(X: ArrayLike) -> tuple[_check.Floats, int]:
    """A table near zero brought near one, so that its squares do not vanish; and by how much."""
    x = _check.table(X)
    return _check.in_scale(x), _check.exponent_of(x)
