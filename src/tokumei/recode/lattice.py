"""The search for the cheapest levels: best first, exact.

The cost of a vector of levels is the mean penalty of the records, a suppressed record costing all
there is to lose. Without suppression that is a sum over attributes which never falls from level to
level: a bound from below by which vectors are looked at in turn, until the next bound is no better
than what has been found. Ties go to the lowest vector in lexicographic order.

A vector that fails is raised for as long as it fails, one attribute after the other: all vectors
below the one where that ends fail too, as their groups are parts of its groups, and are passed over
unseen. That leaves few to count.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei.recode.criteria import Criterion

# Bounds and costs are sums of the same numbers in different orders; closer ones count as equal.
GRAIN = 1e-12

# Groups are numbered anew before their numbers could overflow.
MOST_KEYS = 2**62

Levels = tuple[int, ...]
Rows = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Lattice:
    """Distinct rows and what they are and cost at each level of each attribute.

    ``codes[j][level]`` numbers the rows' values, ``costs[j][level]`` prices them, all attributes
    together at most 1 a row; `counts` says how many records each row stands for.
    """

    codes: tuple[_check.Labels, ...]
    costs: tuple[_check.Floats, ...]
    counts: _check.Labels
    criteria: tuple[Criterion, ...]

    @property
    def heights(self) -> Levels:
        return tuple(len(levels) - 1 for levels in self.codes)

    def groups(self, levels: Levels, attributes: tuple[int, ...]) -> tuple[_check.Labels, int]:
        """The group of each row by some of the attributes, and a number above all groups."""
        group, groups = np.zeros(len(self.counts), dtype=np.int64), 1
        for j in attributes:
            code = self.codes[j][levels[j]]
            values = int(code.max()) + 1
            if groups > MOST_KEYS // values:
                group, groups = _numbered(group)
            group = group * values + code
            groups *= values
        # Few possible groups can be counted as they are; sorting costs more than empty ones.
        return (group, groups) if groups <= 4 * len(group) else _numbered(group)

    def failing(self, levels: Levels, attributes: tuple[int, ...]) -> Rows:
        """Whether each row is in a group that may not be published."""
        group, groups = self.groups(levels, attributes)
        fine = np.ones(groups, dtype=bool)
        for criterion in self.criteria:
            fine &= criterion(group, groups)
        return ~fine[group]

    @cached_property
    def _mean_costs(self) -> list[list[float]]:
        records = int(self.counts.sum())
        return [(levels @ self.counts / records).tolist() for levels in self.costs]

    def bound(self, levels: Levels) -> float:
        """The cost without any suppression."""
        return sum(costs[level] for costs, level in zip(self._mean_costs, levels, strict=True))

    def cost(self, levels: Levels, suppressed: Rows) -> float:
        """The cost where some rows are suppressed, each costing 1."""
        rows = sum(self.costs[j][level] for j, level in enumerate(levels))
        lost = np.where(suppressed, 1.0, rows)
        return float(self.counts @ lost) / int(self.counts.sum())


@dataclass(frozen=True)
class Generalisation:
    """The cheapest levels, the rows that have to be suppressed, and how many vectors were tried."""

    levels: Levels
    suppressed: Rows
    cost: float
    tried: int


def search(
    lattice: Lattice, most_suppressed: int, tell: Callable[[float], object] | None = None
) -> Generalisation | None:
    """The cheapest levels with which at most so many records are suppressed; None without any."""
    everything = tuple(range(len(lattice.codes)))
    failed = np.zeros((0, len(everything)), dtype=np.int64)
    best: Generalisation | None = None
    tried = 0

    def failing(levels: Levels) -> tuple[Rows, bool]:
        nonlocal tried
        tried += 1
        if tell is not None:
            tell(0.0)
        rows = lattice.failing(levels, everything)
        return rows, int(lattice.counts[rows].sum()) > most_suppressed

    start = (0,) * len(everything)
    waiting = [(lattice.bound(start), start)]
    seen = {start}
    while waiting:
        bound, levels = heapq.heappop(waiting)
        if best is not None and bound > best.cost * (1 + GRAIN):
            break
        if not (failed >= levels).all(axis=1).any():
            rows, fails = failing(levels)
            if fails:
                highest = levels
                for j in everything:
                    while highest[j] < lattice.heights[j] and failing(_raised(highest, j))[1]:
                        highest = _raised(highest, j)
                failed = np.vstack([failed, highest])
            else:
                cost = lattice.cost(levels, rows)
                if best is None or _better(cost, levels, best):
                    best = Generalisation(levels, rows, cost, tried)
        for j in everything:
            above = _raised(levels, j)
            if levels[j] < lattice.heights[j] and above not in seen:
                seen.add(above)
                heapq.heappush(waiting, (lattice.bound(above), above))
    return None if best is None else Generalisation(best.levels, best.suppressed, best.cost, tried)


def _raised(levels: Levels, j: int) -> Levels:
    return (*levels[:j], levels[j] + 1, *levels[j + 1 :])


def _numbered(group: _check.Labels) -> tuple[_check.Labels, int]:
    known, numbers = np.unique(group, return_inverse=True)
    return numbers, len(known)


def _better(cost: float, levels: Levels, best: Generalisation) -> bool:
    if abs(cost - best.cost) <= GRAIN * best.cost:
        return levels < best.levels
    return cost < best.cost
