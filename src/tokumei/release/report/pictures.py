"""Bars of a column before and after, as numbers that a template draws."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

WIDTH, HEIGHT = 320.0, 96.0


@dataclass(frozen=True)
class Bar:
    """A bar: its corner and size in the drawing, and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    label: str


@dataclass(frozen=True)
class Picture:
    """Bars before and after; those of categories lie side by side, with a name each."""

    before: tuple[Bar, ...]
    after: tuple[Bar, ...]
    ends: tuple[str, str] | None
    names: tuple[str, ...]


def picture_of(histogram: Mapping[str, Any]) -> Picture:
    """The drawing of a column."""
    return _of_numbers(histogram) if "edges" in histogram else _of_categories(histogram)


def _of_numbers(histogram: Mapping[str, Any]) -> Picture:
    """Areas are shares; an open bin is as wide as its neighbour."""
    edges = list(map(float, histogram["edges"]))
    inner = [b - a for a, b in pairwise(edges)] or [1.0]
    widths = [inner[0], *inner[: len(edges) - 1], inner[-1]]
    told = _day if histogram["kind"] == "date" else _number
    texts = [
        f"below {told(edges[0])}",
        *(f"{told(a)} to {told(b)}" for a, b in pairwise(edges)),
        f"{told(edges[-1])} and above",
    ]
    sides = [histogram["before"], histogram["after"]]
    highest = max(s / w for side in sides for s, w in zip(side, widths, strict=True))
    scale = WIDTH / sum(widths)
    bars = []
    for side in sides:
        x, drawn = 0.0, []
        for share, width, text in zip(side, widths, texts, strict=True):
            height = HEIGHT * share / width / highest
            drawn.append(_bar(x, width * scale, height, f"{text}: {share:.1%}"))
            x += width * scale
        bars.append(tuple(drawn))
    return Picture(bars[0], bars[1], (told(edges[0]), told(edges[-1])), ())


def _of_categories(histogram: Mapping[str, Any]) -> Picture:
    names = tuple(map(str, histogram["names"]))
    sides = [histogram["before"], histogram["after"]]
    highest = max(max(side) for side in sides)
    place = WIDTH / len(names)
    bars = [
        tuple(
            _bar(
                place * (number + 0.1 + 0.4 * second),
                0.4 * place,
                HEIGHT * share / highest,
                f"{name}: {share:.1%}",
            )
            for number, (name, share) in enumerate(zip(names, side, strict=True))
        )
        for second, side in enumerate(sides)
    ]
    return Picture(bars[0], bars[1], None, names)


def _bar(x: float, width: float, height: float, label: str) -> Bar:
    corner, size = (round(x, 1), round(HEIGHT - height, 1)), (round(width, 1), round(height, 1))
    return Bar(*corner, *size, label)


def _number(value: float) -> str:
    return f"{value:,.6g}"


def _day(days: float) -> str:
    """A day from those since 1970, which may lie far away."""
    try:
        return (datetime.date(1970, 1, 1) + datetime.timedelta(days=days)).isoformat()
    except OverflowError:
        return f"{days:,.0f} days"
