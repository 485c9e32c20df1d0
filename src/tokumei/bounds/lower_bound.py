"""A proven lower bound of the loss of any partition into groups of at least k records."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.microaggregation.methods.univariate import univariate_of
from tokumei.microaggregation.mixed import scaled_records
from tokumei.microaggregation.records import Table, coordinates, sst_of
from tokumei.microaggregation.search import column_ascent, column_generation, row_generation
from tokumei.microaggregation.search.lagrangian_bound import lagrangian_duals

Bound = Literal["auto", "columns", "rows", "neighbours"]
METHODS = get_args(Bound)
# Up to here "columns" has its master programs solved, by scipy; larger ones are climbed.
SOLVED_ROWS = 5_000
# Up to here "auto" takes "columns"; beyond, it takes longer than most want to wait.
MOST_ROWS, MOST_K = 10_000, 5
# Each category is a coordinate there; of an attribute with more categories the rare ones count as
# if they cost nothing.
MOST_CORNERS = 512
# More than the rounding of SSE, SST and their quotient together, as a share of it.
ROUNDING = 1e-11


@dataclass(frozen=True)
class LowerBound:
    """No partition loses less than this.

    Attributes
    ----------
    value : float
        The bound of SSE/SST, from 0 to 1.
    method : {"rows", "columns", "neighbours", "univariate"}
        What proves it.
    """

    value: float
    method: str

    def gap(self, loss: float) -> float:
        """By which share a loss (SSE/SST) is at most above the least possible one.

        Examples
        --------
        >>> from tokumei.bounds import LowerBound
        >>> LowerBound(0.04, "neighbours").gap(0.05)
        0.25
        """
        loss = _check.number(loss, "loss")
        if loss < 0:
            msg = f"loss must not be negative, got {loss}"
            raise ValueError(msg)
        if self.value == 0.0:
            return 0.0 if loss == 0.0 else math.inf
        # A loss can be below the bound by no more than rounding.
        return round(max(loss / self.value - 1, 0.0), 12)


def lower_bound(
    X: ArrayLike,
    k: int,
    *,
    categorical: Sequence[Any] | None = None,
    method: str = "auto",
    time_limit: float | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> float:
    """Find a number that the loss of no partition can be below.

    The bound is proven: whatever the groups of at least k records are, their SSE/SST (see
    `loss.ilssdm`) is not lower. How close it is to the least possible loss depends on the method
    and the data; any value of it is true.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, on a common scale (see `standardize`). Not all rows may be equal.
    k : int
        Smallest group size, from 1 to n.
    categorical : sequence, optional
        Columns of `X` that hold categories, see `partition`. Where a column has more than 512
        categories, the others, which are the rarest, add nothing to the bound.
    method : {"auto", "columns", "rows", "neighbours"}
        "neighbours": the Lagrangian bound from the distances of each record to its nearest, for
        tables of any size. "columns": the linear relaxation of choosing among all groups, by column
        generation; it is for k of about 5 or less, needs scipy up to 5,000 records, and comes
        within some per cent, often within one. "rows": the same, raised by inequalities that
        fractions of groups break and partitions do not; needs scipy, for some thousand records and
        k of about 5 or less, and comes within one or two per cent, often within a tenth. "auto":
        "columns" up to 10,000 records and k = 5, for 5,000 or fewer if scipy is installed. The
        bound for one attribute is the optimum, by any of them.
    time_limit : float, optional
        Seconds after which the best bound found so far is returned.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It does not change the bound.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1. If it raises StopIteration, the
        best bound found so far is returned.

    Returns
    -------
    float
        The bound, from 0 to 1.

    See Also
    --------
    bounds.lower_bound_report : the same with the method that was used.
    bounds.gap : how far a partition is at most from the best.

    Notes
    -----
    All methods find feasible dual values: one of each record, such that no group costs less than
    its records are worth. Their sum is a bound. Rounding is always on the safe side. "rows" lets
    groups that hold most of an odd set of records pay a toll, which the bound pays once for each
    set: no partition has two such groups.

    References
    ----------
    D. Aloise, P. Hansen, C. Rocha, E. Santi, "Column generation bounds for numerical
    microaggregation", Journal of Global Optimization 60, 2014.

    M. Jepsen, B. Petersen, S. Spoorendonk, D. Pisinger, "Subset-row inequalities applied to the
    vehicle-routing problem with time windows", Operations Research 56, 2008.

    Examples
    --------
    >>> import tokumei as tk
    >>> X = [[1, 0], [2, 0], [10, 1], [11, 1], [12, 1]]
    >>> round(tk.lower_bound(X, k=2, method="neighbours"), 4)
    0.0138
    >>> round(tk.loss.ilssdm(X, tk.partition(X, k=2)), 4)
    0.0223
    """
    report = lower_bound_report(
        X,
        k,
        categorical=categorical,
        method=method,
        time_limit=time_limit,
        n_threads=n_threads,
        callback=callback,
    )
    return report.value


def lower_bound_report(
    X: ArrayLike,
    k: int,
    *,
    categorical: Sequence[Any] | None = None,
    method: str = "auto",
    time_limit: float | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> LowerBound:
    """Run `lower_bound` and say which method proves the bound.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record.
    k : int
        Smallest group size, from 1 to n.
    categorical, method, time_limit, n_threads, callback
        As for `lower_bound`.

    Returns
    -------
    LowerBound
        The bound and the method.

    Examples
    --------
    >>> from tokumei.bounds import lower_bound_report
    >>> lower_bound_report([[1], [2], [10], [11]], k=2).method
    'univariate'
    """
    x = scaled_records(X, categorical)
    k = _check.group_size(k, len(x))
    _check.one_of(method, METHODS, "method")
    end = _check.deadline(time_limit)
    return lower_bound_of(x, k, method, _check.run(n_threads, callback).until(end))


def lower_bound_of(table: Table, k: int, method: str, run: _check.Run) -> LowerBound:
    """`lower_bound_report` of a checked table."""
    silent = run.silent()
    points = coordinates(table, MOST_CORNERS)
    x = in_plain_range(points)
    total = _kernels.sst(x, silent)
    if total == 0.0:
        msg = "X has no information to lose: all its rows are equal"
        raise ValueError(msg)
    n, d = x.shape
    if n < 2 * k:
        # All records are one group.
        least, used = total, "neighbours" if method == "auto" else method
    elif d == 1:
        least, used = _univariate(x, k, silent), "univariate"
    elif method == "rows":
        least, used = row_generation.bound(x, k, run).least, "rows"
    elif method == "columns" or (method == "auto" and _columns_fit(n, k)):
        way = column_generation if n <= SOLVED_ROWS else column_ascent
        least = way.bound(x, k, run).least
        used = "columns"
    else:
        least = math.fsum(lagrangian_duals(x, k, run))
        used = "neighbours"
    # Of all squares those that the points have.
    share = 1.0 if points is table else _kernels.sst(points, silent) / sst_of(table, silent)
    value = min(max(least / total * share * (1 - ROUNDING), 0.0), 1.0)
    return LowerBound(value, used)


def in_plain_range(x: _check.Floats) -> _check.Floats:
    """The table times a power of two, so that no square of a difference is too small or large."""
    widest = float(np.max(x.max(axis=0) - x.min(axis=0)))
    if widest == 0.0 or 1e-30 < widest < 1e30:
        return x
    return np.asfortranarray(np.ldexp(x, -math.frexp(widest)[1]))


def _columns_fit(n: int, k: int) -> bool:
    if n > MOST_ROWS or k > MOST_K:
        return False
    return n > SOLVED_ROWS or importlib.util.find_spec("scipy") is not None


def _univariate(x: _check.Floats, k: int, run: _check.Run) -> float:
    labels = univariate_of(x[:, 0], k, run)
    return _kernels.sse(x, labels, int(labels.max()) + 1, run)
