"""Distances of categories that are nodes of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.distances.categories import Places, find_places
from tokumei.distances.columns import Integers, read_distinct
from tokumei.distances.distance import Distance


@dataclass(frozen=True)
class Tree(Distance):
    """The number of edges on the path between two nodes of a tree.

    Takes a column of nodes, leaves or inner ones: a value may be replaced by its parent.

    Parameters
    ----------
    parent_of : mapping
        The parent of each node. The root, of which there must be exactly one, has no entry, or
        None.

    Examples
    --------
    >>> import tokumei as tk
    >>> place = tk.distances.Tree({"Tokyo": "Kanto", "Chiba": "Kanto", "Kanto": "Japan"})
    >>> place.between("Tokyo", "Chiba")
    2.0
    >>> place.between("Tokyo", "Kanto")
    1.0
    """

    parent_of: Mapping[Any, Any] = field(repr=False)
    # Nodes are numbered from the root down, so that a parent comes before its children.
    _places: dict[Any, int] = field(init=False, repr=False, compare=False)
    parents: Integers = field(init=False, repr=False, compare=False)
    _depths: Integers = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.parent_of, Mapping):
            msg = f"parent_of must map nodes to parents, got {type(self.parent_of).__name__}"
            raise TypeError(msg)
        parent_of = {node: parent for node, parent in self.parent_of.items() if parent is not None}
        nodes = dict.fromkeys([*self.parent_of, *parent_of.values()])
        children: dict[Any, list[Any]] = {node: [] for node in nodes}
        for node, parent in parent_of.items():
            children[parent].append(node)
        roots = [node for node in nodes if node not in parent_of]
        if len(roots) != 1:
            msg = f"parent_of must have exactly one root, got {len(roots)} of {len(nodes)} nodes"
            raise ValueError(msg)
        order = list(roots)
        for node in order:
            order.extend(children[node])
        if len(order) < len(nodes):
            msg = (
                f"parent_of must be a tree: {len(nodes) - len(order)} nodes are on or below cycles"
            )
            raise ValueError(msg)
        places = {node: place for place, node in enumerate(order)}
        parents = np.array([0, *(places[parent_of[node]] for node in order[1:])], dtype=np.int64)
        depths = np.zeros(len(order), dtype=np.int64)
        for place in range(1, len(order)):
            depths[place] = depths[parents[place]] + 1
        object.__setattr__(self, "parent_of", parent_of)
        object.__setattr__(self, "_places", places)
        object.__setattr__(self, "parents", parents)
        object.__setattr__(self, "_depths", depths)

    def prepare(self, values: Any, name: str = "values") -> Places:
        """Check values and bring them into the form that is computed with."""
        distinct = read_distinct(values, name)
        places = find_places(distinct, self._places, name, "tree")

        def between(a: Integers, b: Integers, _: _check.Run) -> _check.Floats:
            return self._edges(places[a], places[b])

        return Places(self, distinct, between, places)

    def _edges(self, a: Integers, b: Integers) -> _check.Floats:
        """Climb from both nodes, always from the deeper one, until they meet."""
        edges = np.zeros(len(a))
        while True:
            apart = a != b
            if not apart.any():
                return edges
            climb_a = apart & (self._depths[a] >= self._depths[b])
            climb_b = apart & (self._depths[b] >= self._depths[a])
            a = np.where(climb_a, self.parents[a], a)
            b = np.where(climb_b, self.parents[b], b)
            edges += climb_a
            edges += climb_b
