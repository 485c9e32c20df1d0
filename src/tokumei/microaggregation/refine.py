"""Groups of lower loss from groups of any origin."""

from __future__ import annotations

import contextlib
import math
import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import refine as _refine
from tokumei.microaggregation import units
from tokumei.microaggregation.rules import Rules, rules

# Shakes a record at k up to 3, 4, 5 and above, and the warmth at the beginning and at the end, in
# units of the local scale. A shake takes longer at larger k.
SMALL_K = (3, 4, 5)
TRIALS = {"fast": (0, 0, 0, 0), "balanced": (60, 40, 30, 15), "best": (2800, 1900, 1400, 250)}
WARMTH = (0.5, 0.01)
WARMTH_OF_LARGE_K = (1.0, 0.05)
# "best" is for so many records; larger tables get fewer shakes a record, by the square root.
RECORDS_OF_BEST = 1000
# Where a table is too large to be searched as a whole, "balanced" and "best" are for patience.
LARGE = 8192
LARGE_TRIALS = {"fast": 0, "balanced": 3, "best": 20}
LARGE_WARMTH = (0.2, 0.01)


def refine(
    X: ArrayLike,
    labels: ArrayLike,
    k: int,
    *,
    effort: str | float = "balanced",
    cost: str = "squares",
    largest: int | None = None,
    record_weights: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    sensitive: ArrayLike | None = None,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    sensitive_ordered: bool = False,
    households: ArrayLike | None = None,
    min_households: int | None = None,
    random_state: int | np.random.Generator | None = None,
    time_limit: float | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Lower the loss of a partition by moving, swapping and regrouping records.

    A local search moves and swaps single records between neighbouring groups while that lowers the
    sum of squares; then groups are shaken near one record after another and searched again, and
    what costs more is undone, or at first kept now and then. Groups keep at least k records, those
    of 2k or more are split, and the cost never ends above the start's. Where rules are asked for,
    groups that break them are merged with near ones first, and no change may break them again.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, on a common scale (see `standardize`).
    labels : array_like of int, shape (n,)
        Groups of at least k records, from any method.
    k : int
        Smallest group size, from 1 to n.
    effort : {"fast", "balanced", "best"} or float
        "fast" is the local search alone; a number is the shakes a record. "balanced" takes a
        second or less on a thousand records, "best" some seconds; in tables of more than 8,192
        records they are 3 and 20 shakes a record.
    cost : {"squares", "absolute"}
        What is made small: squared distances to the group's mean, or absolute deviations from its
        median, attribute by attribute (then publish medians, see `aggregate`).
    largest : int, optional
        Most records a group, at least 2k-1, which is the default.
    record_weights : array_like of shape (n,), optional
        Survey weights, all positive: squares count so many times, and means are weighted.
    strata : array_like of shape (n,), optional
        Any values; groups never hold records of two strata.
    sensitive : array_like of shape (n,), optional
        Values of a sensitive variable, for the next three.
    l_diversity : int, optional
        Each group holds at least so many different sensitive values.
    t_closeness : float, optional
        The distribution of sensitive values in each group is at most so far, 0 to 1, from that in
        the table (or in the stratum): half the sum of absolute differences of shares.
    sensitive_ordered : bool
        Sensitive values are numbers in an order, and the distance is the earth mover's, neighbours
        being 1/(values-1) apart.
    households : array_like of shape (n,), optional
        Any values; with `min_households`.
    min_households : int, optional
        Each group holds records of at least so many households.
    random_state : int or Generator, optional
        Which of many good answers is found; the same one each time by default.
    time_limit : float, optional
        Seconds after which the best found so far is returned, which then depends on the machine.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no label.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1. If it raises StopIteration, the
        best found so far is returned.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record; groups are numbered from 0 in the order of their first record.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.refine([[1], [2], [10], [11]], [0, 1, 0, 1], k=2)
    array([0, 0, 1, 1])
    """
    x = _check.table(X)
    n = len(x)
    k = _check.group_size(k, n)
    given, _ = _check.labels(labels, n)
    _check.groups_of(given, k)
    effort_for(effort, n)
    wish = Search(
        effort=effort,
        cost=_check.one_of(cost, ("squares", "absolute"), "cost"),
        largest=2 * k - 1 if largest is None else _check.at_least(largest, 2 * k - 1, "largest"),
        weights=weights_for(record_weights, n, cost),
        rules=rules(
            n,
            sensitive,
            l_diversity,
            t_closeness,
            sensitive_ordered,
            households,
            min_households,
        ),
        seed=_check.seed(random_state),
    )
    tell = limited(callback, time_limit)
    if strata is None:
        return search(x, given, k, wish, n_threads, tell)
    stratum = _check.codes(strata, n, "strata")
    across = len(np.unique(stratum[0] + given * stratum[1])) - len(np.unique(given))
    if across:
        msg = f"labels must keep to strata; groups cross a border of strata {across} times"
        raise ValueError(msg)

    def within(rows: _check.Labels, callback: _check.Callback | None) -> _check.Labels:
        part = np.asfortranarray(x[rows])
        return search(part, given[rows], k, wish.of(rows), n_threads, callback)

    return units.by_stratum(within, stratum, tell)


@dataclass(frozen=True)
class Search:
    """What is asked of a search, checked."""

    effort: str | float
    cost: str
    largest: int
    weights: _check.Floats
    rules: Rules
    seed: int

    def of(self, rows: _check.Labels) -> Search:
        """The same, asked of some of the records."""
        some = self.rules.of(rows)
        some.check_all("a stratum")
        weights = self.weights if len(self.weights) == 1 else self.weights[rows]
        return replace(self, weights=weights, rules=some)


def search(
    x: _check.Floats,
    labels: _check.Labels,
    k: int,
    wish: Search,
    n_threads: int | None,
    callback: _check.Callback | None,
) -> _check.Labels:
    """Groups that cost no more than those given, which are as they should be."""
    out = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    # A kernel that is stopped leaves whole groups, no worse than those it was given.
    with contextlib.suppress(StopIteration):
        _refine.refine(
            x,
            out,
            int(out.max()) + 1,
            k,
            wish.largest,
            wish.cost == "absolute",
            *effort_for(wish.effort, len(x), k),
            wish.seed,
            wish.weights,
            *wish.rules.arguments(),
            *_check.run(n_threads, callback),
        )
    return out


def weights_for(record_weights: ArrayLike | None, n: int, cost: str) -> _check.Floats:
    """Weights as the kernel takes them."""
    if record_weights is None:
        return np.zeros(1)  # not one a record: all weigh 1
    if cost != "squares":
        msg = f"record_weights go with cost='squares', got cost={cost!r}"
        raise ValueError(msg)
    return _check.positive(record_weights, n, "record_weights")


def effort_for(effort: str | float, n: int, k: int = 1) -> tuple[float, float, float]:
    """Shakes a record and the warmth at both ends, for a table of n records and groups of k."""
    small = sum(k > size for size in SMALL_K)
    warmth = LARGE_WARMTH if n > LARGE else WARMTH_OF_LARGE_K if k >= 8 else WARMTH
    if isinstance(effort, str):
        name = _check.one_of(effort, tuple(TRIALS), "effort")
        if n > LARGE:
            return (LARGE_TRIALS[name], *warmth)
        fewer = min(1.0, math.sqrt(RECORDS_OF_BEST / n)) if name == "best" else 1.0
        return (TRIALS[name][small] * fewer, *warmth)
    trials = _check.number(effort, "effort")
    if not 0 <= trials <= 1e6:
        msg = f"effort must be between 0 and 1000000 shakes a record, got {effort}"
        raise ValueError(msg)
    return (trials, *warmth)


def limited(callback: _check.Callback | None, time_limit: float | None) -> _check.Callback | None:
    """The callback, which stops the work after so many seconds."""
    if time_limit is None:
        return callback
    seconds = _check.number(time_limit, "time_limit")
    if seconds <= 0:
        msg = f"time_limit must be positive, got {time_limit}"
        raise ValueError(msg)
    end = time.monotonic() + seconds

    def tell(share: float) -> None:
        if callback is not None:
            callback(share)
        if time.monotonic() >= end:
            raise StopIteration

    return tell
