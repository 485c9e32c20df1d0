"""The options of the search for lower loss, as its door takes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check


@dataclass(frozen=True, slots=True, eq=False)
class DistinctRule:
    """Each group has records of at least so many different codes."""

    codes: _check.Labels
    least: int

    def of(self, rows: _check.Labels) -> DistinctRule:
        """The same, asked of some of the records."""
        return replace(self, codes=from_zero(self.codes[rows]))


@dataclass(frozen=True, slots=True, eq=False)
class CloseRule:
    """The codes of each group are distributed at most so far from those of the table.

    Codes are 0 and up, none left out. In an order the distance is the earth mover's.
    """

    codes: _check.Labels
    farthest: float
    ordered: bool

    def of(self, rows: _check.Labels) -> CloseRule:
        """The same, asked of some of the records: their distribution is the table's."""
        return replace(self, codes=from_zero(self.codes[rows]))


@dataclass(frozen=True, slots=True, eq=False)
class RefineOptions:
    """Everything that can be asked of the kernel; no weights are None."""

    k: int
    largest: int
    absolute: bool
    perturbations: float  # a record
    start_temperature: float
    end_temperature: float
    seed: int
    weights: _check.Floats | None
    distinct: tuple[DistinctRule, ...]
    close: tuple[CloseRule, ...]


def from_zero(values: NDArray[Any]) -> _check.Labels:
    """Codes from 0 for values, in their order."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
