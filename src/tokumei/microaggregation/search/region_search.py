"""Large neighbourhood search: a part of the partition is chosen anew from the groups of a pool.

A region is some groups of the partition whose records share groups of low reduced cost. Its best
partition into groups of the pool is a small set-partitioning program. A group whose reduced cost is
above what the groups of the region, and the subset rows that could be held there and are not, are
above their prices together is in no better partition of the region.
"""

from __future__ import annotations

import contextlib
import heapq
from dataclasses import dataclass

import numpy as np

from tokumei import _check
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.linear_programs import set_partition
from tokumei.microaggregation.search.relaxation import Relaxation

# Groups of a region, and how many of them, around its middle, are the middle of no other.
SIZE, INNER = 100, 50
# Groups of the pool to choose among, and nodes of branch and bound.
CHOICE, NODES = 2_000, 150
# A record hands so many of its groups on when a region grows.
HANDED_ON = 60


@dataclass(frozen=True, eq=False)
class _Partition:
    """The groups of a partition, in the order of their labels, with reduced costs."""

    pool: ColumnPool
    reduced: _check.Floats
    held: _check.Floats

    @classmethod
    def of(cls, labels: _check.Labels, relaxation: Relaxation) -> _Partition:
        pool = relaxation.pool.copy()
        pool.keep([])
        pool.add_partition(labels)
        reduced = Relaxation(relaxation.duals, pool, relaxation.subsets).reduced_costs()
        subsets = relaxation.subsets
        held = subsets.held(pool).sum(axis=1) if len(subsets) else np.empty(0)
        return cls(pool, reduced, np.asarray(held).ravel())


def by_regions(labels: _check.Labels, relaxation: Relaxation, run: _check.Run) -> _check.Labels:
    """A partition that costs no more, region by region; the best so far if the run is stopped.

    The pool is in the order in which its groups are to be chosen.
    """
    search = _RegionSearch(relaxation, labels)
    with contextlib.suppress(StopIteration):
        search.sweep(run)
    return search.labels


class _RegionSearch:
    """The pool by records, and the partition as it is."""

    def __init__(self, relaxation: Relaxation, labels: _check.Labels) -> None:
        self._relaxation = relaxation
        self.labels = labels
        self._now = _Partition.of(labels, relaxation)
        self._groups = relaxation.pool.groups
        self._reduced = relaxation.reduced_costs()
        group, place = np.nonzero(self._groups >= 0)
        record = self._groups[group, place]
        order = np.argsort(record, kind="stable")
        self._of_record = np.split(
            group[order], np.searchsorted(record[order], np.arange(1, len(labels)))
        )

    def sweep(self, run: _check.Run) -> None:
        """One region around each group, but for those that were in the midst of one before."""
        done = np.zeros(len(self.labels), dtype=bool)
        for record in range(len(done)):
            if done[record]:
                continue
            run.tell(record / len(done))
            middle = int(self.labels[record])
            done |= np.isin(self.labels, self._region(middle, INNER))
            self._improve(self._region(middle, SIZE))

    def _region(self, middle: int, size: int) -> _check.Labels:
        """Groups of the partition that the first groups of the pool tie to one, by their labels."""
        inside = {middle}
        queue: list[int] = []
        seen: set[int] = set()

        def join(label: int) -> None:
            rows = self._now.pool.groups[label]
            for record in rows[rows >= 0]:
                for group in self._of_record[record][:HANDED_ON].tolist():
                    if group not in seen:
                        seen.add(group)
                        heapq.heappush(queue, group)

        join(middle)
        while queue:
            rows = self._groups[heapq.heappop(queue)]
            fresh = set(self.labels[rows[rows >= 0]].tolist()) - inside
            if len(inside) + len(fresh) > size:
                break
            inside |= fresh
            for label in sorted(fresh):
                join(label)
        return np.array(sorted(inside), dtype=np.int64)

    def _improve(self, region: _check.Labels) -> None:
        """Choose the groups of a region anew, if that costs less."""
        chosen_before = np.zeros(len(self._now.reduced), dtype=bool)
        chosen_before[region] = True
        inside = np.append(chosen_before[self.labels], True)
        records = np.flatnonzero(inside[:-1])
        most = self._above(region, inside)
        within = inside[self._groups].all(axis=1) & (self._reduced <= most)
        sub = self._relaxation.pool.copy()
        sub.keep(np.flatnonzero(within)[:CHOICE])
        before = self._now.pool.groups[region]
        if sub.add(before) == 0 and len(sub) == len(region):
            return
        new = set_partition(sub, NODES, None, self._relaxation.subsets, records)
        cost = float(self._now.pool.costs[region].sum())
        if new is None or not float(sub.costs[new].sum()) < cost * (1 - 1e-12):
            return
        labels = self.labels + len(self._now.reduced)
        for number, rows in enumerate(sub.groups[new]):
            labels[rows[rows >= 0]] = number
        self.labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        self._now = _Partition.of(self.labels, self._relaxation)

    def _above(self, region: _check.Labels, inside: _check.Labels) -> float:
        """By how much the groups of a region cost more than their prices, at most."""
        above = float(self._now.reduced[region].sum())
        sets = self._relaxation.subsets.sets
        if len(sets):
            present = sets >= 0
            can = (inside[sets] & present).sum(axis=1) > present.sum(axis=1) // 2
            free = can & (self._now.held == 0)
            above += float(self._relaxation.subsets.prices[free].sum())
        return above
