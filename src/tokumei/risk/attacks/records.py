"""Tables made comparable: numbers on one scale, categories by one system of codes."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Floats, Labels
from tokumei.values import tables
from tokumei.values.column import Column
from tokumei.values.containers import distinct

INTERVAL = re.compile(r"\[(?P<low>[^\[\]]+)\.\.(?P<high>[^\[\]]+)\]")


@dataclass(frozen=True, eq=False)
class Records:
    """Records of one of several tables: numbers (NaN is missing) and codes (-1 is missing).

    `scale` holds the range of each column of numbers over all the tables.
    """

    cells: Mapping[Hashable, NDArray[Any]]
    scale: Mapping[Hashable, float]

    def __len__(self) -> int:
        return len(next(iter(self.cells.values())))

    def rows(self, rows: NDArray[Any]) -> Records:
        """Some of the records."""
        return Records({name: cells[rows] for name, cells in self.cells.items()}, self.scale)

    def only(self, names: Sequence[Hashable]) -> Records:
        """Some of the columns."""
        return Records({name: self.cells[name] for name in names}, self.scale)

    def numeric(self, name: Hashable) -> bool:
        """Whether a column holds numbers."""
        return name in self.scale

    def alike(self, names: Sequence[Hashable]) -> tuple[Labels, Labels]:
        """The number of each record's class of equals in these columns, and its first row."""
        keys = np.empty((len(self), len(names)))
        for j, name in enumerate(names):
            keys[:, j] = self.cells[name]
        keys[np.isnan(keys)] = np.nan  # of all patterns of bits for missing one
        return distinct((keys + 0.0).view(np.dtype((np.void, 8 * len(names))))[:, 0])

    def distinct(self) -> Records:
        """One of all records that are equal."""
        return self.rows(self.alike(list(self.cells))[1])


def comparable(parts: Sequence[Mapping[Any, Column]], names: Sequence[Hashable]) -> list[Records]:
    """The same columns of several tables.

    A column holds numbers where every table's does, text that says numbers included; `[low..high]`
    is the middle of an interval. Any other holds categories.
    """
    cells: list[dict[Hashable, NDArray[Any]]] = [{} for _ in parts]
    scale: dict[Hashable, float] = {}
    for name in names:
        columns = [part[name] for part in parts]
        numbers = _numbers(columns)
        if numbers is None:
            found: Sequence[NDArray[Any]] = _codes(columns)
        else:
            found, scale[name] = numbers, _range(numbers)
        for part, own in zip(cells, found, strict=True):
            part[name] = own
    return [Records(part, scale) for part in cells]


def _numbers(columns: Sequence[Column]) -> list[Floats] | None:
    found = []
    for column in columns:
        if column.kind in ("numeric", "date"):
            found.append(column.numbers)
            continue
        if column.kind == "boolean" or not (column.is_text() or column.missing.all()):
            return None
        numbers, invalid = column.asked_for_numbers()
        if invalid:
            numbers, invalid = _middles(column)
        if invalid:
            return None
        found.append(numbers)
    return found if any(np.isfinite(one).any() for one in found) else None


def _middles(column: Column) -> tuple[Floats, int]:
    """The middles of intervals, and how many cells are something else."""
    ends = [interval_of(text) for text in column.categories]
    if any(one is None for one in ends):
        return np.array([]), 1
    middles = [0.5 * sum(one) for one in ends if one is not None]
    return np.array([*middles, np.nan])[column.codes], 0


def interval_of(text: Any) -> tuple[float, float] | None:
    """The ends that a text says: ``[low..high]``, or a number alone."""
    found = INTERVAL.fullmatch(str(text).strip())
    words = (found["low"], found["high"]) if found else (str(text), str(text))
    try:
        low, high = map(float, words)
    except ValueError:
        return None
    return low, high


def _range(numbers: Sequence[Floats]) -> float:
    finite = [one[np.isfinite(one)] for one in numbers]
    low = min(one.min() for one in finite if len(one))
    high = max(one.max() for one in finite if len(one))
    return float(high - low) or 1.0


def _codes(columns: Sequence[Column]) -> list[Labels]:
    code_of: dict[Any, int] = {}
    found = []
    for column in columns:
        try:
            known = column.categories
        except TypeError:
            msg = "a column has values that cannot be told apart (they have no hash)"
            raise TypeError(msg) from None
        places = [code_of.setdefault(_word(value), len(code_of)) for value in known]
        found.append(np.array([*places, -1], dtype=np.int64)[column.codes])
    return found


def _word(value: Any) -> str:
    """A value as it looks in a file, so that tables from different places agree."""
    return str(value).strip().lower() if isinstance(value, bool) else str(value).strip()


def read(values: Any, name: str) -> dict[Any, Column]:
    """The columns of a table; those that were read are not read again."""
    return tables.table(values, name)
