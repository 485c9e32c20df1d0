"""What is counted of a column in one pass: exact, so that pieces are merged in any order.

Sums are fractions, which round nothing; moments, extremes and counts of a table are then the same
whatever files it lies in and whoever counted which of them.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from tokumei._check import Floats
from tokumei._kernels import numeric as _kernels
from tokumei.release.mask.forms import decimals_of
from tokumei.values.calendar import LADDER

PARTS = 48
LOOKED_AT = 4096  # values that usually tell that a column has no decimals to keep
MOST_CATEGORIES = 1 << 16


@dataclass(frozen=True)
class OfNumbers:
    """Numbers, NaN being missing: how many, their moments, extremes and decimals."""

    present: int = 0
    missing: int = 0
    sum: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)
    low: float = np.inf
    high: float = -np.inf
    decimals: int | None = 0  # the most that any has; None: more than are kept

    @classmethod
    def of(cls, values: Floats, kind: type[np.floating]) -> OfNumbers:
        """Of the numbers of one piece, which are cells of that type."""
        missing = 0
        if len(values) and np.isnan(values.min()):
            absent = np.isnan(values)
            missing = int(absent.sum())
        there = np.ascontiguousarray(values[~absent] if missing else values, dtype=np.float64)
        if not len(there):
            return cls(missing=missing)
        sums, squares = np.zeros(PARTS), np.zeros(PARTS)
        _kernels.exact_moments(there, sums, squares)
        few = decimals_of(there[:LOOKED_AT], kind)
        return cls(
            len(there),
            missing,
            _total(sums),
            _total(squares),
            float(there.min()),
            float(there.max()),
            None if few is None else decimals_of(there, kind),
        )

    def merged(self, other: OfNumbers) -> OfNumbers:
        decimals = (self.decimals, other.decimals)
        return OfNumbers(
            self.present + other.present,
            self.missing + other.missing,
            self.sum + other.sum,
            self.squares + other.squares,
            min(self.low, other.low),
            max(self.high, other.high),
            None if None in decimals else max(decimals),  # type: ignore[type-var]
        )

    @property
    def mean(self) -> float:
        return float(self.sum / self.present) if self.present else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation, its square rounded once."""
        if not self.present:
            return 0.0
        return math.sqrt(self.squares / self.present - (self.sum / self.present) ** 2)


@dataclass(frozen=True)
class OfCategories:
    """How often each category is there; None is what is missing."""

    counts: Counter[object] = field(default_factory=Counter)

    def merged(self, other: OfCategories) -> OfCategories:
        return OfCategories(self.counts + other.counts)

    @property
    def missing(self) -> int:
        return self.counts[None]


@dataclass(frozen=True)
class OfMoments:
    """Dates and times: the numbers that they are, and the coarsest resolution that keeps all."""

    numbers: OfNumbers
    grid: str

    def merged(self, other: OfMoments) -> OfMoments:
        finest = min(self.grid, other.grid, key=LADDER.index)
        return OfMoments(self.numbers.merged(other.numbers), finest)


Statistics = OfNumbers | OfCategories | OfMoments


def _total(parts: Floats) -> Fraction:
    return sum((Fraction(part) for part in parts.tolist() if part), Fraction(0))
