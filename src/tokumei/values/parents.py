"""Mappings of nodes to their parents, from what a person writes down to one sound tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from tokumei.values.columns import is_missing
from tokumei.values.names import joined

# What is above all roots where there are several; the field writes it for "anything".
TOP = "*"


def rooted(parent_of: Mapping[Any, Any], name: str) -> dict[Any, Any]:
    """The parent of each node but the one top; a node without, or of its own, is a root."""
    nodes: dict[Any, None] = {}
    parents: dict[Any, Any] = {}
    for child, parent in parent_of.items():
        if not is_missing(child):
            nodes[child] = None
            if not is_missing(parent) and parent != child:
                nodes[parent] = None
                parents[child] = parent
    if not nodes:
        msg = f"{name} is empty"
        raise ValueError(msg)
    circling = _circling(list(nodes), parents)
    if circling:
        msg = f"{name} has {circling} values without a root: their parents go round in a circle"
        raise ValueError(msg)
    roots = [node for node in nodes if node not in parents]
    if len(roots) > 1:
        if TOP in parents:
            msg = f"{name} has {len(roots)} roots, and {TOP!r}, which is above all, is none of them"
            raise ValueError(msg)
        parents |= {root: TOP for root in roots if root != TOP}
    return parents


def _circling(nodes: Sequence[Any], parents: Mapping[Any, Any]) -> int:
    """How many nodes have no root above them."""
    number = {node: place for place, node in enumerate(nodes)}
    above = np.array([number[parents.get(node, node)] for node in nodes])
    roots = np.array([node not in parents for node in nodes])
    for _ in range(len(nodes).bit_length()):
        above = above[above]  # twice as far up
    return int((~roots[above]).sum())


def parents_along(ways: Iterable[Sequence[Any]], name: str) -> dict[Any, Any]:
    """Parents from ways up, a node after its child; a root has None, a repeated node is one."""
    ways = list(ways)
    parent_of: dict[Any, Any] = dict.fromkeys(way[0] for way in ways)
    torn = 0
    for way in ways:
        for child, parent in pairwise(way):
            if child != parent:
                known = parent_of.get(child)
                torn += known is not None and known != parent
                parent_of[child] = parent if known is None else known
    if torn:
        msg = f"{name} gives {torn} nodes another parent than before: it is no tree"
        raise ValueError(msg)
    return parent_of


def parents_in(nested: Mapping[Any, Any] | Sequence[Any]) -> dict[Any, Any]:
    """Parents from lists of values in mappings by their parents, or in lists."""
    parent_of: dict[Any, Any] = {}
    _descend(nested, None, parent_of)
    return parent_of


def _descend(nested: Any, parent: Any, parent_of: dict[Any, Any]) -> None:
    if isinstance(nested, Mapping):
        for name, below in nested.items():
            _add(name, parent, parent_of)
            _descend(below, name, parent_of)
        return
    if isinstance(nested, str) or not isinstance(nested, Sequence):
        msg = f"a hierarchy is nested mappings and lists, got {type(nested).__name__}"
        raise TypeError(msg)
    for item in nested:
        if isinstance(item, list | tuple) and len(_leaves(item)) == 1:
            _add(_leaves(item)[0], parent, parent_of)
        elif isinstance(item, list | tuple):
            name = joined("/")(_leaves(item))
            _add(name, parent, parent_of)
            _descend(item, name, parent_of)
        else:
            _add(item, parent, parent_of)


def _add(child: Any, parent: Any, parent_of: dict[Any, Any]) -> None:
    if child in parent_of:
        msg = f"a hierarchy names each value once; value {len(parent_of) + 1} is a repetition"
        raise ValueError(msg)
    parent_of[child] = parent


def _leaves(items: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for item in items:
        found += _leaves(item) if isinstance(item, list | tuple) else [item]
    return found
