"""Covariances of the true values, from noisy ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats


def covariance(Y: ArrayLike, scales: ArrayLike) -> Floats:
    """Covariance matrix of x where Y = x + Laplace noise: that of Y less the noise's own.

    Independent noise of scale b adds 2 b^2 to a variance and nothing to a covariance. Where so much
    is taken away that a combination of the attributes would have a negative variance, the nearest
    matrix without one is returned (its negative eigenvalues become 0, the scales being the units).

    Parameters
    ----------
    Y : array-like of shape (n, d)
        Noisy values, at least two records.
    scales : float or array-like of shape (d,)
        Scale of the Laplace noise, one for all attributes or one each.

    Returns
    -------
    ndarray of shape (d, d)
        Symmetric and positive semidefinite; divisor n.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> noise = np.random.default_rng(1)
    >>> x = noise.normal(size=(20_000, 1)) @ [[1.0, 2.0]]
    >>> tk.reconstruct.covariance(x + noise.laplace(0, 1, x.shape), 1.0).round(1)
    array([[1. , 1.9],
           [1.9, 4. ]])
    """
    y = _check.table(Y, "Y")
    if len(y) < 2:
        msg = f"Y must have at least two records, got {len(y)}"
        raise ValueError(msg)
    unit = noise_scales(scales, y.shape[1])
    apart = y - y.mean(axis=0)
    moments = (apart / unit).T @ (apart / unit) / len(y)
    return semidefinite(moments - 2.0 * np.eye(len(unit))) * np.outer(unit, unit)


def noise_scales(scales: ArrayLike, columns: int) -> Floats:
    """One positive scale for each column."""
    given = np.asarray(scales)
    return _check.positive(np.full(columns, given) if given.ndim == 0 else given, columns, "scales")


def semidefinite(matrix: Floats, least: float = 0.0) -> Floats:
    """The nearest symmetric matrix whose eigenvalues are not below `least`."""
    symmetric = 0.5 * (matrix + matrix.T)
    values, vectors = np.linalg.eigh(symmetric)
    if values[0] >= least:
        return symmetric
    raised: Floats = (vectors * np.maximum(values, least)) @ vectors.T
    whole: Floats = 0.5 * (raised + raised.T)
    return whole
