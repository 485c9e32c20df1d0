"""The classification metric: how many records disagree with their group's class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.loss.tables.counts import cells, combine, total, weighed
from tokumei.values.columns import coded


def cm(
    classes: Any,
    labels: ArrayLike,
    suppressed: ArrayLike | None = None,
    *,
    record_weights: ArrayLike | None = None,
) -> float:
    """Classification metric: the share of records whose class is not the one of their group.

    A record costs 1 where it is suppressed or where its class differs from the majority class of
    its group; the sum is divided by the number of records. The majority is that of the records of
    the group that are not suppressed; of classes equally frequent the lowest counts as the
    majority, which one it is does not change the sum.

    Parameters
    ----------
    classes : sequence of shape (n,)
        The class of each record, values of any kind.
    labels : array_like of int, shape (n,)
        The group of each record.
    suppressed : array_like of bool, shape (n,), optional
        Which records are not published.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.

    Returns
    -------
    float
        0 where all groups are pure, less than 1 unless everything is suppressed.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.cm(["sick", "well", "well", "well"], [0, 0, 1, 1])
    0.25
    """
    code, known = coded(classes, "classes")
    rows = len(code)
    group, groups = _check.labels(labels, rows)
    weights = weighed(record_weights, rows)
    all_of_them = total(weights, rows)
    if suppressed is not None:
        kept = ~_check.flags(suppressed, rows, "suppressed")
        code, group = code[kept], group[kept]
        weights = None if weights is None else weights[kept]
    if len(code) == 0:
        return 1.0
    cell, count = cells(*combine([group, code], [groups, len(known)]), weights)
    of_group = cell // len(known)
    firsts = np.flatnonzero(np.concatenate(([True], of_group[1:] != of_group[:-1])))
    majorities = np.maximum.reduceat(count, firsts).sum().item()
    return float((all_of_them - majorities) / all_of_them)
