"""t-closeness (Li, Li & Venkatasubramanian 2007): groups show about what the whole table shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from tokumei._check import Floats, Labels
from tokumei._check.options import Options, choice, option, optional, share, text
from tokumei.values.hierarchy import Hierarchy, hierarchy_of

Kind = Literal["equal", "ordered", "hierarchical"]


def _tree(value: Any, name: str) -> Hierarchy:
    return Hierarchy.from_csv(value) if isinstance(value, str) else hierarchy_of(value, name)


def _nodes(tree: Hierarchy | None) -> int | None:
    return None if tree is None else len(tree.nodes)


@dataclass(frozen=True)
class TCloseness(Options):
    """The distribution of a sensitive column in every group is within t of the table's.

    The distance is the earth mover's: with kind "equal" all values are equally far from one
    another (half the sum of the differences of shares), with "ordered" neighbours are
    1 / (values - 1) apart, with "hierarchical" two values are as far apart as the lowest node above
    both is high in `tree`, the top being 1.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> model = tk.privacy.TCloseness("income", 0.2, "ordered")
    >>> round(model.reached(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])), 3)
    0.25
    """

    column: str = option(rule=text, help="The sensitive column.")
    t: float = option(
        rule=share,
        help="Largest distance between a group's distribution of values and the table's.",
        keyword="t_closeness",
    )
    kind: Kind = option(
        "equal",
        rule=choice("equal", "ordered", "hierarchical"),
        help="How far values are from one another: equal, ordered or hierarchical.",
        keyword="t_kind",
    )
    tree: Any = option(
        None,
        rule=optional(_tree),
        help="For hierarchical: the hierarchy of the sensitive values, or its file.",
        keyword="t_tree",
        shown=_nodes,
    )

    model: ClassVar[str] = "t-closeness"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.tree is None) == (self.kind == "hierarchical"):
            msg = "t_tree goes with t_kind='hierarchical', and that with it"
            raise ValueError(msg)

    def codes_of(self, values: Sequence[Any]) -> Labels:
        """The codes of values, ranked as they stand: nodes where there is a tree, else places.

        What is missing (None) is a value of its own, beside all that the top of a tree holds.
        """
        if self.tree is None:
            return np.arange(len(values))
        there = [value for value in values if value is not None]
        found = iter(self.tree.find(there, None, f"column {self.column!r}").tolist())
        nodes = len(self.tree.nodes)
        return np.array([nodes if value is None else next(found) for value in values])

    def reached(self, groups: Labels, codes: Labels | None) -> float:
        """The largest distance of any group; codes are ranks, or nodes, as of `codes_of`."""
        return float(self.of_groups(groups, codes).max())

    def of_groups(self, groups: Labels, codes: Labels | None) -> Floats:
        """The distance of each group."""
        if codes is None:
            msg = "this model compares the values of a column"
            raise ValueError(msg)
        if self.kind == "hierarchical":
            return _hierarchical(groups, codes, self.tree)
        return _ordered(groups, codes) if self.kind == "ordered" else _equal(groups, codes)

    def of_counts(self, group: Labels, code: Labels, counts: Labels, whole: Labels) -> Floats:
        """The same from the pairs of a group and a value that occur, in the order of both; `whole`
        is how often each value is in the table. Not of a hierarchy.
        """
        sizes = np.bincount(group, counts)
        distance = _ordered_from if self.kind == "ordered" else _equal_from
        return distance(group, code, counts / sizes[group], sizes, whole)

    def holds(self, reached: float) -> bool:
        return reached <= self.t + 1e-12  # shares are rounded


def _equal(groups: Labels, codes: Labels) -> Floats:
    """Half the absolute differences of shares; values that a group lacks count with their share."""
    return _equal_from(*_shares(groups, codes), np.bincount(codes))


def _equal_from(group: Labels, code: Labels, shares: Floats, sizes: Any, counts: Labels) -> Floats:
    whole = counts / counts.sum()
    apart = np.bincount(group, np.abs(shares - whole[code]) - whole[code], len(sizes))
    return np.asarray((apart + 1.0)[sizes > 0] / 2.0, dtype=np.float64)


def _ordered(groups: Labels, codes: Labels) -> Floats:
    """The area between the two distribution functions over the ranks, 1 the widest possible.

    Between two values of a group its function is level at h; the table's function F rises there, so
    the area is split where F passes h.
    """
    return _ordered_from(*_shares(groups, codes), np.bincount(codes))


def _ordered_from(
    group: Labels, code: Labels, shares: Floats, sizes: Any, counts: Labels
) -> Floats:
    if len(counts) < 2:
        return np.zeros(int((sizes > 0).sum()))
    below = np.cumsum(counts) / counts.sum()  # F at each rank
    area = np.concatenate([[0.0], np.cumsum(below)])
    first = np.flatnonzero(np.diff(group, prepend=-1))
    heights = np.cumsum(shares)
    before = np.repeat(heights[first] - shares[first], np.diff(first, append=len(group)))
    heights = heights - before
    after = np.append(code[1:], len(counts))
    after[np.append(first[1:], len(group)) - 1] = len(counts)
    split = np.clip(np.searchsorted(below, heights, side="left"), code, after)
    under = heights * (split - code) - (area[split] - area[code])
    over = (area[after] - area[split]) - heights * (after - split)
    far = np.bincount(group, under + over, len(sizes))
    far[group[first]] += area[code[first]]  # ranks below the group's first value
    result: Floats = far[sizes > 0] / (len(counts) - 1)
    return result


def _hierarchical(groups: Labels, codes: Labels, tree: Hierarchy) -> Floats:
    """What has to be moved below each node from one child to another, times how high it is.

    A node's children with too much give to those with too little as far as they can; the rest goes
    further up. Nodes that a group has nothing below have no child with too much.
    """
    nodes = len(tree.nodes)
    top = int(np.flatnonzero(tree.tree.above < 0)[0])
    above = np.append(np.where(tree.tree.above < 0, -1, tree.tree.above), top)
    height = _heights(above)
    if not height[top]:
        return np.zeros(len(np.unique(groups)))
    group, node, shares, sizes = _shares(groups, codes)
    whole = np.bincount(codes, minlength=nodes + 1) / len(codes)
    # Each node, and beside them what stands at the node itself, as one more child of it.
    below, parts = whole.copy(), [(group, node, shares)]
    up = above
    while (up >= 0).any():
        below += np.bincount(up[up >= 0], whole[up >= 0], nodes + 1)
        inner = up[node] >= 0
        parts.append((group[inner], up[node[inner]], shares[inner]))
        up = np.where(up >= 0, above[np.maximum(up, 0)], -1)
    pairs = np.concatenate([g * (nodes + 1) + each for g, each, _ in parts])
    held, place = np.unique(pairs, return_inverse=True)
    extra = np.bincount(place, np.concatenate([part for *_, part in parts]))
    extra = extra - below[held % (nodes + 1)]
    much = np.zeros(len(held))
    child = above[held % (nodes + 1)] >= 0
    parent = held[child] - held[child] % (nodes + 1) + above[held[child] % (nodes + 1)]
    np.add.at(much, np.searchsorted(held, parent), np.maximum(extra[child], 0.0))
    own = np.searchsorted(held, group * (nodes + 1) + node)
    np.add.at(much, own, np.maximum(shares - whole[node], 0.0))
    moved = np.minimum(much, much - extra) * height[held % (nodes + 1)] / height[top]
    far = np.bincount(held // (nodes + 1), moved, len(sizes))
    return np.asarray(far[sizes > 0], dtype=np.float64)


def _heights(above: Labels) -> Labels:
    """How many steps down from each node the farthest of its leaves is."""
    height = np.zeros(len(above), dtype=np.int64)
    up, steps = above, 0
    while (up >= 0).any():
        steps += 1
        inner = up >= 0
        np.maximum.at(height, up[inner], steps)
        up = np.where(inner, above[np.maximum(up, 0)], -1)
    return height


def _shares(groups: Labels, codes: Labels) -> tuple[Labels, Labels, Floats, Labels]:
    """The group, the code and the share in the group of every pair that occurs, in that order."""
    kinds = int(codes.max()) + 1
    pairs, counts = np.unique(groups * kinds + codes, return_counts=True)
    sizes = np.bincount(groups)
    group = pairs // kinds
    return group, pairs % kinds, counts / sizes[group], sizes
