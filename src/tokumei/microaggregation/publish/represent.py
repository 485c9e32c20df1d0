"""One value for a group, for a column of any kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei import _check
from tokumei.microaggregation.publish import representatives
from tokumei.values.columns import coded, column, ranked
from tokumei.values.hierarchy import Hierarchy, hierarchy_of

Ties = Literal["order", "first", "common"]


def represent(
    values: Any,
    labels: ArrayLike,
    *,
    how: str = "mode",
    order: Sequence[Any] | None = None,
    tree: Hierarchy | Mapping[Any, Any] | None = None,
    ties: Ties = "order",
) -> NDArray[Any]:
    """Replace every value of one column, of any kind, by the representative of its group.

    Parameters
    ----------
    values : array_like of shape (n,)
        Numbers, text or any values that can be sorted; none missing.
    labels : array_like of int, shape (n,)
        The group of each record, as `partition` returns it.
    how : {"mode", "median", "interval", "set", "ancestor"}
        The most frequent value; the middle one (of two the lower); ``[low..high]``;
        ``{a, b, ...}``, the last two as text; or the lowest common ancestor in a tree.
    order : sequence, optional
        The values from lowest to highest; their natural order by default.
    tree : Hierarchy or mapping, optional
        From each node but the root to its parent; goes with "ancestor".
    ties : {"order", "first", "common"}
        Which of equally frequent values is the mode: the first in the order, the first to occur in
        the group, or the one that is commoner in all records.

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
    group, groups = _check.labels(labels, len(column(values, "values")))
    _check.one_of(how, ("mode", "median", "interval", "set", "ancestor"), "how")
    _check.one_of(ties, get_args(Ties), "ties")
    if (how == "ancestor") != (tree is not None):
        msg = f"a tree goes with how='ancestor' and only with it, got how={how!r}"
        raise ValueError(msg)
    codes, known = coded(values, "values")
    if tree is not None:
        return _ancestors(codes, known, group, groups, hierarchy_of(tree, "tree"))
    counts = np.bincount(codes)
    every, places = ranked(known, counts, order, "values")
    codes = places[codes]
    if how == "mode":
        return _of_values(values, codes, representatives.modes(codes, group, groups, ties)[group])
    if how == "median":
        return _of_values(values, codes, representatives.lower_medians(codes, group, groups)[group])
    names = [str(value) for value in every]
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


def _of_values(values: Any, codes: _check.Labels, chosen: _check.Labels) -> NDArray[Any]:
    """The chosen codes as the values themselves, in an array of their kind."""
    row = np.zeros(int(codes.max()) + 1, dtype=np.int64)
    row[codes] = np.arange(len(codes))
    array: NDArray[Any] = np.asarray(values)
    return array[row[chosen]]


def _ancestors(
    codes: _check.Labels, known: list[Any], group: _check.Labels, groups: int, hierarchy: Hierarchy
) -> NDArray[Any]:
    found = hierarchy.find(known, np.bincount(codes), "values")
    met = hierarchy.tree.meetings(found[codes], group, groups)
    nodes = np.empty(len(hierarchy.nodes), dtype=object)
    nodes[:] = hierarchy.nodes
    out: NDArray[Any] = nodes[met][group]
    return out
