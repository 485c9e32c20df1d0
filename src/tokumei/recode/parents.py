"""Merging within the parents of a hierarchy: siblings first, then the families above them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.recode.merging import smallest
from tokumei.values.tree import CategoryTree, codes_in, tree_of

# Categories by their numbers, how many records they hold, and what they are named.
Group = tuple[list[int], int, list[Any]]


def merge_within_parents(
    known: list[Any], counts: _check.Labels, least: int, parent_of: Mapping[Any, Hashable]
) -> tuple[_check.Labels, list[list[Any]]]:
    """The group of each category, and the names of each group.

    From the lowest parents up to the root, the groups below a parent are merged by the rule of the
    smallest. A group is named by its members, or by the parent all of whose categories it holds.
    """
    tree = tree_of(parent_of, "parent_of")
    own = codes_in(tree, known, "values")
    below: list[list[Group]] = [[] for _ in tree.nodes]
    for category, node in enumerate(own.tolist()):
        below[node].append(([category], int(counts[category]), [known[category]]))
    for node in _lowest_first(tree):
        groups = _merged(below[node], least)
        if len(groups) == 1 < len(below[node]):
            groups = [(*groups[0][:2], [tree.nodes[node]])]
        below[node] = groups
        if tree.parent[node] >= 0:
            below[tree.parent[node]] += groups
    root = int(np.flatnonzero(tree.parent < 0)[0])
    found = sorted(below[root], key=lambda group: min(group[0]))
    merged = np.empty(len(known), dtype=np.int64)
    for number, (categories, _, _) in enumerate(found):
        merged[categories] = number
    return merged, [names for _, _, names in found]


def _merged(groups: list[Group], least: int) -> list[Group]:
    if not groups:
        return []
    groups = sorted(groups, key=lambda group: min(group[0]))
    merged = smallest(np.array([count for _, count, _ in groups], dtype=np.int64), least)
    result: list[Group] = [([], 0, []) for _ in range(int(merged.max()) + 1)]
    for number, (categories, count, names) in zip(merged.tolist(), groups, strict=True):
        before = result[number]
        result[number] = (before[0] + categories, before[1] + count, before[2] + names)
    return result


def _lowest_first(tree: CategoryTree) -> list[int]:
    depth = [len(tree.way_up(node)) for node in range(len(tree.nodes))]
    return sorted(range(len(tree.nodes)), key=lambda node: -depth[node])
