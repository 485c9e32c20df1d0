"""Information loss by distance (ILD), for any kind of data."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.distances.distance import Distance, Prepared, PreparedNumbers
from tokumei.distances.product import PreparedRecords
from tokumei.loss.distance.amounts import (
    METHODS,
    amount,
    in_scale,
    of_parts,
    weigh_each_other,
    with_information_weights,
)
from tokumei.loss.distance.sampled_pairs import Estimate, draw, estimated_loss
from tokumei.loss.distance.weighted_records import counts_of


@overload
def ild(
    original: Any,
    masked: Any,
    distance: Distance,
    *,
    masked_distance: Distance | None = ...,
    power: float = ...,
    method: str = ...,
    estimate: Literal[False] = ...,
    pairs: int = ...,
    confidence: float = ...,
    random_state: int | np.random.Generator | None = ...,
    record_weights: ArrayLike | None = ...,
    n_threads: int | None = ...,
    callback: _check.Callback | None = ...,
) -> float: ...
@overload
def ild(
    original: Any,
    masked: Any,
    distance: Distance,
    *,
    masked_distance: Distance | None = ...,
    power: float = ...,
    method: str = ...,
    estimate: Literal[True],
    pairs: int = ...,
    confidence: float = ...,
    random_state: int | np.random.Generator | None = ...,
    record_weights: ArrayLike | None = ...,
    n_threads: int | None = ...,
    callback: _check.Callback | None = ...,
) -> Estimate: ...


def ild(
    original: Any,
    masked: Any,
    distance: Distance,
    *,
    masked_distance: Distance | None = None,
    power: float = 2,
    method: str = "auto",
    estimate: bool = False,
    pairs: int = 100_000,
    confidence: float = 0.95,
    random_state: int | np.random.Generator | None = None,
    record_weights: ArrayLike | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> float | Estimate:
    """Information loss by distance: the share of the information amount that masking took away.

    ``(I(original) - I(masked)) / I(original)``: 0 where nothing was lost, 1 where all masked values
    are equal, negative where masking moved values apart.

    Parameters
    ----------
    original, masked : array_like, column or table
        What the distance takes, of equal length; `masked` may hold other values, such as means or
        inner nodes of a tree.
    distance : tokumei.distances.Distance
        How far apart two values are. The information weights of a `Product` follow from `original`
        and are used for both.
    masked_distance : tokumei.distances.Distance, optional
        How far apart two masked values are, where these are of another kind and have distances of
        their own; `distance` by default.
    power, method, estimate, pairs, confidence, random_state, record_weights, n_threads, callback
        As for `information`. An estimate looks at the same pairs of both tables.

    Returns
    -------
    float or Estimate
        The loss; with `estimate` its `value`, `standard_error`, `lower` and `upper`.

    References
    ----------
    The Euclidean loss of group means is SSE/SST, see `ilssdm`.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.ild([1, 2, 3, 4], [1.5, 1.5, 3.5, 3.5], tk.distances.Euclidean())
    0.2
    >>> place = tk.distances.Tree({"a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2",
    ...                            "a1": "a", "a2": "a"})
    >>> round(tk.loss.ild(["a11", "a12", "a21", "a22"], ["a1", "a1", "a2", "a2"], place), 3)
    0.778
    >>> towns = tk.distances.Graph(
    ...     {("Tokyo", "Chiba"): 1, ("Tokyo", "Osaka"): 6, ("Chiba", "Osaka"): 6}
    ... )
    >>> regions = tk.distances.Graph({("Kanto", "Kansai"): 4})
    >>> was, published = ["Tokyo", "Chiba", "Osaka"], ["Kanto", "Kanto", "Kansai"]
    >>> round(tk.loss.ild(was, published, towns, masked_distance=regions), 3)
    0.562
    """
    _check.instance(distance, Distance, "distance")
    if masked_distance is not None:
        _check.instance(masked_distance, Distance, "masked_distance")
    power = _check.inside(power, 0.0, math.inf, "power")
    _check.one_of(method, METHODS, "method")
    run = _check.run(n_threads, callback)
    before = distance.prepare(original, "original")
    after = (masked_distance or distance).prepare(masked, "masked")
    _alike(before, after)
    (before, after), _ = in_scale(before, after)
    counts = counts_of(record_weights, len(before), estimate)
    if estimate:
        sample = draw(len(before), pairs, confidence, random_state)
        return estimated_loss(before, after, power, sample, run)
    if method == "auto" and power == 2.0 and weigh_each_other(before) and weigh_each_other(after):
        # Each column that has any information counts alike: the mean of their losses.
        had, has = of_parts(before, run, counts), of_parts(after, run, counts)
        known = had > 0.0
        _some_information(known.any())
        return float((known.sum() - math.fsum(has[known] / had[known])) / known.sum())
    before = with_information_weights(before, run, counts)
    if isinstance(before, PreparedRecords) and isinstance(after, PreparedRecords):
        after = replace(after, weights=before.weights)
    whole = amount(before, power, method, run, counts)
    _some_information(whole > 0.0)
    return (whole - amount(after, power, method, run, counts)) / whole


def _alike(before: Prepared, after: Prepared) -> None:
    """As many records, and as many numbers a record."""
    if len(before) != len(after):
        msg = f"original has {len(before)} rows, masked has {len(after)}: they must be equal"
        raise ValueError(msg)
    if isinstance(before, PreparedNumbers) and isinstance(after, PreparedNumbers):
        had, has = before.in_place.shape[1], after.in_place.shape[1]
        if had != has:
            msg = f"original has {had} columns, masked has {has}: they must be equal"
            raise ValueError(msg)
    if isinstance(before, PreparedRecords) and isinstance(after, PreparedRecords):
        for part, other in zip(before.parts, after.parts, strict=True):
            _alike(part, other)


def _some_information(some: bool | np.bool_) -> None:
    if not some:
        msg = "original has no information to lose: all its values are equal"
        raise ValueError(msg)
