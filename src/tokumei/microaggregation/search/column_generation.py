"""The linear relaxation of choosing among all groups, by column generation.

The columns are groups. The dual asks for a value of each record, of the largest sum, such that no
group costs less than its records are worth. The restricted master program knows the groups of a
pool only and keeps dual values in a box around the best feasible ones (the boxstep method), for
free ones run wild; the pricing kernel then finds groups of negative reduced cost, which join the
pool, and by how much dual values must fall to be feasible. So there is a proven bound after every
round, and rounding of the solver can only make it worse, never untrue.
"""

from __future__ import annotations

import contextlib
import math

import numpy as np

from tokumei import _check
from tokumei.microaggregation.methods.mdav import mdav_of
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.lagrangian_bound import lagrangian_duals
from tokumei.microaggregation.search.linear_programs import require_scipy, restricted_master
from tokumei.microaggregation.search.relaxation import Relaxation, negative_columns, trim
from tokumei.microaggregation.search.search import SearchTask, search

ROUNDS = 200
# Sets looked at for a record and size (more where too few were).
STEPS, MOST_STEPS = 500, 8_000
# Share of the value within which the bound has converged.
TOLERANCE = 1e-5
# Half the width of the box, as a share of the dual values: at first, at most and at least.
FIRST_WIDTH, WIDE, NARROW = 0.3, 1.0, 0.02


def bound(x: _check.Floats, k: int, run: _check.Run, pool: ColumnPool | None = None) -> Relaxation:
    """Feasible dual values, nearly of the largest sum possible, or the best in time."""
    require_scipy('method="columns"')
    duals = lagrangian_duals(x, k, run.part(0.0, 0.1))
    pool = ColumnPool(x, k) if pool is None else pool
    feasible = [duals]
    if k > 1 and duals.any():
        with contextlib.suppress(StopIteration):
            _generate(x, k, run.part(0.1, 1.0), pool, feasible)
    return Relaxation(feasible[-1], pool)


def _generate(
    x: _check.Floats, k: int, run: _check.Run, pool: ColumnPool, feasible: list[_check.Floats]
) -> None:
    """Append better and better feasible dual values."""
    silent = run.silent()
    start = mdav_of(x, k, silent)
    for seed in range(3):
        task = SearchTask("balanced", "squares", 2 * k - 1, seed=seed)
        pool.add_partition(search(x, start, k, task, silent, None))
    width, steps = FIRST_WIDTH, STEPS
    for turn in range(ROUNDS):
        part = run.part(turn / ROUNDS, (turn + 1) / ROUNDS)
        part.tell(0.0)
        centre = feasible[-1]
        reach = width * np.maximum(np.abs(centre), 0.2 * centre.mean())
        solved = restricted_master(pool, centre - reach, centre + reach)
        if solved is None:
            return
        duals, promised = solved.duals, solved.value
        found, correction = negative_columns(x, duals, k, steps, part)
        new = pool.add(found)
        before, after = math.fsum(centre), math.fsum(duals - correction)
        if after > before:
            feasible.append(duals - correction)
        at_edge = bool((np.abs(duals - centre) >= 0.999 * reach).any())
        if promised - max(before, after) <= TOLERANCE * promised and not at_edge:
            return
        if promised - before <= TOLERANCE * promised:
            # The box holds nothing better; the bound is concave, so a wide one is as good as all.
            if width >= WIDE:
                return
            width = WIDE
        elif after - before > 0.1 * (promised - before):
            width *= 1.5 if at_edge else 1.0
        elif new == 0 and steps == MOST_STEPS:
            return
        elif new == 0:
            steps *= 4
        else:
            width = max(0.8 * width, NARROW)
        trim(pool, duals)
