"""The last step of refinement for small tables: the best mix of all groups met."""

from __future__ import annotations

import logging
import math
import time

import numpy as np

from tokumei import _check
from tokumei._kernels import bounds
from tokumei._kernels import group as _groups
from tokumei.microaggregation.search import columns
from tokumei.microaggregation.search.pool import Pool
from tokumei.microaggregation.search.programs import choose, require_scipy
from tokumei.microaggregation.search.search import SearchTask, search

_log = logging.getLogger("tokumei")

# Larger tables have programs that would run for hours.
MOST_ROWS = 1_200
SEARCHES = 4
# Groups a record to choose among, and nodes of branch and bound: counts, not a time, so that the
# result can be repeated.
CHOICE, NODES = 3, 200
# A loss that is so close to the bound is the least there is.
SAME = 1e-9


def optimum(
    x: _check.Floats,
    labels: _check.Labels,
    k: int,
    seed: int,
    run: _check.Run,
    end: float | None,
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

    def sse(labels: _check.Labels) -> float:
        return _groups.sse(x, labels, int(labels.max()) + 1, silent)

    pool, best = Pool(x, k), labels
    for number in range(SEARCHES):
        wish = SearchTask("best", "squares", 2 * k - 1, seed=(seed + number) % 2**64)
        part = run.part(0.5 * number / SEARCHES, 0.5 * (number + 1) / SEARCHES)
        found = search(x, labels, k, wish, part, None)
        pool.add_partition(found)
        best = min(best, found, key=sse)
        if end is not None and time.monotonic() >= end:
            return best
    run = run.part(0.5, 0.9)
    relaxation = columns.bound(x, k, run, pool)
    spare = sse(best) - relaxation.least
    if spare <= SAME * sse(best):
        _log.info("refine: the loss is the least there is")
        return best
    try:
        _add_near_bargains(x, k, relaxation, spare, run)
    except StopIteration:
        return best
    # What costs more than its records by more than there is to spare is in no better partition.
    dear = pool.costs - pool.prices_of(relaxation.prices)
    pool.keep([i for i in np.argsort(dear, kind="stable")[: CHOICE * n] if dear[i] <= spare])
    pool.add_partition(best)
    # A solver that may take no time at all would take as much as it likes.
    left = None if end is None else max(end - time.monotonic(), 0.005)
    chosen = choose(pool, n, NODES, left)
    if chosen is not None:
        best = min(best, pool.labels(chosen), key=sse)
    gap = 100 * (sse(best) / relaxation.least - 1) if relaxation.least > 0 else math.inf
    _log.info("refine: the loss is at most %.4f %% above the least there is", max(gap, 0.0))
    return best


def _add_near_bargains(
    x: _check.Floats, k: int, relaxation: columns.Relaxation, spare: float, run: _check.Run
) -> None:
    """Add groups that cost only a little more than their records."""
    sums = np.empty((len(x), 2 * k - 1), order="F")
    bounds.half_nearest_sums(x, sums, run)
    raised = relaxation.prices + spare / k
    relaxation.pool.add(columns.bargains(x, sums, raised, k, columns.STEPS, run)[0])
