"""What all distances have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei import _check
from tokumei._check.cached import cached_property
from tokumei._kernels import pairs as _kernels
from tokumei.distances.columns import DistinctValues, Integers


class Prepared(ABC):
    """Values that passed the checks of a distance and can be compared."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of records."""

    @abstractmethod
    def apart(self, i: Integers, j: Integers, run: _check.Run) -> _check.Floats:
        """The distances between the records i[k] and j[k]."""

    @property
    @abstractmethod
    def numbers(self) -> Integers:
        """A number for each record; records with equal values share it."""


class Distance(ABC):
    """How far apart two values are: 0 for equal ones, positive otherwise, the same both ways."""

    @abstractmethod
    def prepare(self, values: Any, name: str = "values") -> Prepared:
        """Check values and bring them into the form that is computed with."""

    def between(self, a: Any, b: Any) -> float:
        """Return the distance between two single values."""
        pair = self.prepare([a, b])
        first, second = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
        return float(pair.apart(first, second, _check.run(1))[0])


@dataclass(frozen=True, eq=False)
class PreparedCategories(Prepared):
    """Distinct values with counts; `between` gives the distances of values by their numbers."""

    distance: Distance
    distinct: DistinctValues
    between: Callable[[Integers, Integers, _check.Run], _check.Floats]

    def __len__(self) -> int:
        return len(self.distinct)

    def apart(self, i: Integers, j: Integers, run: _check.Run) -> _check.Floats:
        numbers = self.distinct.numbers
        return self.between(numbers[i], numbers[j], run)

    @property
    def numbers(self) -> Integers:
        return self.distinct.numbers


@dataclass(frozen=True, eq=False)
class PreparedNumbers(Prepared):
    """A table of numbers under the p-distance."""

    in_place: _check.Floats  # row by row or column by column
    p: float

    def __len__(self) -> int:
        return len(self.in_place)

    @cached_property
    def table(self) -> _check.Floats:
        """The numbers column by column."""
        return _check.column_major(self.in_place)

    def apart(self, i: Integers, j: Integers, run: _check.Run) -> _check.Floats:
        gaps = np.abs(self.in_place[i] - self.in_place[j])
        largest = gaps.max(axis=1)
        if gaps.shape[1] == 1 or self.p == np.inf:
            return np.asarray(largest)
        # Shares of the largest gap neither overflow nor vanish when they are raised to the p.
        shares = gaps / np.where(largest > 0.0, largest, 1.0)[:, np.newaxis]
        return np.asarray(largest * (shares**self.p).sum(axis=1) ** (1.0 / self.p))

    @property
    def numbers(self) -> Integers:
        return self.distinct_rows()[0]

    def distinct_rows(self) -> tuple[Integers, Integers]:
        """A number for each record, and the first record of each number."""
        numbers = np.empty(len(self), dtype=np.int64)
        first_rows = np.empty(len(self), dtype=np.int64)
        found = _kernels.distinct_rows(self.table, numbers, first_rows)
        return numbers, first_rows[:found]
