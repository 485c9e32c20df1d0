"""A block that came out too large, divided until its parts can be masked.

The plan's cuts follow a sample; what is in fact many records in one place is seen when they have
been routed. Such a block is read batch by batch, never whole, and halved at the exact median of its
longest axis: below, above, and the records of the median itself, which one axis less can divide.
So every division ends. Records that are equal in all quasi-identifiers are no obstacle: their group
publishes what each of them has, and any run of them is a part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Floats

# The batches of a block, read again each time.
Batches = Callable[[], Iterator[Any]]
Coordinates = Callable[[Any], Floats]
DIGIT = 16  # bits of a number that one pass counts


@dataclass(frozen=True)
class Box:
    """Records with above[j] < x[j] <= upto[j] on each axis, and how many there are."""

    above: tuple[float, ...]
    upto: tuple[float, ...]
    rows: int

    def inside(self, x: Floats) -> Any:
        found = np.ones(len(x), dtype=bool)
        for j, (low, high) in enumerate(zip(self.above, self.upto, strict=True)):
            if low > -np.inf:
                found &= x[:, j] > low
            if high < np.inf:
                found &= x[:, j] <= high
        return found

    def part(self, axis: int, low: float, high: float, rows: int) -> Box:
        """The part of it between these values on one axis."""
        above, upto = list(self.above), list(self.upto)
        above[axis], upto[axis] = max(above[axis], low), min(upto[axis], high)
        return Box(tuple(above), tuple(upto), rows)


def divided(
    batches: Batches, coordinates: Coordinates, scales: Floats, rows: int, most: int
) -> Iterator[Any]:
    """Tables of at most so many records, or of equal ones, that are the block together."""
    everywhere = (np.inf,) * len(scales)
    waiting = [Box(tuple(-np.inf for _ in scales), everywhere, rows)]
    while waiting:
        box = waiting.pop()
        if box.rows <= most:
            yield pa.concat_tables(_within(box, batches, coordinates))
            continue
        low, high = _extent(box, batches, coordinates)
        width = (high - low) * scales
        if not (width > 0).any():
            yield from _runs(box, batches, coordinates, most)
            continue
        axis = int(np.argmax(width))
        middle, below, at = _median(box, axis, batches, coordinates)
        before = float(np.nextafter(middle, -np.inf))
        parts = (
            box.part(axis, middle, np.inf, box.rows - below - at),
            box.part(axis, before, middle, at),
            box.part(axis, -np.inf, before, below),
        )
        waiting += [part for part in parts if part.rows]


def _within(box: Box, batches: Batches, coordinates: Coordinates) -> Iterator[Any]:
    for table in batches():
        yield table.filter(pa.array(box.inside(coordinates(table))))


def _runs(box: Box, batches: Batches, coordinates: Coordinates, most: int) -> Iterator[Any]:
    """Equal records, so many at a time; what is left at the end goes with the last of them."""
    held: Any = None
    for table in _within(box, batches, coordinates):
        held = table if held is None else pa.concat_tables([held, table])
        while len(held) >= 2 * most:
            yield held.slice(0, most)
            held = held.slice(most)
    yield held


def _extent(box: Box, batches: Batches, coordinates: Coordinates) -> tuple[Floats, Floats]:
    low, high = np.full(len(box.upto), np.inf), np.full(len(box.upto), -np.inf)
    for table in batches():
        x = coordinates(table)
        x = x[box.inside(x)]
        if len(x):
            low, high = np.minimum(low, x.min(axis=0)), np.maximum(high, x.max(axis=0))
    return low, high


def _median(
    box: Box, axis: int, batches: Batches, coordinates: Coordinates
) -> tuple[float, int, int]:
    """The lower median of an axis, how many records lie below it, and how many at it."""
    wanted, below, prefix = (box.rows - 1) // 2, 0, 0
    at = box.rows
    for shift in range(64 - DIGIT, -1, -DIGIT):
        counts = np.zeros(1 << DIGIT, dtype=np.int64)
        for table in batches():
            x = coordinates(table)
            words = _ordered(x[box.inside(x), axis])
            if shift + DIGIT < 64:
                words = words[words >> np.uint64(shift + DIGIT) == np.uint64(prefix)]
            digits = (words >> np.uint64(shift)) & np.uint64((1 << DIGIT) - 1)
            counts += np.bincount(digits.astype(np.int64), minlength=1 << DIGIT)
        ends = below + np.cumsum(counts)
        digit = int(np.searchsorted(ends, wanted, side="right"))
        below, at = int(ends[digit] - counts[digit]), int(counts[digit])
        prefix = prefix << DIGIT | digit
    return _number(prefix), below, at


def _ordered(values: Floats) -> Any:
    """Words of 64 bits in the order of the numbers; -0 is 0."""
    bits = (values + 0.0).view(np.int64)
    flipped = np.where(bits < 0, ~bits, bits ^ np.int64(-(1 << 63)))
    return flipped.view(np.uint64)


def _number(word: int) -> float:
    bits = word ^ 1 << 63 if word >> 63 else ~word & (1 << 64) - 1
    return float(np.array([bits], dtype=np.uint64).view(np.float64)[0])
