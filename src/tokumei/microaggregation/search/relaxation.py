"""What both ways to the linear relaxation share: its result, and the search for groups it lacks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tokumei import _check
from tokumei._kernels import bounds
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.subset_rows import NO_ROWS, SubsetRows

# Columns kept of a record.
KEPT = 4


@dataclass(frozen=True, eq=False)
class Relaxation:
    """Feasible dual values, the groups met on the way, and subset rows at their prices."""

    duals: _check.Floats
    pool: ColumnPool
    subsets: SubsetRows = NO_ROWS

    @property
    def least(self) -> float:
        """No partition has a lower sum of squares."""
        return math.fsum([*self.duals, *-self.subsets.prices])

    def reduced_costs(self) -> _check.Floats:
        """What each group of the pool costs, tolls included, less the values of its records."""
        return self.pool.reduced_costs(self.duals) + self.subsets.tolls(self.pool)


def negative_columns(
    x: _check.Floats,
    duals: _check.Floats,
    k: int,
    steps: int,
    run: _check.Run,
    subsets: SubsetRows = NO_ROWS,
    kept: int = KEPT,
) -> tuple[_check.Labels, _check.Floats]:
    """Groups of negative reduced cost, and the dual correction that makes the values feasible."""
    groups = np.empty((len(x) * kept, 2 * k - 1), dtype=np.int64, order="F")
    correction = np.empty(len(x))
    count = bounds.solve_pricing(
        x, duals, subsets.sets, subsets.prices, k, steps, kept, groups, correction, run
    )
    return groups[:count], correction


def trim(pool: ColumnPool, duals: _check.Floats, subsets: SubsetRows = NO_ROWS) -> _check.Labels:
    """Forget the groups of the highest reduced cost, where there are too many; which stay."""
    rows = len(duals)
    if len(pool) <= 12 * rows + 1000:
        return np.arange(len(pool))
    reduced = Relaxation(duals, pool, subsets).reduced_costs()
    stay = np.argsort(reduced, kind="stable")[: 8 * rows + 500]
    pool.keep(stay)
    return stay
