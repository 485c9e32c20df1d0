"""The linear relaxation with subset rows: columns and rows are generated in turn.

Once no group is wanting, the solution's fractions are asked which rows of subset_rows.py they
break. Those join the master program, whose prices make groups dearer, so that the dual values of
records rise; the pricing kernel counts the prices in and finds the groups that are wanting now. As
in column_generation.py a bound is proven after every round, whatever the solver answers.
"""

from __future__ import annotations

import contextlib

import numpy as np

from tokumei import _check
from tokumei.microaggregation.search import column_generation
from tokumei.microaggregation.search.column_generation import FIRST_WIDTH, MOST_STEPS
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.linear_programs import restricted_master
from tokumei.microaggregation.search.relaxation import Relaxation, negative_columns, trim
from tokumei.microaggregation.search.subset_rows import SubsetRows, broken_rows

ROUNDS = 100
STEPS = 4_000
# The largest sets, and how many may join in a round.
WIDEST, JOINING = 5, 1_000
# Rows are looked for when what is promised and what is proven are so close, as shares of it.
NEAR = 4e-3
# The end: a bound that has not risen by that share of itself in so many rounds.
WORTH, PATIENCE = 2e-4, 8
# Half the width of the box, as a share of the dual values, at most and at least.
WIDE, NARROW = 8.0, 0.05


def bound(
    x: _check.Floats,
    k: int,
    run: _check.Run,
    pool: ColumnPool | None = None,
    worth: float = WORTH,
) -> Relaxation:
    """The bound by columns, raised by subset rows as far as they go, or the best in time."""
    plain = column_generation.bound(x, k, run.part(0.0, 0.4), pool)
    found = [plain]
    if k > 1 and plain.duals.any():
        with contextlib.suppress(StopIteration):
            _generate(x, k, run.part(0.4, 1.0), found, worth)
    return found[-1]


def _generate(
    x: _check.Floats, k: int, run: _check.Run, found: list[Relaxation], worth: float
) -> None:
    """Append better and better relaxations."""
    pool, width, steps = found[0].pool, FIRST_WIDTH, STEPS
    subsets, history = SubsetRows.none(WIDEST), [found[0].least]
    for turn in range(ROUNDS):
        part = run.part(turn / ROUNDS, (turn + 1) / ROUNDS)
        part.tell(0.0)
        centre, before = found[-1].duals, found[-1].least
        reach = width * np.maximum(np.abs(centre), 0.2 * centre.mean())
        highest = subsets.prices + np.append(reach, 0.0)[subsets.sets].sum(axis=1)
        solved = restricted_master(pool, centre - reach, centre + reach, subsets, highest)
        if solved is None:
            return
        priced = subsets.priced(solved.prices)
        groups, correction = negative_columns(x, solved.duals, k, steps, part, priced)
        new = pool.add(groups)
        after = Relaxation(solved.duals - correction, pool, priced)
        if after.least > before:
            found.append(after)
            subsets = priced
        rise = found[-1].least - before
        at_edge = bool((np.abs(solved.duals - centre) >= 0.999 * reach).any())
        joined = False
        if new == 0 or solved.value - found[-1].least < NEAR * solved.value:
            broken = broken_rows(pool, solved.shares, len(x), WIDEST, JOINING)
            kept = subsets.of((subsets.prices > 0) | (solved.prices > 0))
            subsets = kept.joined(broken)
            joined = len(subsets) > len(kept)
        if new == 0 and not (joined or at_edge):
            return
        history.append(found[-1].least)
        if len(history) > PATIENCE and history[-1] - history[-1 - PATIENCE] < worth * history[-1]:
            return
        if rise > 0.1 * (solved.value - before):
            width = min(1.5 * width, WIDE) if at_edge else width
        elif new == 0:
            steps = min(4 * steps, MOST_STEPS)
        elif not joined:
            width = max(0.8 * width, NARROW)
        trim(pool, solved.duals, priced)
