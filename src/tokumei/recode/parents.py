"""Merging within the parents of a hierarchy: siblings first, then the families above them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei import _check
from tokumei.recode.merging import smallest
from tokumei.values.hierarchy import Hierarchy

# Categories by their numbers, how many records they hold, and what they are named.
Group = tuple[list[int], int, list[Any]]


def merge_within_parents(
    known: list[Any], counts: _check.Labels, least: int, hierarchy: Hierarchy
) -> tuple[_check.Labels, list[list[Any]]]:
    """The group of each category, and the names of each group.

    From the lowest parents up to the top, the groups below a parent are merged by the rule of the
    smallest. A group is named by its members, or by the parent all of whose categories it holds.
    """
    own = hierarchy.find(known, counts, "values").tolist()
    tree = hierarchy.tree
    below: list[list[Group]] = [[] for _ in hierarchy.nodes]
    for category, node in enumerate(own):
        below[node].append(([category], int(counts[category]), [known[category]]))
    groups: list[Group] = []
    for node in np.argsort(-tree.depth, kind="stable").tolist():  # the top comes last
        groups = _merged(below[node], least)
        if len(groups) == 1 < len(below[node]):
            groups = [(*groups[0][:2], [hierarchy.nodes[node]])]
        if tree.above[node] >= 0:
            below[tree.above[node]] += groups
    groups.sort(key=lambda group: min(group[0]))
    merged = np.empty(len(known), dtype=np.int64)
    for number, (categories, _, _) in enumerate(groups):
        merged[categories] = number
    return merged, [names for _, _, names in groups]


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
