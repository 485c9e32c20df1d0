"""One value for a group, for a column of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei import _check


def modes(codes: _check.Labels, group: _check.Labels, groups: int) -> _check.Labels:
    """The most frequent code of each group; of equally frequent ones the lowest."""
    span = int(codes.max()) + 1
    cells, counts = np.unique(group * span + codes, return_counts=True)
    owners, values = np.divmod(cells, span)
    order = np.lexsort((values, -counts, owners))
    first = np.flatnonzero(np.diff(owners[order], prepend=-1))
    out = np.zeros(groups, dtype=np.int64)
    out[owners[order][first]] = values[order][first]
    return out


def lower_medians(codes: _check.Labels, group: _check.Labels, groups: int) -> _check.Labels:
    """The middle code of each group; of two middle ones the lower."""
    sorted_codes, starts, sizes = _sorted(codes, group, groups)
    out = np.zeros(groups, dtype=np.int64)
    used = sizes > 0
    out[used] = sorted_codes[starts[used] + (sizes[used] - 1) // 2]
    return out


def spans(
    codes: _check.Labels, group: _check.Labels, groups: int
) -> tuple[_check.Labels, _check.Labels]:
    """The lowest and the highest code of each group."""
    sorted_codes, starts, sizes = _sorted(codes, group, groups)
    low, high = np.zeros(groups, dtype=np.int64), np.zeros(groups, dtype=np.int64)
    used = sizes > 0
    low[used] = sorted_codes[starts[used]]
    high[used] = sorted_codes[starts[used] + sizes[used] - 1]
    return low, high


def members(codes: _check.Labels, group: _check.Labels, groups: int) -> list[_check.Labels]:
    """The codes that occur in each group, ascending."""
    span = int(codes.max()) + 1
    owners, values = np.divmod(np.unique(group * span + codes), span)
    return np.split(values, np.searchsorted(owners, np.arange(1, groups)))


def _sorted(
    codes: _check.Labels, group: _check.Labels, groups: int
) -> tuple[_check.Labels, _check.Labels, _check.Labels]:
    order = np.lexsort((codes, group))
    sizes = np.bincount(group, minlength=groups)
    return codes[order], np.cumsum(sizes) - sizes, sizes


def interval_text(ends: Sequence[str]) -> str:
    """``[low..high]``, or the value itself where both ends are the same."""
    low, high = ends
    return low if low == high else f"[{low}..{high}]"


def set_text(names: Sequence[str]) -> str:
    """``{a, b}``, or the value itself where there is one."""
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"


def represent(
    values: Any,
    labels: ArrayLike,
    *,
    how: str = "mode",
    order: Sequence[Any] | None = None,
) -> NDArray[Any]:
    """Replace every value of one column, of any kind, by the representative of its group.

    Parameters
    ----------
    values : array_like of shape (n,)
        Numbers, text or any values that can be sorted; none missing.
    labels : array_like of int, shape (n,)
        The group of each record, as `partition` returns it.
    how : {"mode", "median", "interval", "set"}
        The most frequent value (of equals the first in the order); the middle one (of two the
        lower); ``[low..high]``; or ``{a, b, ...}``. The last two give text.
    order : sequence, optional
        The values from lowest to highest; their natural order by default.

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
    _check.one_of(how, ("mode", "median", "interval", "set"), "how")
    known, codes = _check.ranked(column, order, "values")
    if how == "mode":
        return known[modes(codes, group, groups)][group]
    if how == "median":
        return known[lower_medians(codes, group, groups)][group]
    names = [str(value) for value in known.tolist()]
    if how == "interval":
        low, high = spans(codes, group, groups)
        texts = [interval_text((names[a], names[b])) for a, b in zip(low, high, strict=True)]
    else:
        texts = [set_text([names[v] for v in part]) for part in members(codes, group, groups)]
    return np.array(texts, dtype=object)[group]
