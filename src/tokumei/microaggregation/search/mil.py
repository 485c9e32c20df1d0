"""MIL: a partition of one attribute improved by moving records between neighbouring groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels


@dataclass(frozen=True, eq=False)
class MilResult:
    """What MIL made of a partition, and what it took.

    Attributes
    ----------
    labels : ndarray of int64, shape (n,)
        The group of each record.
    tests : int
        How often it was worked out whether a move would lower the loss.
    moves : int
        How many records were moved.
    """

    labels: _check.Labels
    tests: int
    moves: int


def mil(x: ArrayLike, labels: ArrayLike, k: int) -> _check.Labels:
    """Improve a partition of one attribute by moving records across the borders of groups.

    Between neighbouring groups the border record moves as long as that lowers the sum of squares
    and the group it leaves keeps k records, until no such move is left. The loss never rises. The
    result is the best that single moves reach from there, not the best there is: `univariate`
    finds that.

    Parameters
    ----------
    x : array_like of shape (n,) or (n, 1)
        Numbers, one a record.
    labels : array_like of int, shape (n,)
        The group of each record, as `mdav` or `partition` returns it. Groups that overlap first
        take the sorted values in turn, in the order of their means and with their sizes.
    k : int
        Smallest group size; every group must have it.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record; groups are numbered from 0 in the order of their first record.

    See Also
    --------
    mil_report : the same with the number of tests and moves.

    Notes
    -----
    Gains of less than 3e-14 of the terms compared are left alone, so that rounding moves nothing.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.mil([1, 2, 8, 9, 10], [0, 0, 0, 1, 1], k=2)
    array([0, 0, 1, 1, 1])
    """
    return mil_report(x, labels, k).labels


def mil_report(x: ArrayLike, labels: ArrayLike, k: int) -> MilResult:
    """Run `mil` and say what it took.

    Parameters
    ----------
    x : array_like of shape (n,) or (n, 1)
        Numbers, one a record.
    labels : array_like of int, shape (n,)
        The group of each record.
    k : int
        Smallest group size; every group must have it.

    Returns
    -------
    MilResult
        The labels, the number of tests and the number of moves.

    Examples
    --------
    >>> from tokumei.microaggregation import mil_report
    >>> report = mil_report([1, 2, 8, 9, 10], [0, 0, 0, 1, 1], k=2)
    >>> report.tests, report.moves
    (3, 1)
    """
    column = _check.in_scale(_check.column(x, largest=_check.LARGEST))
    group, groups = _check.labels(labels, len(column))
    k = _check.group_size(k, len(column))
    _check.groups_of(group, k)
    improved = np.empty(len(column), dtype=np.int64)
    tests, moves = _kernels.mil(column, group, groups, k, improved, _check.run(1))
    return MilResult(improved, tests, moves)
