"""The last step of refinement for small tables: the best mix of all groups met."""

from __future__ import annotations

import logging
import math

import numpy as np

from tokumei import _check
from tokumei._kernels import group as _groups
from tokumei.microaggregation.records import Table, coordinates
from tokumei.microaggregation.search import column_generation, row_generation
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.lagrangian_bound import lagrangian_duals
from tokumei.microaggregation.search.linear_programs import require_scipy, set_partition
from tokumei.microaggregation.search.relaxation import Relaxation, negative_columns
from tokumei.microaggregation.search.search import SearchTask, search

_log = logging.getLogger("tokumei")

# Up to here the relaxation's programs are solved.
MOST_ROWS = 5_000
SEARCHES = 4
# Mixes: after each but the last the best found is searched from, so many times.
MIXES, SEARCHES_BETWEEN = 4, 4
# Beyond that k groups are told apart by the Lagrangian bound, without a relaxation.
MOST_K = 5
# Groups a record to choose among, and nodes of branch and bound: counts, not a time, so that the
# result can be repeated.
CHOICE, NODES = 3, 200
# A loss that is so close to the bound is the optimum.
SAME = 1e-9


def optimum(
    x: Table,
    labels: _check.Labels,
    k: int,
    seed: int,
    run: _check.Run,
    end: _check.Deadline | None,
) -> _check.Labels:
    """The best of some long searches, or a better mix of the groups met; never worse.

    The searches' groups, and those of the linear relaxation, make a pool; a set-partitioning
    program chooses among those that can be in a better partition at all. Short searches from the
    best mix bring groups for the next, until one is no better.
    """
    n = len(x)
    if n > MOST_ROWS:
        msg = f'effort="optimal" is for tables of up to {MOST_ROWS} records, got {n}'
        raise ValueError(msg)
    require_scipy('effort="optimal"')
    run, silent = run.until(end), run.silent()
    points = coordinates(x)

    def sse(labels: _check.Labels) -> float:
        return _groups.sse(points, labels, int(labels.max()) + 1, silent)

    def searched(begin: _check.Labels, effort: str, number: int, part: _check.Run) -> _check.Labels:
        task = SearchTask(effort, "squares", 2 * k - 1, seed=(seed + number) % 2**64)
        found = search(x, begin, k, task, part, None)
        pool.add_partition(found)
        return min(best, found, key=sse)

    pool, best = ColumnPool(points, k), labels
    for number in range(SEARCHES):
        part = run.part(0.4 * number / SEARCHES, 0.4 * (number + 1) / SEARCHES)
        best = searched(labels, "best", number, part)
        if end is not None and end.passed():
            return best
    relaxation = _relaxed(points, k, run.part(0.4, 0.8), pool)
    for mix in range(MIXES):
        gap = sse(best) - relaxation.least
        if gap <= SAME * sse(best):
            _log.info("refine: the loss is the least there is")
            return best
        part = run.part(0.8 + 0.2 * mix / MIXES, 0.8 + 0.2 * (mix + 1) / MIXES)
        try:
            if mix == 0 and k <= MOST_K:
                _add_columns_in_reach(points, k, relaxation, gap, part)
            part.tell(0.2)
        except StopIteration:
            return best
        better = min(best, _mixed(relaxation, best, gap, end), key=sse)
        if end is not None and end.passed():  # where a program was cut it is remembered
            return better
        if mix > 0 and sse(better) >= sse(best):
            break
        best = better
        for number in range(SEARCHES_BETWEEN if mix + 1 < MIXES else 0):
            begin = 0.2 + 0.8 * number / SEARCHES_BETWEEN
            fresh = SEARCHES + mix * SEARCHES_BETWEEN + number
            best = searched(best, "balanced", fresh, part.part(begin, begin + 0.2))
    percent = 100 * (sse(best) / relaxation.least - 1) if relaxation.least > 0 else math.inf
    _log.info("refine: the loss is at most %.4f %% above the least there is", max(percent, 0.0))
    return best


def _relaxed(x: _check.Floats, k: int, run: _check.Run, pool: ColumnPool) -> Relaxation:
    """What tells the groups that may be in a better partition from those that are not."""
    if k <= MOST_K:
        return row_generation.bound(x, k, run, pool)
    return Relaxation(lagrangian_duals(x, k, run), pool)


def _mixed(
    relaxation: Relaxation, best: _check.Labels, gap: float, end: _check.Deadline | None
) -> _check.Labels:
    """The best mix of the groups of the pool, or of those of it that cost least."""
    pool, n = relaxation.pool, len(best)
    # A group whose reduced cost is above the gap is in no better partition.
    reduced = relaxation.reduced_costs()
    order = np.argsort(reduced, kind="stable")[: CHOICE * n]
    choice = pool.copy()
    choice.keep([i for i in order if reduced[i] <= gap])
    choice.add_partition(best)
    # A solver that may take no time at all would take as much as it likes.
    left = None if end is None else max(end.left(), 0.005)
    chosen = set_partition(choice, n, NODES, left, relaxation.subsets)
    return best if chosen is None else choice.labels(chosen)


def _add_columns_in_reach(
    x: _check.Floats, k: int, relaxation: Relaxation, gap: float, run: _check.Run
) -> None:
    """Add groups whose reduced cost is below the gap."""
    raised, steps = relaxation.duals + gap / k, column_generation.STEPS
    relaxation.pool.add(negative_columns(x, raised, k, steps, run, relaxation.subsets)[0])
