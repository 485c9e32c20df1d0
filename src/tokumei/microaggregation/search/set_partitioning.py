"""The last step of refinement for small tables: the best mix of all groups met."""

from __future__ import annotations

import contextlib
import logging
import math

import numpy as np

from tokumei import _check
from tokumei._kernels import group as _groups
from tokumei.microaggregation.records import Table, coordinates, of_rows
from tokumei.microaggregation.search import row_generation
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.lagrangian_bound import lagrangian_duals
from tokumei.microaggregation.search.linear_programs import require_scipy, set_partition
from tokumei.microaggregation.search.near_columns import add_near_columns
from tokumei.microaggregation.search.recombination import recombined
from tokumei.microaggregation.search.region_search import by_regions
from tokumei.microaggregation.search.regions_anew import anew
from tokumei.microaggregation.search.relaxation import Relaxation
from tokumei.microaggregation.search.search import SearchTask, search

_log = logging.getLogger("tokumei")

# Up to here the relaxation's programs are solved.
MOST_ROWS = 5_000
# Beyond that k groups are told apart by the Lagrangian bound, without a relaxation.
MOST_K = 5
# Long searches to recombine; more where the relaxation says little. Even numbers.
SEARCHES, SEARCHES_OF_LARGE_K = 8, 12
# What pairs of them are searched by has seeds of its own, from that on.
OF_PAIRS = 1 << 20
# Sweeps over regions that are searched from nothing, perturbations a record there, and the stream
# of chance that their beginnings are drawn from.
SWEEPS, OF_REGIONS, BEGINNINGS = 4, 60.0, 1 << 21
# Groups a record to choose among, one mix after the other, and nodes of branch and bound: counts,
# not a time, so that the result can be repeated. What a solver finds in few nodes is a matter of
# luck, and another choice is another try.
CHOICES, NODES = (3, 4, 2), 400
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
    """The best of some long searches, recombined, or a better mix of the groups met; never worse.

    Regions of the best are searched from nothing. The groups met, those of the linear relaxation
    and those that cost little more than its prices make a pool. A set-partitioning program chooses
    among them, and then chooses anew in one region after another. The best meets all that were
    searched, and its regions are searched again, for the next mix.
    """
    n = len(x)
    if n > MOST_ROWS:
        msg = f'effort="optimal" is for tables of up to {MOST_ROWS} records, got {n}'
        raise ValueError(msg)
    require_scipy('effort="optimal"')
    work = _Optimum(x, labels, k, seed, run.until(end), end)
    with contextlib.suppress(StopIteration):
        work.do()
    return work.best


class _Optimum:
    """The groups met so far, and the best partition."""

    def __init__(
        self,
        x: Table,
        labels: _check.Labels,
        k: int,
        seed: int,
        run: _check.Run,
        end: _check.Deadline | None,
    ) -> None:
        self._x, self._k, self._seed, self._run, self._end = x, k, seed, run, end
        self._begin, self.best = labels, labels
        self._points = coordinates(x)
        self._pool = ColumnPool(self._points, k)
        self._searches = SEARCHES if k <= MOST_K else SEARCHES_OF_LARGE_K
        self._tries = 0

    def do(self) -> None:
        """All of it; StopIteration where it is to end before."""
        found = self._search(self._run.part(0.0, 0.15))
        self._recombine(list(found), self._run.part(0.15, 0.3))
        self._search_regions(self._run.part(0.3, 0.4))
        relaxation = self._relaxed(self._run.part(0.4, 0.5))
        for mix, part in enumerate(self._run.part(0.5, 1.0).parts(len(CHOICES))):
            gap = self._sse(self.best) - relaxation.least
            if gap <= SAME * self._sse(self.best):
                _log.info("refine: the loss is the least there is")
                return
            self._mix(relaxation, gap, mix, part)
            if mix + 1 < len(CHOICES):
                self._meet(found, part.part(0.6, 0.8))
            self._search_regions(part.part(0.8, 1.0))
        least = relaxation.least
        percent = 100 * (self._sse(self.best) / least - 1) if least > 0 else math.inf
        _log.info("refine: the loss is at most %.4f %% above the least there is", max(percent, 0.0))

    def _search(self, run: _check.Run) -> list[_check.Labels]:
        """Long searches from the same groups."""
        every = np.arange(len(self._begin))
        return [
            self._met(self._searched(every, self._begin, number, part))
            for number, part in enumerate(run.parts(self._searches))
        ]

    def _recombine(self, members: list[_check.Labels], run: _check.Run) -> None:
        """What comes of partitions, each of which meets each other."""
        parts = run.parts(len(members) * (len(members) - 1) // 2)

        def searched(rows: _check.Labels, begin: _check.Labels, number: int) -> _check.Labels:
            self._tries += 1
            return self._searched(rows, begin, OF_PAIRS + self._tries, parts[number])

        for labels in recombined(members, self._k, self._sse, searched):
            self._met(labels)

    def _meet(self, found: list[_check.Labels], run: _check.Run) -> None:
        """What comes of the best and each of the partitions that were searched."""
        for each, part in zip(found, run.parts(len(found)), strict=True):
            self._recombine([self.best, each], part)

    def _search_regions(self, run: _check.Run) -> None:
        """What comes of the best where it is searched from nothing, region by region."""

        def searched(rows: _check.Labels, begin: _check.Labels, part: _check.Run) -> _check.Labels:
            self._tries += 1
            return self._searched(rows, begin, OF_PAIRS + self._tries, part, OF_REGIONS)

        for sweep in run.parts(SWEEPS):
            self._tries += 1
            rng = np.random.default_rng([self._seed, BEGINNINGS + self._tries])
            anew(self.best, self._k, self._points, self._cost, searched, self._met, rng, sweep)

    def _relaxed(self, run: _check.Run) -> Relaxation:
        """What tells the groups that may be in a better partition from those that are not."""
        if self._k <= MOST_K:
            return row_generation.bound(self._points, self._k, run, self._pool, WORTH)
        return Relaxation(lagrangian_duals(self._points, self._k, run), self._pool)

    def _mix(self, relaxation: Relaxation, gap: float, mix: int, run: _check.Run) -> None:
        """The best mix of the groups met, and then anew by regions."""
        if mix == 0 and self._k <= MOST_K:
            add_near_columns(self._points, self._k, relaxation, run.part(0.0, 0.2))
        run.tell(0.2)
        near = choice_of(relaxation, self.best, gap)
        self._met(_mixed(near, self.best, CHOICES[mix], self._end))
        self._met(by_regions(self.best, near, run.part(0.3, 0.6)))

    def _searched(
        self,
        rows: _check.Labels,
        begin: _check.Labels,
        number: int,
        run: _check.Run,
        effort: str | float = "best",
    ) -> _check.Labels:
        task = SearchTask(effort, "squares", 2 * self._k - 1, seed=(self._seed + number) % 2**64)
        return search(of_rows(self._x, rows), begin, self._k, task, run, None)

    def _met(self, found: _check.Labels) -> _check.Labels:
        """Remember groups, and whether they are the best; StopIteration where it is time."""
        self._pool.add_partition(found)
        self.best = min(self.best, found, key=self._sse)
        if self._end is not None and self._end.passed():
            raise StopIteration
        return found

    def _sse(self, labels: _check.Labels) -> float:
        return _groups.sse(self._points, labels, int(labels.max()) + 1, self._run.silent())

    def _cost(self, rows: _check.Labels, labels: _check.Labels) -> float:
        points = np.asfortranarray(self._points[rows])
        return _groups.sse(points, labels, int(labels.max()) + 1, self._run.silent())


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
