"""Groups of lower loss from groups of any origin."""

from __future__ import annotations

import contextlib

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import refine as _refine

# Shakes a record; the warmth at the beginning and at the end, in units of the local scale.
EFFORTS = {"fast": (0.0, 0.0, 0.0), "balanced": (10.0, 0.5, 0.01), "best": (300.0, 0.7, 0.01)}
# Where a table is too large to be searched as a whole, "balanced" and "best" are for patience.
LARGE = 8192
LARGE_EFFORTS = {"fast": (0.0, 0.0, 0.0), "balanced": (2.0, 0.0, 0.0), "best": (20.0, 0.2, 0.01)}


def refine(
    X: ArrayLike,
    labels: ArrayLike,
    k: int,
    *,
    effort: str | float = "balanced",
    random_state: int | np.random.Generator | None = None,
    time_limit: float | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Lower the loss of a partition by moving, swapping and regrouping records.

    A local search moves and swaps single records between neighbouring groups while that lowers the
    sum of squares; then groups are shaken near one record after another and searched again, and
    what costs more is undone, or at first kept now and then. Groups keep at least k records, those
    of 2k or more are split, and the sum of squares never ends above the start's.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, on a common scale (see `standardize`).
    labels : array_like of int, shape (n,)
        Groups of at least k records, from any method.
    k : int
        Smallest group size, from 1 to n.
    effort : {"fast", "balanced", "best", "optimal"} or float
        "fast" is the local search alone; a number is the shakes a record. "balanced" is 10 (2 in
        tables of more than 8,192 records), "best" 300 (20). "optimal", for up to 1,200 records and
        with scipy, is four times "best" and then the best mix of all groups met, which is often,
        not always, the optimum; it may take minutes.
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
    given, groups = _check.labels(labels, n)
    _check.groups_of(given, k)
    if isinstance(effort, str) and effort == "optimal":
        from tokumei.bounds.optimal import optimum

        return optimum(
            x,
            given,
            k,
            random_state=random_state,
            time_limit=time_limit,
            n_threads=n_threads,
            callback=callback,
        )
    trials, warm, cool = effort_for(effort, n)
    seed = _check.seed(random_state)
    run = _check.run(n_threads, _check.until(callback, time_limit))
    out = np.unique(given, return_inverse=True)[1].astype(np.int64)
    groups = int(out.max()) + 1
    # A kernel that is stopped leaves whole groups, no worse than those it was given.
    with contextlib.suppress(StopIteration):
        _refine.refine(x, out, groups, k, trials, warm, cool, seed, *run)
    return out


def effort_for(effort: str | float, n: int) -> tuple[float, float, float]:
    """Shakes a record and the warmth at both ends, for a table of n records."""
    efforts = LARGE_EFFORTS if n > LARGE else EFFORTS
    if isinstance(effort, str):
        return efforts[_check.one_of(effort, tuple(efforts), "effort")]
    trials = _check.number(effort, "effort")
    if not 0 <= trials <= 1e6:
        msg = f"effort must be between 0 and 1000000 shakes a record, got {effort}"
        raise ValueError(msg)
    return (trials, *efforts["balanced"][1:])
