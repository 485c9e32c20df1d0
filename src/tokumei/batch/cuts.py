"""Blocks of neighbours by values: a tree of cuts, each across the longest axis of its records.

A cut lies between two values, so that ties are together; a value so frequent that no cut on its
axis makes two blocks leaves the next axis to be cut. (The top of a kd-tree: Friedman, Bentley &
Finkel 1977.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tokumei._check import Floats, Labels, Run
from tokumei._kernels import order as _kernels

LEAF = -1


@dataclass
class _Nodes:
    axis: list[int] = field(default_factory=list)
    cut: list[float] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    above: list[int] = field(default_factory=list)

    def add(self) -> int:
        for column, value in ((self.axis, LEAF), (self.below, 0), (self.above, 0)):
            column.append(value)
        self.cut.append(0.0)
        return len(self.axis) - 1


@dataclass(frozen=True, eq=False)
class CutTree:
    """Nodes as `order/cut_tree.hpp` takes them, and how many records each leaf is thought to get.

    Leaves are numbered from below to above, so that blocks of like numbers are neighbours.
    """

    axis: Labels
    cut: Floats
    below: Labels
    above: Labels
    rows: Labels

    def __len__(self) -> int:
        return len(self.rows)

    def blocks(self, x: Floats, run: Run) -> Labels:
        """The block of each record of a column-major table of coordinates."""
        found = np.empty(len(x), dtype=np.int64)
        _kernels.find_blocks(x, self.axis, self.cut, self.below, self.above, found, run)
        return found


def tree_of(x: Floats, counts: Labels, scales: Floats, total: int, target: int) -> CutTree:
    """A tree for `total` records of which those in `x`, so many of each, are a sample.

    Leaves get about `target` records or fewer where ties allow it; `scales` bring axes to one.
    """
    nodes = _Nodes()
    rows: list[int] = []
    share = total / max(int(counts.sum()), 1)
    waiting = [(nodes.add(), np.arange(len(x)))]
    while waiting:
        node, inside = waiting.pop()
        weight = counts[inside]
        expected = round(float(weight.sum()) * share)
        found = _cut(x[inside], weight, scales, -(-expected // target)) if len(inside) else None
        if found is None:
            nodes.below[node] = len(rows)
            rows.append(expected)
            continue
        axis, cut = found
        under = x[inside, axis] <= cut
        nodes.axis[node], nodes.cut[node] = axis, cut
        nodes.below[node], nodes.above[node] = nodes.add(), nodes.add()
        waiting.append((nodes.above[node], inside[~under]))
        waiting.append((nodes.below[node], inside[under]))
    return CutTree(
        np.array(nodes.axis, dtype=np.int64),
        np.array(nodes.cut),
        np.array(nodes.below, dtype=np.int64),
        np.array(nodes.above, dtype=np.int64),
        np.array(rows, dtype=np.int64),
    )


def in_strata(
    x: Floats, strata: Labels, counts: Labels, scales: Floats, totals: Labels, target: int
) -> tuple[CutTree, Labels]:
    """A tree for each stratum of so many records, cuts between strata above them; and the stratum
    of each block.

    Records have their stratum as the first coordinate, and those of `x` after it.
    """
    trees = []
    for stratum, total in enumerate(totals.tolist()):
        rows = np.flatnonzero(strata == stratum)
        tree = tree_of(x[rows], counts[rows], scales, total, target)
        expected = tree.rows if len(rows) else np.array([total])  # none may be in the sample
        axis = np.where(tree.axis == LEAF, LEAF, tree.axis + 1)
        trees.append(CutTree(axis, tree.cut, tree.below, tree.above, expected))
    return _joined(trees, 0), np.repeat(np.arange(len(trees)), [len(tree) for tree in trees])


def _joined(trees: Sequence[CutTree], first: int) -> CutTree:
    """One tree of those of neighbouring strata, of which this is the first."""
    if len(trees) == 1:
        return trees[0]
    half = len(trees) // 2
    under, over = _joined(trees[:half], first), _joined(trees[half:], first + half)
    nodes, below, above = 1 + len(under.axis), [], []
    for tree, before, leaves in ((under, 1, 0), (over, nodes, len(under))):
        leaf = tree.axis == LEAF
        below.append(tree.below + np.where(leaf, leaves, before))
        above.append(tree.above + np.where(leaf, 0, before))
    return CutTree(
        np.concatenate([[0], under.axis, over.axis]),
        np.concatenate([[first + half - 1.0], under.cut, over.cut]),
        np.concatenate([[1], *below]),
        np.concatenate([[nodes], *above]),
        np.concatenate([under.rows, over.rows]),
    )


def _cut(x: Floats, counts: Labels, scales: Floats, leaves: int) -> tuple[int, float] | None:
    """The axis and the value to cut records into that many leaves at last; None for no cut."""
    if leaves < 2:
        return None
    total = counts.sum()
    means = (x * counts[:, None]).sum(axis=0) / total
    spread = ((x - means) ** 2 * counts[:, None]).sum(axis=0) * scales**2
    wanted = (leaves // 2) / leaves
    least = 0.25 / leaves  # of the records on each side: less is no block of its own
    # Of a whole table all axes spread alike, up to how sums were rounded: the first one is cut.
    alike = np.round(spread / max(spread.max(), np.finfo(np.float64).tiny), 9)
    for axis in np.argsort(-alike, kind="stable").tolist():
        values, place = np.unique(x[:, axis], return_inverse=True)
        if len(values) < 2:
            continue
        below = np.cumsum(np.bincount(place, counts, len(values)))[:-1] / total
        best = int(np.argmin(np.abs(below - wanted)))
        if least <= below[best] <= 1.0 - least:
            return axis, float(values[best])
    return None
