"""What a picture of an attribute may show: counts before and after, none of them small.

Every count that is kept is 0 or at least `smallest`, before as well as after; smaller cells are
joined with others first, so that nothing can be found by subtraction either. The edges of a
histogram are round numbers well inside the data and its end cells hold all that lies beyond: it
tells neither the smallest nor the largest value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Floats, Labels

# About as many cells as an eye compares, and as many labels as fit below each other.
_CELLS = 20
_BARS = 12
# The share of the records at either end that a histogram does not resolve.
_TAIL = 0.02

REST = "all others"


@dataclass(frozen=True)
class Histogram:
    """Counts of numbers between edges; the end cells reach to infinity."""

    edges: tuple[float, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class Bars:
    """Counts of categories, the most frequent first; the rest in one bar."""

    labels: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


def histogram(before: Floats, after: Floats, smallest: int) -> Histogram | None:
    """A histogram of about twenty cells, or None where there are too few records or values."""
    tail = max(math.ceil(_TAIL * len(before)), smallest)
    if len(before) < 2 * tail:
        return None
    ordered = np.partition(before, [tail - 1, len(before) - tail])
    low, high = float(ordered[tail - 1]), float(ordered[len(before) - tail])
    step = _round_step((high - low) / _CELLS)
    if step == 0.0:
        return None
    edges = step * np.arange(math.floor(low / step), math.floor(high / step) + 2)
    inner = edges[1:-1]
    counts = [
        np.bincount(np.searchsorted(inner, x, side="right"), minlength=len(inner) + 1)
        for x in (before, after)
    ]
    runs = _safe_runs(counts[0].tolist(), counts[1].tolist(), smallest)
    ends = [stop for _, stop in runs]
    old, new = (tuple(int(count[a:b].sum()) for a, b in runs) for count in counts)
    return Histogram(tuple(edges[[0, *ends]].tolist()), old, new)


def bars(before: Labels, after: Labels, known: Sequence[Any], smallest: int) -> Bars | None:
    """A bar for each category that is frequent enough, or None where not even all together are."""
    old = np.bincount(before, minlength=len(known)).tolist()
    new = np.bincount(after, minlength=len(known)).tolist()
    order = sorted(range(len(known)), key=lambda code: (-old[code] - new[code], code))
    order = [code for code in order if old[code] or new[code]]
    shown = [code for code in order if _safe(old[code], smallest) and _safe(new[code], smallest)]
    shown = shown[:_BARS]
    rest = [code for code in order if code not in shown]

    def sums() -> tuple[int, int]:
        return sum(old[code] for code in rest), sum(new[code] for code in rest)

    while shown and not all(_safe(count, smallest) for count in sums()):
        rest.append(shown.pop())
    if not all(_safe(count, smallest) for count in sums()):
        return None
    pooled = [[count] if rest else [] for count in sums()]
    return Bars(
        tuple([str(known[code]) for code in shown] + [REST] * bool(rest)),
        tuple([old[code] for code in shown] + pooled[0]),
        tuple([new[code] for code in shown] + pooled[1]),
    )


def _safe(count: int, smallest: int) -> bool:
    return count == 0 or count >= smallest


def _safe_runs(old: Sequence[int], new: Sequence[int], smallest: int) -> list[tuple[int, int]]:
    """Runs of neighbouring cells whose counts may be shown; those of all together may."""
    runs: list[tuple[int, int]] = []
    start = 0
    for stop in range(1, len(old) + 1):
        if all(_safe(sum(count[start:stop]), smallest) for count in (old, new)):
            runs.append((start, stop))
            start = stop
    if start < len(old):  # what is left over joins the runs before it
        while not all(_safe(sum(count[start:]), smallest) for count in (old, new)):
            start, _ = runs.pop()
        runs.append((start, len(old)))
    return runs


def _round_step(raw: float) -> float:
    """The smallest of 1, 2, 5, 10, ... times a power of ten that is not below; 0 of 0."""
    if raw <= 0.0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(raw))
    return next(times * power for times in (1, 2, 5, 10, 20) if times * power >= raw)
