"""Values as they come, made ready for distances."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei.values.column import Column
from tokumei.values.columns import coded, column, numbers

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DistinctValues:
    """The distinct values of a column, how often each occurs, and for each record its number."""

    values: list[Any]
    counts: Integers
    numbers: Integers

    def __len__(self) -> int:
        return len(self.numbers)

    def rows_of(self, chosen: Collection[int]) -> tuple[int, int]:
        """How many records have one of these values, and the first row that does."""
        rows = np.flatnonzero(np.isin(self.numbers, list(chosen)))
        return rows.size, int(rows[0])


def read_numbers(values: Any, name: str) -> _check.Floats:
    """A finite table of numbers, not copied if need not be; a column becomes a table of one."""
    if not isinstance(values, Column):
        masked = isinstance(values, np.ma.MaskedArray)
        array: NDArray[Any] = values if masked else np.asarray(values)
        if array.ndim != 1:
            return _check.table_in_place(array, name)
    return numbers(values, name)[:, np.newaxis]


def read_distinct(values: Any, name: str, *, blank_is_missing: bool = True) -> DistinctValues:
    """The distinct values of a column of anything that can be counted."""
    read = column(values, name)
    if not blank_is_missing:
        read = Column(read.source, blank_is_missing=False)
    codes, known = coded(read, name)
    return DistinctValues(known, np.bincount(codes, minlength=len(known)), codes)
