"""Which categories are merged until none is rare: rules over counts, not over records.

Every rule takes the counts of categories 0, 1, 2... in label order and the least count allowed, and
says of each category which merged category it belongs to; those are numbered by their first member.
"""

from __future__ import annotations

import heapq

import numpy as np

from tokumei import _check
from tokumei._kernels import group as _kernels


def smallest(counts: _check.Labels, least: int) -> _check.Labels:
    """Merge the smallest with the second smallest, or all that share the smallest count.

    The rule of the recoding paper (its figure 1). Ties for the second smallest go to the first in
    label order. Merging all tied minima at once leaves few steps: no more than twice the number of
    different counts, which is O(sqrt(n)) for n records; so O(u log u) for u categories.
    """
    order = np.argsort(counts, kind="stable")
    sizes, starts = np.unique(counts[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    levels = {
        int(size): _Level(order[begin:end])
        for size, begin, end in zip(sizes, starts, ends, strict=True)
    }
    waiting = list(levels)
    merged = []
    while waiting[0] < least and (len(waiting) > 1 or len(levels[waiting[0]]) > 1):
        size = heapq.heappop(waiting)
        tied = levels.pop(size)
        total, members = size * len(tied), tied.together()
        if len(tied) == 1:
            second = levels[waiting[0]]
            total += waiting[0]
            members = np.append(members, second.take_first())
            if not len(second):
                del levels[heapq.heappop(waiting)]
        if total not in levels:
            levels[total] = _Level(order[:0])
            heapq.heappush(waiting, total)
        levels[total].add(members)
        merged.append(members)
    return _numbered(merged, len(counts))


class _Level:
    """The categories of one count: plain ones in label order, and merged ones."""

    def __init__(self, plain: _check.Labels) -> None:
        self._plain = plain
        self._merged: list[tuple[int, _check.Labels]] = []

    def __len__(self) -> int:
        return len(self._plain) + len(self._merged)

    def add(self, members: _check.Labels) -> None:
        first = int(members.min())
        heapq.heappush(self._merged, (first, members))

    def take_first(self) -> _check.Labels:
        """Remove the category that comes first in label order; its members."""
        if self._merged and (not len(self._plain) or self._merged[0][0] < self._plain[0]):
            return heapq.heappop(self._merged)[-1]
        first, self._plain = self._plain[:1], self._plain[1:]
        return first

    def together(self) -> _check.Labels:
        """The members of all its categories."""
        return np.concatenate([self._plain, *(members for _, members in self._merged)])


def neighbours(counts: _check.Labels, least: int) -> _check.Labels:
    """Merge the smallest with the smaller of its neighbours, for categories that have an order.

    Of equal ones the first goes first, and to the lower side. O(u log u).
    """
    merged = np.empty(len(counts), dtype=np.int64)
    _kernels.merge_neighbours(np.ascontiguousarray(counts), least, merged, _check.run(1))
    return merged


def into_other(counts: _check.Labels, least: int) -> _check.Labels:
    """Merge all that are too small into one; it takes in the next smallest until it is not."""
    rare = int((counts < least).sum())
    if not rare:
        return np.arange(len(counts))
    order = np.argsort(counts, kind="stable")
    enough = int(np.searchsorted(np.cumsum(counts[order]), least)) + 1
    return _numbered([order[: max(rare, enough)]], len(counts))


def _numbered(merged: list[_check.Labels], categories: int) -> _check.Labels:
    """The group of each category, numbered by first members; later merges hold earlier ones."""
    first = np.arange(categories)
    for members in merged:
        first[members] = members.min()
    return np.unique(first, return_inverse=True)[1].astype(np.int64)
