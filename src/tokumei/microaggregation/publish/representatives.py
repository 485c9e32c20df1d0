"""One value for a group: of codes, of numbers, and as text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei import _check


def modes(
    codes: _check.Labels, group: _check.Labels, groups: int, ties: str = "order"
) -> _check.Labels:
    """The most frequent code of each group; of equally frequent ones the lowest, or the first to
    occur in the group, or the one that is commoner in all records."""
    span = int(codes.max()) + 1
    cells, row, counts = np.unique(group * span + codes, return_index=True, return_counts=True)
    owners, values = np.divmod(cells, span)
    rank = {"order": values, "first": row, "common": -np.bincount(codes)[values]}[ties]
    order = np.lexsort((values, rank, -counts, owners))
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


def intervals(values: _check.Floats, group: _check.Labels, groups: int) -> list[str]:
    """The lowest and the highest number of each group as text; an empty text for no number."""
    low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    return [
        interval_text((number_text(a), number_text(b))) if a <= b else ""
        for a, b in zip(low, high, strict=True)
    ]


def number_text(value: float) -> str:
    """A number as people write it: 7 rather than 7.0."""
    return (
        str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))
    )


def interval_text(ends: Sequence[str]) -> str:
    """``[low..high]``, or the value itself where both ends are the same."""
    low, high = ends
    return low if low == high else f"[{low}..{high}]"


def set_text(names: Sequence[str]) -> str:
    """``{a, b}``, or the value itself where there is one."""
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"
