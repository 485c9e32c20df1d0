"""Dates and times as numbers, and the period that a group publishes in place of a moment.

A mean of birthdays could be somebody's birthday. So a group publishes the period in which its mean
lies: a year, a quarter, a month, a day... As text that is ISO 8601 (1985, 1985-Q2, 1985-04); in a
column of dates it is the first moment of the period.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei._check import Floats
from tokumei.values.calendar import LADDER, Instants, moments_of, next_of, start_of, texts_of

SECOND = 1_000_000  # microseconds
LENGTH = dict(
    zip(LADDER, (1, 60, 3600, 86400, 2_629_746, 7_889_238, 31_556_952), strict=True)
)  # seconds
# A resolution is coarse enough where rounding to it costs less than this share of the variance.
MOST_LOST = 0.01


@dataclass(frozen=True)
class Moments:
    """Periods of one resolution, as cells of an Arrow type or, where there is none, as text.

    `nearest` is for columns that hold such periods: their mean becomes the nearest one.
    """

    kind: Any
    resolution: str
    nearest: bool

    def cells(self, values: Floats) -> Any:
        starts = start_of(moments_of(values), self.resolution)
        if self.nearest:
            after = next_of(starts, self.resolution)
            late = 2 * values >= (_microseconds(starts) + _microseconds(after))
            starts = np.where(late, after, starts)
        if self.kind is None:
            return pa.array(texts_of(starts, self.resolution), pa.string())
        naive = pa.array(starts.astype("datetime64[us]"))
        zone = getattr(self.kind, "tz", None)
        if zone is None:
            return naive.cast(self.kind)
        there = pc.assume_timezone(naive, zone, ambiguous="earliest", nonexistent="earliest")
        return there.cast(self.kind)


def form_of(kind: Any, values: Floats, asked: str) -> Moments:
    """The form of moments, in microseconds, that cells of an Arrow type say."""
    present = values[~np.isnan(values)]
    variance = float(np.var(present)) if len(present) else 0.0
    return form_by(kind, grid_of(present), variance, asked)


def form_by(kind: Any, grid: str, variance: float, asked: str) -> Moments:
    """The same, of moments on that grid and of that variance."""
    resolution = coarsest(variance, grid) if asked == "auto" else asked
    nearest = LADDER.index(resolution) <= LADDER.index(grid)
    date = pa.types.is_date(kind)
    return Moments(kind if date or pa.types.is_timestamp(kind) else None, resolution, nearest)


def grid_of(values: Floats) -> str:
    """The coarsest resolution that all moments are whole periods of; the finest where none is."""
    moments = moments_of(values)
    whole = [one for one in LADDER if np.array_equal(start_of(moments, one), moments)]
    return whole[-1] if whole else LADDER[0]


def coarsest(variance: float, grid: str) -> str:
    """The coarsest resolution that keeps nearly all of the variance; none finer than the grid."""
    for resolution in reversed(LADDER[LADDER.index(grid) :]):
        if (LENGTH[resolution] * SECOND) ** 2 / 12 <= MOST_LOST * variance:
            return resolution
    return grid


def _microseconds(moments: Instants) -> Floats:
    return moments.astype("datetime64[us]").astype(np.int64).astype(np.float64)
