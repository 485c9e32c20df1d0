"""The linear relaxation of choosing among all groups, by column generation.

Its dual asks for prices of the records, of the largest sum, such that no group costs less than its
records. The master program knows the groups of a pool only and keeps prices in a box around the
best proven ones, for prices that are free run wild; the kernel then finds groups that undercut its
prices ("bargains"), which join the pool, and by how much prices must fall to be proven. So there is
a proven bound after every round, and rounding of the solver can only make it worse, never untrue.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass

import numpy as np

from tokumei import _check
from tokumei._kernels import bounds
from tokumei.microaggregation.methods.mdav import mdav_of
from tokumei.microaggregation.search import neighbours
from tokumei.microaggregation.search.pool import Pool
from tokumei.microaggregation.search.programs import price_within, require_scipy
from tokumei.microaggregation.search.search import SearchTask, search

ROUNDS = 200
# Sets looked at for a record and size (more where too few were) and bargains kept.
STEPS, MOST_STEPS, KEPT = 500, 8_000, 4
# Share of the value within which the bound has converged.
NEAR = 1e-5
# Half the width of the box, as a share of the prices: at first, and where it no longer matters.
FIRST_WIDTH, WIDE, NARROW = 0.3, 1.0, 0.02


@dataclass(frozen=True, eq=False)
class Relaxation:
    """Proven prices, their sum and the groups met on the way."""

    prices: _check.Floats
    pool: Pool

    @property
    def least(self) -> float:
        """No partition has a lower sum of squares."""
        return math.fsum(self.prices)


def bound(x: _check.Floats, k: int, run: _check.Run, pool: Pool | None = None) -> Relaxation:
    """Prices that no group undercuts, nearly of the largest sum there is, or the best in time."""
    require_scipy('method="columns"')
    prices = neighbours.shares(x, k, run)
    pool = Pool(x, k) if pool is None else pool
    result = [prices]
    if k > 1 and prices.any():
        with contextlib.suppress(StopIteration):
            _generate(x, k, run, pool, result)
    return Relaxation(result[-1], pool)


def _generate(
    x: _check.Floats, k: int, run: _check.Run, pool: Pool, proven: list[_check.Floats]
) -> None:
    """Append better and better proven prices."""
    sums = np.empty((len(x), 2 * k - 1), order="F")
    bounds.half_nearest_sums(x, sums, run)
    silent = run.silent()
    start = mdav_of(x, k, silent)
    for seed in range(3):
        wish = SearchTask("balanced", "squares", 2 * k - 1, seed=seed)
        pool.add_partition(search(x, start, k, wish, silent, None))
    width, steps = FIRST_WIDTH, STEPS
    for turn in range(ROUNDS):
        run.tell(turn / ROUNDS)
        centre = proven[-1]
        reach = width * np.maximum(np.abs(centre), 0.2 * centre.mean())
        solved = price_within(pool, centre - reach, centre + reach)
        if solved is None:
            return
        prices, promised = solved
        found, relief = bargains(x, sums, prices, k, steps, run)
        new = pool.add(found)
        before, after = math.fsum(centre), math.fsum(prices - relief)
        if after > before:
            proven.append(prices - relief)
        at_edge = bool((np.abs(prices - centre) >= 0.999 * reach).any())
        if promised - max(before, after) <= NEAR * promised and not at_edge:
            return
        if promised - before <= NEAR * promised:
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
        _trim(pool, prices)


def bargains(
    x: _check.Floats,
    sums: _check.Floats,
    prices: _check.Floats,
    k: int,
    steps: int,
    run: _check.Run,
) -> tuple[_check.Labels, _check.Floats]:
    """Groups that cost less than their records, and by how much prices must fall."""
    groups = np.empty((len(x) * KEPT, 2 * k - 1), dtype=np.int64, order="F")
    relief = np.empty(len(x))
    count = bounds.price(x, sums, prices, k, steps, KEPT, groups, relief, run)
    return groups[:count], relief


def _trim(pool: Pool, prices: _check.Floats) -> None:
    """Forget the groups that are dearest by these prices, where there are too many."""
    rows = len(prices)
    if len(pool) > 12 * rows + 1000:
        dear = pool.costs - pool.prices_of(prices)
        pool.keep(np.argsort(dear, kind="stable")[: 8 * rows + 500])
