"""The nodes of a tree by number: how deep each is, what is below it, where several ways up meet.

Nodes also have ranks, in which a node is followed by all that is below it: so what is below is a
run of ranks, and the lowest common ancestor of many nodes is that of the first and the last.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Labels


@dataclass(frozen=True, eq=False)
class Ancestry:
    """A tree by its nodes' numbers: ``above[i]`` is the parent of node i, -1 at the top."""

    above: Labels
    depth: Labels
    rank: Labels
    last: Labels  # the highest rank at or below each node
    node_of: Labels  # the node of each rank

    def way_up(self, node: int) -> list[int]:
        """The nodes from this one to the top, both included."""
        way = [node]
        while self.above[way[-1]] >= 0:
            way.append(int(self.above[way[-1]]))
        return way

    def edges_above(self) -> list[Labels]:
        """For each node the edges on its way up; an edge has the number of its lower node."""
        return [np.array(self.way_up(node)[:-1], dtype=np.int64) for node in range(len(self.above))]

    def at_or_below(self, count: Labels) -> Labels:
        """Counts of nodes, each with all that is below it."""
        until = np.concatenate([[0], np.cumsum(count[self.node_of])])
        found: Labels = until[self.last + 1] - until[self.rank]
        return found

    def common(self, a: Labels, b: Labels) -> Labels:
        """The lowest node at or above both, for pairs of nodes."""
        above = np.where(self.rank[a] < self.rank[b], a, b)
        highest = np.maximum(self.rank[a], self.rank[b])
        outside = np.flatnonzero(self.last[above] < highest)
        while len(outside):
            above[outside] = self.above[above[outside]]
            outside = outside[self.last[above[outside]] < highest[outside]]
        return above

    def edges_between(self, a: Labels, b: Labels) -> Labels:
        """The number of edges on the path between the two of each pair of nodes."""
        found: Labels = self.depth[a] + self.depth[b] - 2 * self.depth[self.common(a, b)]
        return found

    def meetings(self, nodes: Labels, group: Labels, groups: int) -> Labels:
        """The lowest common ancestor of the nodes of each group; -1 for a group without any."""
        first, last = np.full(groups, len(self.rank)), np.full(groups, -1)
        np.minimum.at(first, group, self.rank[nodes])
        np.maximum.at(last, group, self.rank[nodes])
        used = np.flatnonzero(last >= 0)
        met = np.full(groups, -1, dtype=np.int64)
        met[used] = self.common(self.node_of[first[used]], self.node_of[last[used]])
        return met


def ancestry_of(
    values: Iterable[Hashable], parents: Mapping[Any, Any]
) -> tuple[tuple[Any, ...], Ancestry]:
    """The nodes at and above some values, each value followed by what is above it and was not named
    before; and their tree.
    """
    number: dict[Any, int] = {}
    for node in values:
        while node not in number:
            number[node] = len(number)
            node = parents.get(node, node)
    up = [number[parents[node]] if node in parents else -1 for node in number]
    above = np.array(up, dtype=np.int64)
    depth = (above >= 0).astype(np.int64)
    higher = np.where(above >= 0, above, np.arange(len(above)))
    for _ in range(len(above).bit_length()):
        depth += depth[higher]
        higher = higher[higher]  # twice as far up
    downwards = np.argsort(depth, kind="stable").tolist()
    size = np.ones(len(above), dtype=np.int64)
    for node in reversed(downwards[1:]):
        size[above[node]] += size[node]
    rank = np.zeros(len(above), dtype=np.int64)
    free = np.ones(len(above), dtype=np.int64)  # places below a node that are taken, and its own
    for node in downwards[1:]:
        parent = above[node]
        rank[node] = rank[parent] + free[parent]
        free[parent] += size[node]
    return tuple(number), Ancestry(above, depth, rank, rank + size - 1, np.argsort(rank))
