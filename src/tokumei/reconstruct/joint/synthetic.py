"""Synthetic tables from a fitted mixture of several attributes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats
from tokumei.reconstruct.joint.covariances import semidefinite


def normal_table(
    weights: Floats,
    means: Floats,
    covariances: Floats,
    rows: int,
    *,
    lower: ArrayLike | None,
    upper: ArrayLike | None,
    integer: Sequence[bool] | None,
    random_state: int | np.random.Generator | None,
) -> Floats:
    """Rows of a normal mixture, moved into the bounds; columns marked integer are rounded first."""
    count = _check.at_least(rows, 1, "n_samples")
    columns = means.shape[1]
    low = _limits(lower, columns, -np.inf, "lower")
    high = _limits(upper, columns, np.inf, "upper")
    if not (low < high).all():
        msg = "lower must be below upper for every column"
        raise ValueError(msg)
    whole = np.zeros(columns, dtype=bool)
    if integer is not None:
        whole = _check.flags(integer, columns, "integer")
    chance = _check.generator(random_state)
    member = chance.choice(len(weights), count, p=weights)
    deviates = chance.standard_normal((count, columns))
    roots = np.array([_root(covariance) for covariance in covariances])
    table = means[member] + np.einsum("nij,nj->ni", roots[member], deviates)
    table[:, whole] = np.round(table[:, whole])
    # Whole numbers stay whole where the bounds are not.
    low, high = np.where(whole, np.ceil(low), low), np.where(whole, np.floor(high), high)
    return np.asfortranarray(np.clip(table, low, high))


def _root(covariance: Floats) -> Floats:
    values, vectors = np.linalg.eigh(semidefinite(covariance))
    root: Floats = vectors * np.sqrt(np.maximum(values, 0.0))
    return root


def _limits(values: ArrayLike | None, columns: int, none: float, name: str) -> Floats:
    if values is None:
        return np.full(columns, none)
    array = np.asarray(values, dtype=np.float64)
    if array.shape not in ((), (columns,)) or np.isnan(array).any():
        msg = f"{name} must be one number or {columns}, none of them NaN, got shape {array.shape}"
        raise ValueError(msg)
    return np.broadcast_to(array, columns).astype(np.float64)
