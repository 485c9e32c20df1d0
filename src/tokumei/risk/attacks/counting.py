"""How many records each of many predicates holds for, without a look at all of them.

Every column is sorted once, so that the records for which a term holds lie side by side: a term is
a span of places in the order of its column. The records of a predicate's rarest term are asked for
its other terms, those of many predicates at once. O(n log n) for each column, and for each
predicate of t terms O(t log n) and what its rarest term leaves.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Labels
from tokumei._check.cached import cached_property
from tokumei.risk.attacks.records import Records

# A column, how its cell is compared, and with what.
Term = tuple[Hashable, str, float]
Predicate = tuple[Term, ...]  # terms that all hold

FIRST = 32  # records of a predicate that are asked before all of them
MOST = 1 << 19  # records that are asked at once


class Counted:
    """Records by the order of each of their columns."""

    def __init__(self, records: Records) -> None:
        self._rows = len(records)
        self._number = {name: j for j, name in enumerate(records.cells)}
        self._columns = [_Sorted(cells) for cells in records.cells.values()]

    def __len__(self) -> int:
        return self._rows

    def counts(self, predicates: Sequence[Predicate], most: int | None = None) -> Labels:
        """For how many records each of these predicates holds, all of as many terms.

        With `most` a count may be any number from there on where it is no smaller.
        """
        if not predicates:
            return np.zeros(0, dtype=np.int64)
        column, low, high, inside = self._terms(predicates)
        lengths = high - low
        if most is None:
            return self._held(column, low, high, inside, 0, lengths[:, 0])
        found = self._held(column, low, high, inside, 0, np.minimum(lengths[:, 0], FIRST))
        open = np.flatnonzero((found < most) & (lengths[:, 0] > FIRST))
        terms = column[open], low[open], high[open], inside[open]
        found[open] += self._held(*terms, FIRST, lengths[open, 0])
        return found

    def _terms(self, predicates: Sequence[Predicate]) -> tuple[Labels, Labels, Labels, Labels]:
        """Columns of terms, their spans, and whether it is inside that they hold: rarest first."""
        terms = [term for one in predicates for term in one]
        column = np.array([self._number[name] for name, _, _ in terms])
        how = np.array([how for _, how, _ in terms])
        value = np.array([value for _, _, value in terms])
        low, high = np.empty((2, len(terms)), dtype=np.int64)
        for j in np.unique(column):
            mine = np.flatnonzero(column == j)
            low[mine], high[mine] = self._columns[j].spans(how[mine], value[mine])
        inside = how != "unequal"
        found = (np.reshape(each, (len(predicates), -1)) for each in (column, low, high, inside))
        column, low, high, inside = found
        rarest = np.argsort(np.where(inside, high - low, self._rows), axis=1, kind="stable")
        column, low, high, inside = (
            np.take_along_axis(each, rarest, axis=1) for each in (column, low, high, inside)
        )
        # Of a predicate that is all of what is not, every record is asked.
        all_of = ~inside[:, :1]
        width = np.hstack([all_of, np.zeros_like(inside[:, 1:])])
        if width.any():
            column = np.hstack([column[:, :1], column])
            low = np.hstack([np.where(all_of, 0, low[:, :1]), low])
            high = np.hstack([np.where(all_of, self._rows, high[:, :1]), high])
            inside = np.hstack([np.ones_like(all_of), inside])
        return column, low, high, inside

    def _held(
        self,
        column: Labels,
        low: Labels,
        high: Labels,
        inside: Labels,
        begin: int,
        end: Labels,
    ) -> Labels:
        """For how many records of their first terms, from `begin` to `end`, all terms hold."""
        found = np.zeros(len(column), dtype=np.int64)
        lengths = np.maximum(end - begin, 0)
        block = np.cumsum(lengths) // MOST
        for each in np.unique(block):
            part = np.flatnonzero(block == each)
            of = np.repeat(part, lengths[part])
            within = np.arange(len(of)) - np.repeat(
                np.cumsum(lengths[part]) - lengths[part], lengths[part]
            )
            rows = self._orders[column[of, 0], low[of, 0] + begin + within]
            for j in range(1, column.shape[1]):
                place = self._places[column[of, j], rows]
                holds = ((low[of, j] <= place) & (place < high[of, j])) == inside[of, j]
                of, rows = of[holds], rows[holds]
            found += np.bincount(of, minlength=len(found))
        return found

    @cached_property
    def _orders(self) -> NDArray[np.int32]:
        """The record at each place of each column's order."""
        return np.array([each.order for each in self._columns], dtype=np.int32)

    @cached_property
    def _places(self) -> NDArray[np.int32]:
        """The place of each record in each column's order."""
        places = np.empty_like(self._orders)
        np.put_along_axis(places, self._orders, np.arange(self._rows, dtype=np.int32)[None, :], 1)
        return places


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

    def spans(self, how: NDArray[Any], value: NDArray[Any]) -> tuple[Labels, Labels]:
        """Between which places of the order terms hold; unequal ones where they do not."""
        known = len(self.present)
        low = np.searchsorted(self.present, value, "left")
        high = np.searchsorted(self.present, value, "right")
        low[how == "below"], high[how == "above"] = 0, known
        missing = how == "missing"
        if self.cells.dtype.kind != "f":
            missing |= (how == "unequal") & (value < 0)
        low[missing], high[missing] = known, len(self.order)
        return low, high
