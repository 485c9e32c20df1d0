"""Attributes on one scale, so that none counts more than another for its unit."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels


def standardize(X: ArrayLike, *, n_threads: int | None = None) -> _check.Floats:
    """Bring every attribute to mean 0 and standard deviation 1.

    The divisor of the variance is the number of rows. A constant attribute becomes 0 and so costs
    nothing. The result does not depend on the order of the rows or on the number of threads, and
    keeps its precision where values lie far from zero.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. Never written to.
    n_threads : int, optional
        Number of threads; all that the process may use by default.

    Returns
    -------
    ndarray of shape (n, d)
        A new table of float64.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.standardize([[1, 7], [3, 7]])
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    return standardize_of(_check.table(X, largest=None), _check.run(n_threads))


def standardize_of(x: _check.Floats, run: _check.Run) -> _check.Floats:
    """`standardize` of a checked table."""
    out = np.empty_like(x)
    _kernels.standardize(x, out, run)
    return out
