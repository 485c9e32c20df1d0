"""A generalisation hierarchy, ready for the question what several values have in common.

Nodes are numbered in preorder, so the descendants of a node are a run of numbers and the lowest
common ancestor of many nodes is that of the first and the last of them. Node 0 is above all others:
it stands for "anything", also where the hierarchy has several roots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tokumei import _check
from tokumei._check import Labels


class Hierarchy:
    """The tree of a mapping from each value to its parent.

    A value that is no key, its own parent, or the child of None is a root; a value that is nobody's
    parent is a leaf. So the mapping of a recoding, from old to new categories, is a hierarchy too.
    """

    def __init__(self, parent_of: Mapping[Any, Any], name: str) -> None:
        if not isinstance(parent_of, Mapping):
            msg = f"{name} must map each value to its parent, got {type(parent_of).__name__}"
            raise TypeError(msg)
        children: dict[Any, list[Any]] = {}
        roots: dict[Any, None] = {}
        for child, parent in parent_of.items():
            children.setdefault(child, [])
            if parent is None or parent == child:
                roots[child] = None
                continue
            children.setdefault(parent, []).append(child)
            if parent not in parent_of:
                roots[parent] = None
        if not children:
            msg = f"{name} is empty"
            raise ValueError(msg)
        self._walk(children, list(roots))
        if len(self._node_of) < len(children):
            circling = len(children) - len(self._node_of)
            msg = f"{name} has {circling} values without a root: their parents go round in a circle"
            raise ValueError(msg)

    def _walk(self, children: Mapping[Any, Sequence[Any]], roots: Sequence[Any]) -> None:
        self._node_of: dict[Any, int] = {}
        parents, leaves = [0], [0]
        waiting = [(root, 0) for root in reversed(roots)]
        while waiting:
            value, parent = waiting.pop()
            node = len(parents)
            self._node_of[value] = node
            parents.append(parent)
            leaves.append(0 if children[value] else 1)
            waiting += [(child, node) for child in reversed(children[value])]
        last = list(range(len(parents)))
        for node in range(len(parents) - 1, 0, -1):
            leaves[parents[node]] += leaves[node]
            last[parents[node]] = max(last[parents[node]], last[node])
        self._parent, self._last = np.array(parents), np.array(last)
        self._leaves = np.array(leaves)

    def nodes(self, values: Sequence[Any], codes: Labels, name: str) -> Labels:
        """The node of each value; ``values[code]`` must be known for each of the codes."""
        nodes = np.array([self._node_of.get(value, 0) for value in values], dtype=np.int64)
        strangers = int((nodes[codes] == 0).sum())
        if strangers:
            msg = f"{name} has {strangers} values that its hierarchy does not know"
            raise ValueError(msg)
        return nodes

    def lowest_common(self, lowest: Labels, highest: Labels) -> Labels:
        """The lowest node above all nodes from one number to another, ends included."""
        above = lowest.copy()
        outside = np.flatnonzero(self._last[above] < highest)
        while len(outside):
            above[outside] = self._parent[above[outside]]
            outside = outside[self._last[above[outside]] < highest[outside]]
        return above

    def penalty(self, nodes: Labels) -> _check.Floats:
        """The share of all leaves that are below each node; 0 where it is a single one."""
        leaves = self._leaves[nodes]
        penalty: _check.Floats = np.where(leaves > 1, leaves / self._leaves[0], 0.0)
        return penalty
