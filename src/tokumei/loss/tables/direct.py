"""Categories compared one by one with what replaced them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei import _check
from tokumei.loss.tables.counts import weighed
from tokumei.values.columns import pair, ranked, shared


def direct(
    original: Any,
    masked: Any,
    *,
    order: Sequence[Any] | None = None,
    record_weights: ArrayLike | None = None,
) -> float:
    """Mean distance between the original category of a record and the published one.

    Nominal categories are 0 apart where they are equal, 1 where not. Categories with an order are
    apart by the number of categories from the one up to the other, divided by the number of all.

    Parameters
    ----------
    original, masked : sequence of shape (n,)
        The category of each record before and after, values of any kind.
    order : sequence, optional
        All categories from the lowest to the highest. Without it categories are nominal.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.

    Returns
    -------
    float
        0 where nothing changed; 1 is reached by nominal categories only.

    Notes
    -----
    A category that was merged with others bears a new label, which differs from all labels before:
    see `ctbil` and `ebil` for measures that know of recodings.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.direct(["red", "blue"], ["red", "red"])
    0.5
    >>> decades = ["0s", "10s", "20s", "30s", "40s", "50s", "60s", "70s", "80s", "90s"]
    >>> tk.loss.direct(["30s"], ["50s"], order=decades)
    0.2
    """
    original, masked = pair(original, masked)
    (before, after), known = shared([original, masked], ["original", "masked"])
    weights = weighed(record_weights, len(before))
    if order is None:
        return share_changed(before, after, weights)
    rank = ranks(known, order, [before, after])
    return mean_rank_distance(rank[before], rank[after], len(order), weights)


def share_changed(
    before: NDArray[Any], after: NDArray[Any], weights: _check.Floats | None = None
) -> float:
    """The share of records with another value than before."""
    if weights is not None:
        return math.fsum(weights[before != after]) / math.fsum(weights)
    return int(np.count_nonzero(before != after)) / len(before)


def mean_rank_distance(
    before: _check.Labels,
    after: _check.Labels,
    categories: int,
    weights: _check.Floats | None = None,
) -> float:
    """Mean distance between places in an order, as a share of the number of categories."""
    if weights is not None:
        return math.fsum(weights * np.abs(before - after)) / (math.fsum(weights) * categories)
    return int(np.abs(before - after).sum()) / (len(before) * categories)


def ranks(
    known: Sequence[Any], order: Sequence[Any], parts: Sequence[_check.Labels]
) -> _check.Labels:
    """The place of each category in an order that names them all."""
    counts = np.bincount(np.concatenate(parts), minlength=len(known))
    return ranked(known, counts, order, "original or masked")[1]
