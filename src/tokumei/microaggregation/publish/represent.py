"""One value for a group, for a column of any kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei import _check
from tokumei.microaggregation.publish import representatives
from tokumei.values.hierarchy import Hierarchy, hierarchy_of


def represent(
    values: Any,
    labels: ArrayLike,
    *,
    how: str = "mode",
    order: Sequence[Any] | None = None,
    tree: Hierarchy | Mapping[Any, Any] | None = None,
) -> NDArray[Any]:
    """Replace every value of one column, of any kind, by the representative of its group.

    Parameters
    ----------
    values : array_like of shape (n,)
        Numbers, text or any values that can be sorted; none missing.
    labels : array_like of int, shape (n,)
        The group of each record, as `partition` returns it.
    how : {"mode", "median", "interval", "set", "ancestor"}
        The most frequent value (of equals the first in the order); the middle one (of two the
        lower); ``[low..high]``; ``{a, b, ...}``, the last two as text; or the lowest common
        ancestor in a tree.
    order : sequence, optional
        The values from lowest to highest; their natural order by default.
    tree : Hierarchy or mapping, optional
        From each node but the root to its parent; goes with "ancestor".

    Returns
    -------
    ndarray of shape (n,)
        The masked column.

    Examples
    --------
    >>> from tokumei.microaggregation import represent
    >>> represent(["nurse", "cook", "cook", "smith"], [0, 0, 0, 1]).tolist()
    ['cook', 'cook', 'cook', 'smith']
    >>> represent([31, 35, 33, 60], [0, 0, 0, 1], how="interval").tolist()
    ['[31..35]', '[31..35]', '[31..35]', '60']
    """
    column = np.asarray(values)
    group, groups = _check.labels(labels, len(column))
    _check.one_of(how, ("mode", "median", "interval", "set", "ancestor"), "how")
    if (how == "ancestor") != (tree is not None):
        msg = f"a tree goes with how='ancestor' and only with it, got how={how!r}"
        raise ValueError(msg)
    if tree is not None:
        return _ancestors(column, group, groups, hierarchy_of(tree, "tree"))
    known, codes = _check.ranked(column, order, "values")
    if how == "mode":
        return known[representatives.modes(codes, group, groups)][group]
    if how == "median":
        return known[representatives.lower_medians(codes, group, groups)][group]
    names = [str(value) for value in known.tolist()]
    if how == "interval":
        low, high = representatives.spans(codes, group, groups)
        texts = [
            representatives.interval_text((names[a], names[b]))
            for a, b in zip(low, high, strict=True)
        ]
    else:
        texts = [
            representatives.set_text([names[v] for v in part])
            for part in representatives.members(codes, group, groups)
        ]
    return np.array(texts, dtype=object)[group]


def _ancestors(
    column: NDArray[Any], group: _check.Labels, groups: int, hierarchy: Hierarchy
) -> NDArray[Any]:
    numbers, _ = _check.codes(column, len(column), "values")
    first, counts = np.unique(numbers, return_index=True, return_counts=True)[1:]
    found = hierarchy.find(column[first].tolist(), counts, "values")
    met = hierarchy.tree.meetings(found[numbers], group, groups)
    nodes = np.empty(len(hierarchy.nodes), dtype=object)
    nodes[:] = hierarchy.nodes
    out: NDArray[Any] = nodes[met][group]
    return out
