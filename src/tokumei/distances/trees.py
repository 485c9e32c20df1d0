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
from tokumei.values.hierarchy import Hierarchy, hierarchy_of


@dataclass(frozen=True)
class Tree(Distance):
    """The number of edges on the path between two nodes of a tree.

    Takes a column of nodes, leaves or inner ones: a value may be replaced by its parent.

    Parameters
    ----------
    parent_of : Hierarchy or mapping
        A hierarchy, or the parent of each node. Roots have no entry, or None; where there are
        several, "*" is above them.

    Examples
    --------
    >>> import tokumei as tk
    >>> place = tk.distances.Tree({"Tokyo": "Kanto", "Chiba": "Kanto", "Kanto": "Japan"})
    >>> place.between("Tokyo", "Chiba")
    2.0
    >>> place.between("Tokyo", "Kanto")
    1.0
    """

    parent_of: Hierarchy | Mapping[Any, Any] = field(repr=False, compare=False)
    hierarchy: Hierarchy = field(init=False, repr=False)
    # Nodes go by their ranks here, so that a parent comes before its children.
    parents: Integers = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        hierarchy = hierarchy_of(self.parent_of, "parent_of")
        tree = hierarchy.tree
        parents = tree.rank[tree.above[tree.node_of]]
        parents[0] = 0
        object.__setattr__(self, "hierarchy", hierarchy)
        object.__setattr__(self, "parents", parents)

    def prepare(self, values: Any, name: str = "values") -> Places:
        """Check values and bring them into the form that is computed with."""
        distinct = read_distinct(values, name)
        tree = self.hierarchy.tree
        ranks = dict(zip(self.hierarchy.nodes, tree.rank.tolist(), strict=True))
        places = find_places(distinct, ranks, name, "tree")
        nodes = tree.node_of[places]

        def between(a: Integers, b: Integers, _: _check.Run) -> _check.Floats:
            return tree.edges_between(nodes[a], nodes[b]).astype(np.float64)

        return Places(self, distinct, between, places)
