"""How many records a predicate holds for, without a look at all of them.

Every column is sorted once, so that the records for which a term holds lie side by side; those of
the rarest term are asked for the others. O(n log n) for each column, and for each predicate of t
terms O(t log n) and what its rarest term leaves.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Labels
from tokumei.risk.attacks.records import Records

# A column, how its cell is compared, and with what.
Term = tuple[Hashable, str, float]


class Counted:
    """Records by the order of each of their columns."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self._columns = {name: _Sorted(cells) for name, cells in records.cells.items()}

    def __len__(self) -> int:
        return len(self.records)

    def count(self, terms: Sequence[Term]) -> int:
        """For how many records all these terms hold."""
        spans = [self._columns[name].span(how, value) for name, how, value in terms]
        rarest = min(range(len(terms)), key=lambda j: spans[j][1] - spans[j][0])
        rows = self._columns[terms[rarest][0]].order[slice(*spans[rarest])]
        if terms[rarest][1] == "unequal":
            rows = rows[_holds(terms[rarest], self.records, rows)]
        for j, term in enumerate(terms):
            if j != rarest and len(rows):
                rows = rows[_holds(term, self.records, rows)]
        return len(rows)


class _Sorted:
    """Cells of a column in their order, missing ones behind all others."""

    def __init__(self, cells: NDArray[Any]) -> None:
        self.cells = cells

    @cached_property
    def order(self) -> Labels:
        keys = self.cells
        if keys.dtype.kind != "f":
            keys = np.where(keys < 0, np.iinfo(np.int64).max, keys)
        return np.argsort(keys, kind="stable")

    @cached_property
    def present(self) -> NDArray[Any]:
        cells = self.cells[self.order]
        missing = np.isnan(cells) if cells.dtype.kind == "f" else cells < 0
        return cells[: len(cells) - int(missing.sum())]

    def span(self, how: str, value: float) -> tuple[int, int]:
        """Between which places of the order a term holds, at most."""
        known = len(self.present)
        if how == "missing":
            return known, len(self.order)
        if how == "unequal":
            return 0, len(self.order)
        low, high = 0, known
        if how != "below":
            low = int(np.searchsorted(self.present, value, "left"))
        if how != "above":
            high = int(np.searchsorted(self.present, value, "right"))
        return low, high


def _holds(term: Term, records: Records, rows: Labels) -> NDArray[np.bool_]:
    name, how, value = term
    cells = records.cells[name][rows]
    held: NDArray[np.bool_]
    if how == "missing":
        held = np.isnan(cells) if records.numeric(name) else cells < 0
    elif how == "equal":
        held = cells == value
    elif how == "unequal":
        held = cells != value
    else:
        held = cells >= value if how == "above" else cells <= value
    return held
