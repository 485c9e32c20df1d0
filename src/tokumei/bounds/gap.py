"""How far a partition is at most from the best there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.bounds.lower_bound import METHODS, lower_bound_of
from tokumei.microaggregation.mixed import scaled_records
from tokumei.microaggregation.records import sse_of, sst_of


def gap(
    X: ArrayLike,
    labels: ArrayLike,
    k: int,
    *,
    categorical: Sequence[Any] | None = None,
    method: str = "auto",
    time_limit: float | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> float:
    """Share by which the loss of a partition is at most above the least possible one.

    0.01 says: no partition into groups of at least k records has a sum of squares that is lower
    than this one's by more than that, loss <= 1.01 * least loss. It is proven, and often far from
    tight: a large gap says that the bound is low or the loss is high, not which.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, or numbers and categories.
    labels : array_like of int, shape (n,)
        Groups of at least k records.
    k : int
        Smallest group size, from 1 to n.
    categorical : sequence, optional
        Columns of `X` that hold categories, see `partition`.
    method, time_limit, n_threads, callback
        Of the bound, see `lower_bound`.

    Examples
    --------
    >>> import tokumei as tk
    >>> X = [[1, 0], [2, 0], [10, 1], [11, 1]]
    >>> round(tk.bounds.gap(X, [0, 0, 1, 1], k=2), 6)
    0.0
    """
    x = scaled_records(X, categorical)
    k = _check.group_size(k, len(x))
    given, groups = _check.labels(labels, len(x))
    _check.groups_of(given, k)
    _check.one_of(method, METHODS, "method")
    end = _check.deadline(time_limit)
    run = _check.run(n_threads, callback)
    bound = lower_bound_of(x, k, method, run.until(end))
    silent = run.silent()
    return bound.gap(sse_of(x, given, groups, silent) / sst_of(x, silent))
