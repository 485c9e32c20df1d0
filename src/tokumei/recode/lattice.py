"""The search for the cheapest levels: best first, exact.

The cost of a vector of levels is the mean penalty of the records, a suppressed record costing all
there is to lose. Without suppression that is a sum over attributes which never falls from level to
level: a bound from below by which vectors are looked at in turn, until the next bound is no better
than what has been found. Ties go to the lowest vector in lexicographic order.

A vector is passed over unseen where two of its attributes alone already fail more records than may
be suppressed: groups by fewer attributes are unions of groups (the subset rule of full-domain
search).
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei.recode.criteria import Criterion

# Bounds and costs are sums of the same numbers in different orders; closer ones count as equal.
GRAIN = 1e-12

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
        """The group of each row by some of the attributes, and the number of groups."""
        group, groups = np.zeros(len(self.counts), dtype=np.int64), 1
        for j in attributes:
            code = self.codes[j][levels[j]]
            group = group * (int(code.max()) + 1) + code
            known, group = np.unique(group, return_inverse=True)
            groups = len(known)
        return group, groups

    def failing(self, levels: Levels, attributes: tuple[int, ...]) -> Rows:
        """Whether each row is in a group that may not be published."""
        group, groups = self.groups(levels, attributes)
        fine = np.ones(groups, dtype=bool)
        for criterion in self.criteria:
            fine &= criterion(group, groups)
        return ~fine[group]

    def bound(self, levels: Levels) -> float:
        """The cost without any suppression."""
        total = sum(float(self.counts @ self.costs[j][level]) for j, level in enumerate(levels))
        return total / int(self.counts.sum())

    def cost(self, levels: Levels, suppressed: Rows) -> float:
        """The cost where some rows are suppressed, each costing 1."""
        rows = sum(self.costs[j][level] for j, level in enumerate(levels))
        lost = np.where(suppressed, 1.0, rows)
        return float(self.counts @ lost) / int(self.counts.sum())


@dataclass(frozen=True)
class Found:
    """The cheapest levels, the rows that have to be suppressed, and how many vectors were tried."""

    levels: Levels
    suppressed: Rows
    cost: float
    tried: int


def search(
    lattice: Lattice, most_suppressed: int, tell: Callable[[float], object] | None = None
) -> Found | None:
    """The cheapest levels with which at most so many records are suppressed; None without any."""
    everything = tuple(range(len(lattice.codes)))
    pairs = list(itertools.combinations(everything, 2))
    pair_fails: dict[tuple[int, int, int, int], bool] = {}

    def fails_by_a_pair(levels: Levels) -> bool:
        for i, j in pairs if len(everything) > 2 else []:
            key = (i, j, levels[i], levels[j])
            if key not in pair_fails:
                failing = lattice.failing(levels, (i, j))
                pair_fails[key] = int(lattice.counts[failing].sum()) > most_suppressed
            if pair_fails[key]:
                return True
        return False

    best: Found | None = None
    tried = 0
    start = (0,) * len(everything)
    waiting = [(lattice.bound(start), start)]
    seen = {start}
    while waiting:
        bound, levels = heapq.heappop(waiting)
        if best is not None and bound > best.cost * (1 + GRAIN):
            break
        if tell is not None:
            tell(0.0)
        if not fails_by_a_pair(levels):
            tried += 1
            failing = lattice.failing(levels, everything)
            if int(lattice.counts[failing].sum()) <= most_suppressed:
                cost = lattice.cost(levels, failing)
                if best is None or _better(cost, levels, best):
                    best = Found(levels, failing, cost, tried)
        for j in everything:
            if levels[j] < lattice.heights[j]:
                above = (*levels[:j], levels[j] + 1, *levels[j + 1 :])
                if above not in seen:
                    seen.add(above)
                    heapq.heappush(waiting, (lattice.bound(above), above))
    return None if best is None else Found(best.levels, best.suppressed, best.cost, tried)


def _better(cost: float, levels: Levels, best: Found) -> bool:
    if abs(cost - best.cost) <= GRAIN * best.cost:
        return levels < best.levels
    return cost < best.cost
