"""Distances of categories that are nodes of a weighted graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import pairs as _kernels
from tokumei.distances.categories import Places, find_places
from tokumei.distances.columns import Integers, read_distinct
from tokumei.distances.distance import Distance


@dataclass(frozen=True, eq=False)
class Graph(Distance):
    """Distances given pair by pair, or lengths of shortest paths.

    Takes a column of nodes.

    Parameters
    ----------
    weights : mapping or array_like of shape (m, m)
        The distance of each pair of different nodes, as ``{(a, b): w}`` with each pair once or in
        both directions, or as a matrix whose rows and columns are `nodes`. Weights are positive,
        finite and the same in both directions.
    nodes : sequence, optional
        The nodes of a matrix, in its order.
    shortest_paths : bool
        With True `weights` are the lengths of edges, and the distance is that of the shortest path,
        found when it is asked for. Pairs without an edge are left out, or infinite in a matrix; the
        graph must be connected.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.distances.Graph({("a", "b"): 1, ("b", "c"): 2, ("a", "c"): 4}).between("a", "c")
    4.0
    >>> edges = {("a", "b"): 1, ("b", "c"): 2, ("a", "c"): 4}
    >>> tk.distances.Graph(edges, shortest_paths=True).between("a", "c")
    3.0
    """

    weights: Mapping[tuple[Any, Any], float] | ArrayLike = field(repr=False)
    nodes: Sequence[Any] | None = field(default=None, repr=False)
    shortest_paths: bool = False
    _places: dict[Any, int] = field(init=False, repr=False)
    _matrix: _check.Floats | None = field(init=False, repr=False)
    _edges: tuple[Integers, Integers, _check.Floats] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.weights, Mapping):
            nodes, a, b, weights = _of_mapping(self.weights, self.nodes)
        else:
            nodes, a, b, weights = _of_matrix(self.weights, self.nodes, self.shortest_paths)
        places = {node: place for place, node in enumerate(nodes)}
        if len(places) < len(nodes):
            msg = f"nodes must name each node once, {len(nodes) - len(places)} are repeated"
            raise ValueError(msg)
        a, b, weights = _checked(a, b, weights, len(nodes))
        object.__setattr__(self, "_places", places)
        object.__setattr__(self, "_matrix", None)
        if self.shortest_paths:
            starts = np.searchsorted(a, np.arange(len(nodes) + 1)).astype(np.int64)
            object.__setattr__(self, "_edges", (starts, b, weights))
            unreached = int(np.isinf(self._paths_from(0)).sum())
            if unreached:
                msg = f"the graph must be connected: no path leads to {unreached} of its nodes"
                raise ValueError(msg)
            return
        missing = len(nodes) * (len(nodes) - 1) - len(weights)
        if missing:
            msg = (
                f"weights must give every pair of different nodes, {missing // 2} pairs are missing"
                " (shortest_paths=True takes weights as edges)"
            )
            raise ValueError(msg)
        matrix = np.zeros((len(nodes), len(nodes)))
        matrix[a, b] = weights
        object.__setattr__(self, "_matrix", matrix)

    def prepare(self, values: Any, name: str = "values") -> Places:
        """Check values and bring them into the form that is computed with."""
        distinct = read_distinct(values, name)
        places = find_places(distinct, self._places, name, "graph")

        def between(a: Integers, b: Integers, _: _check.Run) -> _check.Floats:
            return self._lengths(places[a], places[b])

        return Places(self, distinct, between, places)

    def _lengths(self, a: Integers, b: Integers) -> _check.Floats:
        if self._matrix is not None:
            return np.asarray(self._matrix[a, b])
        sources, which = np.unique(a, return_inverse=True)
        lengths = np.empty(len(a))
        for number, source in enumerate(sources):
            here = np.flatnonzero(which == number)
            lengths[here] = self._paths_from(int(source))[b[here]]
        return lengths

    def _paths_from(self, source: int) -> _check.Floats:
        lengths = np.empty(len(self._places))
        _kernels.shortest_paths(*self._edges, source, lengths)
        return lengths


def _of_mapping(
    weights: Mapping[Any, Any], nodes: Sequence[Any] | None
) -> tuple[list[Any], Integers, Integers, _check.Floats]:
    wrong = sum(not isinstance(pair, tuple) or len(pair) != 2 for pair in weights)
    if wrong:
        msg = (
            f"weights must map pairs (a, b) to numbers, {wrong} of {len(weights)} keys are no pairs"
        )
        raise TypeError(msg)
    known = dict.fromkeys([*(nodes or ()), *(node for pair in weights for node in pair)])
    if not known:
        msg = "weights must name at least one pair of nodes, it is empty"
        raise ValueError(msg)
    if nodes is not None and len(known) > len(set(nodes)):
        msg = f"weights has {len(known) - len(set(nodes))} nodes that are not in nodes"
        raise ValueError(msg)
    place = {node: number for number, node in enumerate(known)}
    a = np.array([place[pair[0]] for pair in weights], dtype=np.int64)
    b = np.array([place[pair[1]] for pair in weights], dtype=np.int64)
    return list(nodes or known), a, b, _numbers(list(weights.values()))


def _of_matrix(
    weights: ArrayLike, nodes: Sequence[Any] | None, edges_only: bool
) -> tuple[list[Any], Integers, Integers, _check.Floats]:
    matrix = _numbers(weights)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        msg = f"weights must be a mapping or a square matrix, got shape {matrix.shape}"
        raise ValueError(msg)
    if nodes is None or len(nodes) != len(matrix):
        named = 0 if nodes is None else len(nodes)
        msg = f"nodes must name the {len(matrix)} rows of the matrix, got {named} names"
        raise ValueError(msg)
    a, b = np.nonzero(np.ones(matrix.shape, dtype=bool))
    given = np.ones(len(a), dtype=bool) if not edges_only else ~np.isposinf(matrix[a, b])
    return list(nodes), a[given], b[given], matrix[a[given], b[given]]


def _numbers(weights: Any) -> _check.Floats:
    try:
        return np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        msg = "weights must be numbers"
        raise TypeError(msg) from None


def _checked(
    a: Integers, b: Integers, weights: _check.Floats, nodes: int
) -> tuple[Integers, Integers, _check.Floats]:
    """Both directions of every pair of different nodes, sorted by the first node."""
    wrong = int((weights[a == b] != 0).sum())
    if wrong:
        msg = f"weights must be 0 from a node to itself, {wrong} are not"
        raise ValueError(msg)
    a, b, weights = a[a != b], b[a != b], weights[a != b]
    wrong = int((~np.isfinite(weights)).sum())
    if wrong:
        msg = f"weights must be finite, {wrong} are not"
        raise ValueError(msg)
    wrong = int((weights <= 0).sum())
    if wrong:
        msg = f"weights must be positive between different nodes, {wrong} are not"
        raise ValueError(msg)
    pair = np.concatenate([a * nodes + b, b * nodes + a])
    pair, first, which = np.unique(pair, return_index=True, return_inverse=True)
    both = np.concatenate([weights, weights])
    wrong = int(np.bincount(which[both[first][which] != both], minlength=1).astype(bool).sum())
    if wrong:
        msg = f"weights must be the same in both directions, {wrong // 2} pairs are not"
        raise ValueError(msg)
    return pair // nodes, pair % nodes, both[first]
