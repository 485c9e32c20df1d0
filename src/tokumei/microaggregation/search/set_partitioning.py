"""The last step of refinement for small tables: the best mix of all groups met."""

from __future__ import annotations

import logging
import math

import numpy as np

from tokumei import _check
from tokumei._kernels import group as _groups
from tokumei.microaggregation.records import Table, coordinates
from tokumei.microaggregation.search import row_generation
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.lagrangian_bound import lagrangian_duals
from tokumei.microaggregation.search.linear_programs import require_scipy, set_partition
from tokumei.microaggregation.search.near_columns import add_near_columns
from tokumei.microaggregation.search.region_search import by_regions
from tokumei.microaggregation.search.relaxation import Relaxation
from tokumei.microaggregation.search.search import SearchTask, search

_log = logging.getLogger("tokumei")

# Up to here the relaxation's programs are solved.
MOST_ROWS = 5_000
SEARCHES = 4
# Beyond that k groups are told apart by the Lagrangian bound, without a relaxation.
MOST_K = 5
# Groups a record to choose among, one mix after the other, and nodes of branch and bound: counts,
# not a time, so that the result can be repeated. What a solver finds in few nodes is a matter of
# luck, and another choice is another try.
CHOICES, NODES = (3, 4, 2), 400
# Short searches from the best found after each mix but the last.
SEARCHES_BETWEEN = 4
# The relaxation ends when its bound rises by less than that share of itself in some rounds.
WORTH = 2e-5
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

    The searches' groups, those of the linear relaxation and those that cost little more than its
    prices make a pool. A set-partitioning program chooses among them, and then chooses anew in one
    region after another. Short searches from the best bring groups for the next mix.
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
        part = run.part(0.3 * number / SEARCHES, 0.3 * (number + 1) / SEARCHES)
        best = searched(labels, "best", number, part)
        if end is not None and end.passed():
            return best
    relaxation = _relaxed(points, k, run.part(0.3, 0.5), pool)
    for mix, choice in enumerate(CHOICES):
        gap = sse(best) - relaxation.least
        if gap <= SAME * sse(best):
            _log.info("refine: the loss is the least there is")
            return best
        part = run.part(0.5 + 0.5 * mix / len(CHOICES), 0.5 + 0.5 * (mix + 1) / len(CHOICES))
        try:
            if mix == 0 and k <= MOST_K:
                add_near_columns(points, k, relaxation, part.part(0.0, 0.2))
            part.tell(0.2)
        except StopIteration:
            return best
        near = choice_of(relaxation, best, gap)
        best = min(best, _mixed(near, best, choice, end), key=sse)
        if end is None or not end.passed():
            best = by_regions(best, near, part.part(0.3, 0.8))
        if end is not None and end.passed():  # where a program was cut it is remembered
            return best
        for number in range(SEARCHES_BETWEEN if mix + 1 < len(CHOICES) else 0):
            begin = 0.8 + 0.2 * number / SEARCHES_BETWEEN
            fresh = SEARCHES + mix * SEARCHES_BETWEEN + number
            best = searched(best, "balanced", fresh, part.part(begin, begin + 0.05))
    percent = 100 * (sse(best) / relaxation.least - 1) if relaxation.least > 0 else math.inf
    _log.info("refine: the loss is at most %.4f %% above the least there is", max(percent, 0.0))
    return best


def _relaxed(x: _check.Floats, k: int, run: _check.Run, pool: ColumnPool) -> Relaxation:
    """What tells the groups that may be in a better partition from those that are not."""
    if k <= MOST_K:
        return row_generation.bound(x, k, run, pool, WORTH)
    return Relaxation(lagrangian_duals(x, k, run), pool)


def choice_of(relaxation: Relaxation, best: _check.Labels, gap: float) -> Relaxation:
    """The groups whose reduced cost is at most the gap: others are in no better partition. Those of
    the lowest rank first."""
    relaxation.pool.add_partition(best)
    reduced = relaxation.reduced_costs()
    pool = relaxation.pool.copy()
    stay = np.flatnonzero(reduced <= gap)
    pool.keep(stay)
    order = np.lexsort((reduced[stay], pool.ranks(reduced[stay])))
    pool.keep(order)
    return Relaxation(relaxation.duals, pool, relaxation.subsets)


def _mixed(
    near: Relaxation, best: _check.Labels, choice: int, end: _check.Deadline | None
) -> _check.Labels:
    """The best mix of the first of some groups, so many a record."""
    pool = near.pool.copy()
    pool.keep(np.arange(min(len(pool), choice * len(best))))
    pool.add_partition(best)
    # A solver that may take no time at all would take as much as it likes.
    left = None if end is None else max(end.left(), 0.005)
    chosen = set_partition(pool, NODES, left, near.subsets)
    return best if chosen is None else pool.labels(chosen)
