"""Published cells that stand for more than one value: intervals, sets, nodes of a hierarchy."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei._check import Floats, Labels
from tokumei.values.cells import is_number
from tokumei.values.column import Column
from tokumei.values.columns import coded, numbers, shared
from tokumei.values.containers import listed
from tokumei.values.hierarchy import Hierarchy


def number_penalties(column: Column, published: Column, names: tuple[str, str]) -> Floats:
    """For each record the width of what its published value stands for, as a share of that of the
    original column: of the value itself and of all numbers that are published as it."""
    x = numbers(column, names[0])
    if published.kind == "numeric":
        y = numbers(published, names[1])
        values, code = np.unique(y, return_inverse=True)
        least, most = values.copy(), values.copy()
        same = x == y
    else:
        least, most, code = _read_spans(published, names[1])
        same = (least[code] == x) & (most[code] == x)
    low, high = float(x.min()), float(x.max())
    np.minimum.at(least, code, x)
    np.maximum.at(most, code, x)
    width = high - low
    if not width:
        return np.zeros(1)
    widths = np.maximum(np.minimum(most, high) - np.maximum(least, low), 0.0) / width
    return np.where(same, 0.0, widths[code])


def _read_spans(published: Column, name: str) -> tuple[Floats, Floats, Labels]:
    """The ends of each distinct published value, and which of them each record has."""
    cells = [_hashable(cell, of_list=tuple) for cell in listed(published.source)]
    code, known = coded(cells, name)
    spans = [_span(value) for value in known]
    wrong = np.array([span is None for span in spans])
    if wrong.any():
        msg = (
            f"{name} has {int(wrong[code].sum())} cells that are neither numbers, intervals "
            "(low, high) with low <= high, nor sets of numbers"
        )
        raise ValueError(msg)
    least, most = np.array(spans, dtype=np.float64).T.copy()
    return least, most, code


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
    """For each record whose value was changed the share of the attribute that its published value
    stands for: that value, and all that are published as it."""
    cells = [_hashable(cell, of_list=frozenset) for cell in listed(published.source)]
    (before, after), known = shared([column, cells], names)
    changed = before != after
    count = len(known)
    if tree is not None:
        old, new = (
            tree.find(known, np.bincount(code, minlength=count), name)
            for code, name in zip((before, after), names, strict=True)
        )
        nodes = np.concatenate([old[before], new[after]])
        met = tree.tree.meetings(nodes, np.concatenate([after, after]), count)
        return np.where(changed, tree.shares[met][after], 0.0)
    present = np.bincount(before, minlength=count) > 0
    values = {value for value, is_present in zip(known, present, strict=True) if is_present}
    meant = [_meaning(value, values) for value in known]
    strangers = int(sum(meant[code] is None for code in after))
    if strangers:
        msg = (
            f"{names[1]} has {strangers} cells that are neither values of the original column nor "
            "sets of them; nodes need a hierarchy"
        )
        raise ValueError(msg)
    of_each: list[set[Any]] = [set() for _ in known]
    for place in np.unique(after * count + before):
        stands, value = divmod(int(place), count)
        of_each[stands] |= {known[value]} | (meant[stands] or set())
    counts = np.array([len(each) for each in of_each])
    share = np.where(counts > 1, counts / len(values), 0.0)
    return np.where(changed, share[after], 0.0)


def _meaning(value: Any, values: set[Any]) -> set[Any] | None:
    """The original values that a published one names, None where it is not made of such."""
    if value in values:
        return {value}
    return set(value) if isinstance(value, frozenset) and value and value <= values else None
