"""Published cells that stand for more than one value: intervals, sets, nodes of a hierarchy."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei._check import Floats
from tokumei.values.cells import is_number
from tokumei.values.column import Column
from tokumei.values.columns import coded, numbers, shared
from tokumei.values.containers import listed
from tokumei.values.hierarchy import Hierarchy


def number_penalties(column: Column, published: Column, names: tuple[str, str]) -> Floats:
    """The width of each distinct published value, as a share of that of the original column,
    times the number of records that have it."""
    x = numbers(column, names[0])
    if published.kind == "numeric":
        numbers(published, names[1])
        return np.zeros(1)
    low, high = float(x.min()), float(x.max())
    cells = [_hashable(cell, of_list=tuple) for cell in listed(published.source)]
    code, known = coded(cells, names[1])
    spans = [_span(value) for value in known]
    wrong = np.array([span is None for span in spans])
    if wrong.any():
        msg = (
            f"{names[1]} has {int(wrong[code].sum())} cells that are neither numbers, intervals "
            "(low, high) with low <= high, nor sets of numbers"
        )
        raise ValueError(msg)
    ends = np.array(spans, dtype=np.float64)
    cut = np.minimum(ends[:, 1], high) - np.maximum(ends[:, 0], low)
    count = np.bincount(code, minlength=len(known))
    width = high - low
    return count * np.maximum(cut, 0.0) / width if width else np.zeros(1)


def _hashable(cell: Any, of_list: type) -> Any:
    """A cell that can be told apart from others: sets are frozen, lists become what they mean."""
    if isinstance(cell, set):
        return frozenset(cell)
    return of_list(cell) if isinstance(cell, list) else cell


def _span(value: Any) -> tuple[float, float] | None:
    """The lowest and highest number that a published value stands for."""
    if hasattr(value, "left") and hasattr(value, "right"):
        value = (value.left, value.right)
    if isinstance(value, tuple) and len(value) != 2:
        return None
    ends = value if isinstance(value, tuple | frozenset) and value else (value,)
    if not all(is_number(end) and end == end for end in ends):
        return None
    low, high = (ends[0], ends[-1]) if isinstance(ends, tuple) else (min(ends), max(ends))
    try:
        return (float(low), float(high)) if low <= high else None
    except OverflowError:
        return None


def category_penalties(
    column: Column, published: Column, names: tuple[str, str], tree: Hierarchy | None
) -> Floats:
    """The share of an attribute that each distinct published value stands for, times the number of
    records that have it and had another one before."""
    cells = [_hashable(cell, of_list=frozenset) for cell in listed(published.source)]
    (before, after), known = shared([column, cells], names)
    count = np.bincount(after[before != after], minlength=len(known))
    share: Floats
    if tree is not None:
        for code, name in zip((before, after), names, strict=True):
            nodes = tree.find(known, np.bincount(code, minlength=len(known)), name)
        return count * tree.shares[nodes]
    present = np.bincount(before, minlength=len(known)) > 0
    values = {value for value, is_present in zip(known, present, strict=True) if is_present}
    members = np.array([_members(value, values) for value in known])
    strangers = int((members[after] == 0).sum())
    if strangers:
        msg = (
            f"{names[1]} has {strangers} cells that are neither values of the original column nor "
            "sets of them; nodes need a hierarchy"
        )
        raise ValueError(msg)
    share = np.where(members > 1, members / len(values), 0.0)
    return count * share


def _members(value: Any, values: set[Any]) -> int:
    """How many original values a published one stands for, 0 where it is not made of such."""
    if value in values:
        return 1
    return len(value) if isinstance(value, frozenset) and value <= values else 0
