"""The last step of refinement for small tables: the best mix of all groups met."""

from __future__ import annotations

import logging
import math

import numpy as np

from tokumei import _check
from tokumei._kernels import group as _groups
from tokumei.microaggregation.records import Table, coordinates
from tokumei.microaggregation.search import column_generation
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.linear_programs import require_scipy, set_partition
from tokumei.microaggregation.search.relaxation import Relaxation, negative_columns
from tokumei.microaggregation.search.search import SearchTask, search

_log = logging.getLogger("tokumei")

# Larger tables have programs that would run for hours.
MOST_ROWS = 1_200
SEARCHES = 4
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
    program chooses among those that can be in a better partition at all.
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

    pool, best = ColumnPool(points, k), labels
    for number in range(SEARCHES):
        task = SearchTask("best", "squares", 2 * k - 1, seed=(seed + number) % 2**64)
        part = run.part(0.5 * number / SEARCHES, 0.5 * (number + 1) / SEARCHES)
        found = search(x, labels, k, task, part, None)
        pool.add_partition(found)
        best = min(best, found, key=sse)
        if end is not None and end.passed():
            return best
    run = run.part(0.5, 0.9)
    relaxation = column_generation.bound(points, k, run, pool)
    gap = sse(best) - relaxation.least
    if gap <= SAME * sse(best):
        _log.info("refine: the loss is the least there is")
        return best
    try:
        _add_columns_in_reach(points, k, relaxation, gap, run)
    except StopIteration:
        return best
    # A group whose reduced cost is above the gap is in no better partition.
    reduced = pool.reduced_costs(relaxation.duals)
    order = np.argsort(reduced, kind="stable")[: CHOICE * n]
    pool.keep([i for i in order if reduced[i] <= gap])
    pool.add_partition(best)
    # A solver that may take no time at all would take as much as it likes.
    left = None if end is None else max(end.left(), 0.005)
    chosen = set_partition(pool, n, NODES, left)
    if end is not None:
        end.passed()  # where the program was cut it is remembered
    if chosen is not None:
        best = min(best, pool.labels(chosen), key=sse)
    percent = 100 * (sse(best) / relaxation.least - 1) if relaxation.least > 0 else math.inf
    _log.info("refine: the loss is at most %.4f %% above the least there is", max(percent, 0.0))
    return best


def _add_columns_in_reach(
    x: _check.Floats, k: int, relaxation: Relaxation, gap: float, run: _check.Run
) -> None:
    """Add groups whose reduced cost is below the gap."""
    raised, steps = relaxation.duals + gap / k, column_generation.STEPS
    relaxation.pool.add(negative_columns(x, raised, k, steps, run)[0])
