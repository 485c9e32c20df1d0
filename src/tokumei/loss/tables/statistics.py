"""What masking does to the usual statistics of numbers: means, variances, correlations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats
from tokumei.loss.tables.counts import weighed
from tokumei.microaggregation.standardize import standardize_of
from tokumei.values.columns import numbers
from tokumei.values.tables import label, pair_of_tables

# An eigenvalue of a correlation matrix below it is rounding, not information.
_NO_EIGENVALUE = 1e-10


@dataclass(frozen=True)
class Moments:
    """How far the usual statistics of numeric attributes moved; all 0 where nothing changed.

    Attributes
    ----------
    means : tuple of float
        For each attribute the change of its mean, in standard deviations of the original: positive
        where the mean grew.
    variances : tuple of float
        For each attribute the change of its variance, as a share of the original one: -0.1 for a
        tenth less.
    covariances : float
        The mean absolute change of the covariances of all pairs of attributes, each in units of
        the product of the two original standard deviations.
    correlations : float
        The mean absolute change of the correlations of all pairs of attributes.
    eigenvalues : float
        The changes of the eigenvalues of the correlation matrix, in descending order, each as a
        share of the original one, summed: ``sum_j |e_j - e'_j| / e_j``. Eigenvalues that are 0 in
        the original, because attributes are collinear or constant, are left out.

    Notes
    -----
    For an attribute that is constant in the original, the changes of mean and variance are 0 where
    they did not change and infinite where they did, and its pairs are left out. Without any pair
    there is nothing to lose: 0.
    """

    means: tuple[float, ...]
    variances: tuple[float, ...]
    covariances: float
    correlations: float
    eigenvalues: float


def moments(original: Any, masked: Any, *, record_weights: ArrayLike | None = None) -> Moments:
    """Changes of means, variances, covariances, correlations and eigenvalues.

    Parameters
    ----------
    original, masked : table, numbers only
        Mappings of columns, dataframes, or arrays of shape (n, d), with the same columns. The
        records need not correspond, nor be equally many.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for, where records do correspond.

    Returns
    -------
    Moments
        See there for what each field means.

    Examples
    --------
    >>> import tokumei as tk
    >>> changes = tk.loss.moments([[1], [2], [3], [4]], [[1.5], [1.5], [3.5], [3.5]])
    >>> changes.means, [round(change, 6) for change in changes.variances]
    ((0.0,), [-0.2])
    """
    pairs = pairs_of(original, masked, rows_match=record_weights is not None)
    weights = weighed(record_weights, len(pairs[0][0]))
    changes = (mean_and_variance_change(x, y, weights) for x, y in pairs)
    means, variances = zip(*changes, strict=True)
    covariances, correlations, eigenvalues = joint_changes(pairs, _check.run(), weights)
    return Moments(means, variances, covariances, correlations, eigenvalues)


def mean_and_variance_change(
    x: Floats, y: Floats, weights: Floats | None = None
) -> tuple[float, float]:
    """Change of the mean in standard deviations, change of the variance as a share."""
    # Both seen from the first value, so that nothing cancels where values lie far from zero.
    mean, variance = mean_and_variance(x - x[0], weights)
    new_mean, new_variance = mean_and_variance(y - x[0], weights)
    return ratio(new_mean - mean, math.sqrt(variance)), ratio(new_variance - variance, variance)


def joint_changes(
    pairs: list[tuple[Floats, Floats]], run: _check.Run, weights: Floats | None = None
) -> tuple[float, float, float]:
    """Changes of covariances, correlations and eigenvalues of several attributes."""
    varied = [(x, y) for x, y in pairs if x.min() < x.max()]
    if not varied:
        return 0.0, 0.0, 0.0
    before = _correlations([x for x, _ in varied], run, weights)
    after = _correlations([y for _, y in varied], run, weights)
    wider = np.sqrt([1.0 + mean_and_variance_change(x, y, weights)[1] for x, y in varied])
    some = np.triu_indices(len(varied), 1)
    moved = np.abs(after * np.outer(wider, wider) - before)[some]
    turned = np.abs(after - before)[some]
    old, new = np.linalg.eigvalsh(before)[::-1], np.linalg.eigvalsh(after)[::-1]
    positive = old > _NO_EIGENVALUE * len(old)
    return (
        float(moved.mean()) if len(moved) else 0.0,
        float(turned.mean()) if len(turned) else 0.0,
        float((np.abs(old - new)[positive] / old[positive]).sum()),
    )


def _correlations(columns: list[Floats], run: _check.Run, weights: Floats | None) -> Floats:
    if weights is not None:
        rest = np.column_stack([x - mean_and_variance(x, weights)[0] for x in columns])
        covariances: Floats = (rest * weights[:, None]).T @ rest
        lengths = np.sqrt(np.diag(covariances))
        lengths[lengths == 0.0] = 1.0
        correlations: Floats = covariances / np.outer(lengths, lengths)
        return correlations
    unit = standardize_of(_check.column_major(np.column_stack(columns)), run)
    matrix: Floats = unit.T @ unit / len(unit)
    return matrix


def mean_of(x: Floats, weights: Floats | None) -> float:
    """The mean, each record counting by its weight."""
    return float(x.mean()) if weights is None else float(np.average(x, weights=weights))


def mean_and_variance(x: Floats, weights: Floats | None = None) -> tuple[float, float]:
    rough = mean_of(x, weights)
    rest = x - rough
    left = mean_of(rest, weights)
    return rough + left, max(mean_of(np.square(rest), weights) - left * left, 0.0)


def ratio(change: float, unit: float) -> float:
    if unit > 0.0:
        return change / unit
    return 0.0 if change == 0.0 else math.copysign(math.inf, change)


def pairs_of(original: Any, masked: Any, *, rows_match: bool = True) -> list[tuple[Floats, Floats]]:
    before, after = pair_of_tables(original, masked, rows_match=rows_match)
    return [
        (numbers(one, label("original", key)), numbers(after[key], label("masked", key)))
        for key, one in before.items()
    ]
