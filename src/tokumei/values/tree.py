"""Trees of categories: the way from a node to the root, and where several ways meet."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei import _check


@dataclass(frozen=True)
class CategoryTree:
    """A tree by its nodes: ``parent[i]`` numbers the parent of ``nodes[i]``, -1 at the root."""

    nodes: tuple[Any, ...]
    parent: _check.Labels

    def way_up(self, node: int) -> list[int]:
        """The nodes from this one to the root, both included."""
        way = [node]
        while self.parent[way[-1]] >= 0:
            way.append(int(self.parent[way[-1]]))
        return way

    def edges_above(self) -> list[_check.Labels]:
        """For each node the edges on its way up; an edge has the number of its lower node."""
        return [np.array(self.way_up(node)[:-1], dtype=np.int64) for node in range(len(self.nodes))]

    def meetings(self, codes: _check.Labels, group: _check.Labels, groups: int) -> _check.Labels:
        """The lowest common ancestor of the nodes of each group; -1 for a group without any."""
        ways = [self.way_up(node)[::-1] for node in range(len(self.nodes))]
        depth = max(map(len, ways))
        # From the root down, each way padded with its own last node made unlike any other.
        table = np.full((len(ways), depth), -1, dtype=np.int64)
        for node, way in enumerate(ways):
            table[node, : len(way)] = way
        order = np.argsort(group, kind="stable")
        sizes = np.bincount(group, minlength=groups)
        used = np.flatnonzero(sizes)
        starts = (np.cumsum(sizes) - sizes)[used]
        met = np.full(groups, -1, dtype=np.int64)
        alive = np.ones(len(used), dtype=bool)
        for level in range(depth):
            at = table[codes[order], level]
            low, high = np.minimum.reduceat(at, starts), np.maximum.reduceat(at, starts)
            alive &= (low == high) & (low >= 0)
            met[used[alive]] = low[alive]
        return met


def tree_of(parent_of: Mapping[Any, Hashable], name: str) -> CategoryTree:
    """The tree of a mapping from each node but the root to its parent."""
    if not isinstance(parent_of, Mapping) or not parent_of:
        msg = f"{name} must map each node but the root to its parent"
        raise TypeError(msg)
    number: dict[Any, int] = {}
    for child, above in parent_of.items():
        number.setdefault(child, len(number))
        number.setdefault(above, len(number))
    parent = np.full(len(number), -1, dtype=np.int64)
    for child, above in parent_of.items():
        parent[number[child]] = number[above]
    roots = int((parent < 0).sum())
    reached = _below_roots(parent)
    if roots != 1 or reached < len(parent):
        msg = (
            f"{name} must be a tree with one root: it has {roots} roots, "
            f"and {len(parent) - reached} of {len(parent)} nodes lead round in a circle"
        )
        raise ValueError(msg)
    return CategoryTree(tuple(number), parent)


def _below_roots(parent: _check.Labels) -> int:
    settled = parent < 0
    while True:
        more = settled | settled[parent]
        if (more == settled).all():
            return int(settled.sum())
        settled = more


def codes_in(tree: CategoryTree, values: Sequence[Any], name: str) -> _check.Labels:
    """The number of each value's node; an unknown one is counted and refused."""
    place = {node: number for number, node in enumerate(tree.nodes)}
    codes = np.array([place.get(value, -1) for value in values], dtype=np.int64)
    unknown = int((codes < 0).sum())
    if unknown:
        msg = f"{name} holds {unknown} different values that are not in the tree"
        raise ValueError(msg)
    return codes
