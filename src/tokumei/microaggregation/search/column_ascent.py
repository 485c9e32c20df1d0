"""The linear relaxation of large tables: column generation whose master is climbed, not solved.

A simplex method takes minutes for the master program of ten thousand records, the search for groups
of negative reduced cost a second. So the dual values of the pool's groups are climbed to by a
first-order kernel, warm from round to round, and then settled: lowered where a group of the pool
costs less, raised where none does. What proves the bound is the pricing kernel's word on how much
they must fall, as in column_generation.py.
"""

from __future__ import annotations

import contextlib
import math

import numpy as np

from tokumei import _check
from tokumei._kernels import bounds
from tokumei.microaggregation.methods.mdav import mdav_of
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.lagrangian_bound import lagrangian_duals
from tokumei.microaggregation.search.relaxation import Relaxation, negative_columns, trim
from tokumei.microaggregation.search.search import SearchTask, search

ROUNDS = 16
# Searches whose groups begin the pool, up to so many records and beyond.
MANY, SEARCHES, SEARCHES_OF_MANY = 20_000, 3, 1
# Sets looked at for a record and size.
STEPS = 500
# Sweeps of the master a round, and the gap, a share of the value, at which it ends.
SWEEPS, MASTER_GAP = 4_000, 1e-4
# Share of the value within which the bound has converged, and by which values may have to fall to
# be worth settling.
TOLERANCE, WORTH = 2e-4, 0.02
# Half the width of the box around the best feasible dual values, as a share of them.
WIDTH = 0.3


def bound(x: _check.Floats, k: int, run: _check.Run) -> Relaxation:
    """Feasible dual values of nearly the largest sum possible, or the best in time."""
    duals = lagrangian_duals(x, k, run.part(0.0, 0.1))
    pool = ColumnPool(x, k)
    feasible = [duals]
    if k > 1 and duals.any():
        with contextlib.suppress(StopIteration):
            _begin(x, k, run.part(0.1, 0.2), pool)
            _generate(x, k, run.part(0.2, 1.0), pool, feasible)
    return Relaxation(feasible[-1], pool)


def _begin(x: _check.Floats, k: int, run: _check.Run, pool: ColumnPool) -> None:
    """The groups of a few searches."""
    start = mdav_of(x, k, run.part(0.0, 0.2))
    searches = SEARCHES if len(x) <= MANY else SEARCHES_OF_MANY
    for seed in range(searches):
        part = run.part(0.2 + 0.8 * seed / searches, 0.2 + 0.8 * (seed + 1) / searches)
        part.tell(0.0)
        task = SearchTask("balanced", "squares", 2 * k - 1, seed=seed)
        pool.add_partition(search(x, start, k, task, part, None))


def _generate(
    x: _check.Floats, k: int, run: _check.Run, pool: ColumnPool, feasible: list[_check.Floats]
) -> None:
    """Append better and better feasible dual values."""
    duals = feasible[-1].copy()
    shares = np.full(len(pool), 1 / SEARCHES)
    for turn in range(ROUNDS):
        begin, end = turn / ROUNDS, (turn + 1) / ROUNDS
        near, half = 0.8 * begin + 0.2 * end, (begin + end) / 2
        centre = feasible[-1]
        sizes = np.abs(centre)
        reach = WIDTH * np.maximum(sizes, max(0.2 * np.median(sizes), 2e-4 * sizes.mean()))
        low, high = centre - reach, centre + reach
        duals = np.clip(duals, low, high)
        groups = np.asfortranarray(pool.groups)
        part = run.part(begin, near)
        bounds.price_ascent(groups, pool.costs, low, high, SWEEPS, MASTER_GAP, duals, shares, part)
        found, correction = negative_columns(x, duals, k, STEPS, run.part(near, half))
        new = pool.add(found)
        shares = np.append(shares, np.zeros(new))
        _append_better(feasible, duals - correction)
        # Values that must fall by much are not worth settling: they would end in spikes.
        if math.fsum(correction) < WORTH * math.fsum(duals) or turn == ROUNDS - 1:
            settled = duals.copy()
            bounds.settle_prices(np.asfortranarray(pool.groups), pool.costs, settled)
            found, correction = negative_columns(x, settled, k, STEPS, run.part(half, end))
            shares = np.append(shares, np.zeros(pool.add(found)))
            _append_better(feasible, settled - correction)
        at_edge = float(np.mean((duals <= low) | (duals >= high)))
        promised, proven = math.fsum(duals), math.fsum(feasible[-1])
        if promised - proven <= TOLERANCE * promised and at_edge < 0.01:
            return
        shares = shares[trim(pool, duals)]


def _append_better(feasible: list[_check.Floats], duals: _check.Floats) -> None:
    if math.fsum(duals) > math.fsum(feasible[-1]):
        feasible.append(duals)
