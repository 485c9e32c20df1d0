"""What groups may not do: cross a stratum, or count a household more than once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tokumei import _check
from tokumei._kernels import groups as _groups

# A method bound to its options: table, k, callback -> labels.
Method = Callable[[_check.Floats, int, _check.Callback | None], _check.Labels]


def within_strata(
    method: Method,
    x: _check.Floats,
    k: int,
    strata: tuple[_check.Labels, int],
    callback: _check.Callback | None,
) -> _check.Labels:
    """Partition each stratum by itself."""
    check_strata(strata, k)

    def form(rows: _check.Labels, callback: _check.Callback | None) -> _check.Labels:
        return method(np.asfortranarray(x[rows]), k, callback)

    return by_stratum(form, strata, callback)


def check_strata(strata: tuple[_check.Labels, int], k: int) -> None:
    """Strata that all have at least k members."""
    stratum, count = strata
    sizes = np.bincount(stratum, minlength=count)
    if sizes.min() < k:
        msg = f"{int((sizes < k).sum())} of {count} strata have fewer than k = {k} members"
        raise ValueError(msg)


def by_stratum(
    form: Callable[[_check.Labels, _check.Callback | None], _check.Labels],
    strata: tuple[_check.Labels, int],
    callback: _check.Callback | None,
) -> _check.Labels:
    """The groups of all strata, each formed from the rows of one."""
    stratum, count = strata
    order = np.argsort(stratum, kind="stable")
    labels = np.empty(len(stratum), dtype=np.int64)
    first = done = 0
    for rows in np.split(order, np.cumsum(np.bincount(stratum, minlength=count))[:-1]):
        part = form(rows, _share(callback, done, len(rows), len(stratum)))
        labels[rows] = part + first
        first += int(part.max()) + 1
        done += len(rows)
    return in_order_of_first_record(labels)


def _share(
    callback: _check.Callback | None, done: int, rows: int, total: int
) -> _check.Callback | None:
    if callback is None:
        return None
    return lambda share: callback((done + share * rows) / total)


def by_household(
    method: Method,
    x: _check.Floats,
    k: int,
    households: tuple[_check.Labels, int],
    strata: tuple[_check.Labels, int] | None,
    callback: _check.Callback | None,
) -> _check.Labels:
    """Partition households, each at the mean of its members; all members go where it goes."""
    household, count = households
    if count < k:
        msg = f"k = {k} households are asked for in each group, but there are {count} in all"
        raise ValueError(msg)
    _, first = np.unique(household, return_index=True)
    means = np.empty_like(x)
    _groups.aggregate_means(x, household, count, means, *_check.run(1, None))
    points = np.asfortranarray(means[first])
    if strata is None:
        labels = method(points, k, callback)
    else:
        stratum, strata_count = strata
        torn = len(set(household[stratum != stratum[first][household]].tolist()))
        if torn:
            msg = f"{torn} households lie in more than one stratum"
            raise ValueError(msg)
        labels = within_strata(method, points, k, (stratum[first], strata_count), callback)
    return in_order_of_first_record(labels[household])


def in_order_of_first_record(labels: _check.Labels) -> _check.Labels:
    """The same groups, numbered in the order of their first record."""
    _, first, group = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]
