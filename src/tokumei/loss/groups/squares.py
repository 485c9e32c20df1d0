"""Loss of numeric tables by sums of squares."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels


def sse(X: ArrayLike, labels: ArrayLike, *, n_threads: int | None = None) -> float:
    """Sum of squared distances between the records and the means of their groups.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record.
    labels : array_like of int, shape (n,)
        The group of each record.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.sse([[1], [2], [3], [4]], [0, 0, 1, 1])
    1.0
    """
    x, exponent = _scaled(X)
    found = _kernels.sse(x, *_check.labels(labels, len(x)), _check.run(n_threads))
    return math.ldexp(found, 2 * exponent)


def sst(X: ArrayLike, *, n_threads: int | None = None) -> float:
    """Sum of squared distances between the records and their mean.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.sst([[1], [2], [3], [4]])
    5.0
    """
    x, exponent = _scaled(X)
    return math.ldexp(_kernels.sst(x, _check.run(n_threads)), 2 * exponent)


def ilssdm(X: ArrayLike, labels: ArrayLike, *, n_threads: int | None = None) -> float:
    """Information loss of group means: SSE/SST, 0 where nothing is lost, 1 where all is.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record.
    labels : array_like of int, shape (n,)
        The group of each record.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.ilssdm([[1], [2], [3], [4]], [0, 0, 1, 1])
    0.2
    """
    x = _check.scaled_table(X)
    return ilssdm_of(x, *_check.labels(labels, len(x)), _check.run(n_threads))


def ilssdm_of(x: _check.Floats, labels: _check.Labels, groups: int, run: _check.Run) -> float:
    """`ilssdm` of a checked table."""
    total = _kernels.sst(x, run)
    if total == 0.0:
        msg = "X has no information to lose: all its rows are equal"
        raise ValueError(msg)
    return _kernels.sse(x, labels, groups, run) / total


def _scaled(X: ArrayLike) -> tuple[_check.Floats, int]:
    """A table near zero brought near one, so that its squares do not vanish; and by how much."""
    x = _check.table(X)
    return _check.in_scale(x), _check.exponent_of(x)
