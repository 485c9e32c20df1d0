"""Normalised certainty penalty: how wide the published values are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.loss.groups import cells as generalised
from tokumei.loss.tables.counts import cells, combine, total, weighed
from tokumei.values.column import Column
from tokumei.values.columns import coded, numbers
from tokumei.values.hierarchy import Hierarchy, hierarchy_of
from tokumei.values.tables import (
    CATEGORY,
    NUMBER,
    kinds_of,
    label,
    of_columns,
    pair_of_tables,
    records,
    table,
)


def ncp(
    original: Any,
    labels: ArrayLike | None = None,
    *,
    masked: Any = None,
    kinds: Mapping[Any, str] | None = None,
    hierarchies: Mapping[Any, Hierarchy | Mapping[Any, Any]] | None = None,
    weights: Mapping[Any, float] | Sequence[float] | None = None,
    record_weights: ArrayLike | None = None,
    average: bool = False,
) -> float:
    """Normalised certainty penalty of groups, or of generalised values.

    A cell costs 0 where its value is published as it is, 1 where all that is published is that it
    is a value of its attribute, and between the two

    - for a number, the width of what is published over the width of the attribute;
    - for a category with a hierarchy, the share of its values below the published node;
    - for a category without, the share of the distinct values that are published together.

    The penalty is the sum over all records and attributes, each attribute with its weight.

    Parameters
    ----------
    original : table of n records
        A mapping of columns, a dataframe, or an array of shape (n, d).
    labels : array_like of int, shape (n,), optional
        The group of each record. What is published of a cell is the range of its group: from the
        smallest to the largest number, the lowest common ancestor, the set of values.
    masked : table of n records, optional
        The published cells, instead of `labels`. Numbers: plain ones, intervals ``(low, high)``
        (ends may be infinite) or sets of numbers. Categories with a hierarchy: its nodes. Without
        one: values, or sets of values. What is published stands for itself and for all values that
        are published as it, so a mean costs what the range of its group costs. A cell equal to the
        original costs nothing.
    kinds : mapping, optional
        ``{column: "number" or "category"}`` where the values do not tell.
    hierarchies : mapping, optional
        ``{column: hierarchy}``, each a `Hierarchy` or a mapping of nodes to parents. Values of the
        column may be inner nodes; what has no common ancestor but the top costs 1.
    weights : mapping or sequence, optional
        A weight for each column, 1 by default. Not negative, not all zero.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.
    average : bool
        Divide by the number of records and the sum of the weights (global certainty penalty, 0 to
        1).

    Returns
    -------
    float
        The penalty.

    Notes
    -----
    The width of a numeric attribute is that of `original`; intervals are cut to it. A group whose
    values are all equal costs 0, and so does a node with one value below.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.ncp({"age": [20, 30, 50, 60]}, [0, 0, 1, 1])
    1.0
    >>> tree = {"farm": "field", "wood": "field", "field": "work", "shop": "work"}
    >>> table = {"job": ["farm", "wood", "shop"]}
    >>> tk.loss.ncp(table, masked={"job": ["field", "field", "shop"]}, hierarchies={"job": tree})
    1.3333333333333333

    One mean for all is the whole loss of those it changes:

    >>> tk.loss.ncp({"age": [20, 30, 50, 60]}, masked={"age": [40, 40, 40, 40]})
    4.0
    """
    if (labels is None) == (masked is None):
        msg = "either labels or masked must be given, and not both"
        raise ValueError(msg)
    columns = table(original, "original")
    trees = {
        key: hierarchy_of(given, label("hierarchies", key))
        for key, given in of_columns(hierarchies, columns, "hierarchies").items()
    }
    given_kinds = of_columns(kinds, columns, "kinds")
    kind_of = kinds_of(columns, {**given_kinds, **dict.fromkeys(trees, CATEGORY)})
    weight = _weights(weights, columns)
    counted = weighed(record_weights, records(columns))
    times = 1.0 if counted is None else counted
    if labels is not None:
        group, groups = _check.labels(labels, records(columns))
        sizes = np.bincount(group, counted, groups)
        penalties = [
            sizes
            * _of_groups(one, group, groups, label("original", key), kind_of[key], trees.get(key))
            for key, one in columns.items()
        ]
    else:
        _, published = pair_of_tables(columns, masked)
        penalties = [
            _of_cells(one, published[key], key, kind_of[key], trees.get(key)) * times
            for key, one in columns.items()
        ]
    penalty = math.fsum(w * math.fsum(each) for w, each in zip(weight, penalties, strict=True))
    most = total(counted, records(columns)) * math.fsum(weight)
    return penalty / most if average else penalty


def _weights(
    given: Mapping[Any, float] | Sequence[float] | None, columns: Mapping[Any, Any]
) -> list[float]:
    if given is None:
        return [1.0] * len(columns)
    if isinstance(given, Mapping):
        by_column = of_columns(given, columns, "weights")
        given = [by_column.get(key, 1.0) for key in columns]
    return list(_check.weights(given, len(columns), "weights"))


def _of_groups(
    column: Column,
    group: _check.Labels,
    groups: int,
    name: str,
    kind: str,
    tree: Hierarchy | None,
) -> _check.Floats:
    """The penalty of a record of each group."""
    if kind == NUMBER:
        x = numbers(column, name)
        low, high = _ends(x, group, groups)
        width = float(x.max()) - float(x.min())
        return (high - low) / width if width else np.zeros(groups)
    code, known = coded(column, name)
    if tree is not None:
        nodes = tree.find(known, np.bincount(code, minlength=len(known)), name)[code]
        first, last = _ends(nodes, group, groups)
        return np.where(first < last, tree.shares[tree.tree.meetings(nodes, group, groups)], 0.0)
    cell, _ = cells(*combine([group, code], [groups, len(known)]))
    together = np.bincount(cell // len(known), minlength=groups)
    return np.where(together > 1, together / len(known), 0.0)


def _ends(x: Any, group: _check.Labels, groups: int) -> tuple[Any, Any]:
    """The lowest and the highest value of each group; 0 and 0 of an empty one."""
    first = np.zeros(groups, dtype=x.dtype)
    first[group] = x
    low, high = first.copy(), first
    np.minimum.at(low, group, x)
    np.maximum.at(high, group, x)
    return low, high


def _of_cells(
    column: Column, published: Column, key: Any, kind: str, tree: Hierarchy | None
) -> _check.Floats:
    """The penalty of each record."""
    names = label("original", key), label("masked", key)
    if kind == NUMBER:
        return generalised.number_penalties(column, published, names)
    return generalised.category_penalties(column, published, names, tree)
