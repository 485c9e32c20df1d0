"""Loss of tables of counts, of every order up to a given one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.loss.tables.counts import combine, difference, total, weighed
from tokumei.recode.recoding import Recoding
from tokumei.values.columns import shared
from tokumei.values.tables import label, of_columns, pair_of_tables, records


def ctbil(
    original: Any,
    masked: Any,
    *,
    max_order: int = 2,
    recodings: Mapping[Any, Recoding | Mapping[Any, Any]] | None = None,
    average: bool | Literal["occurring", "full"] = False,
    by_order: bool = False,
    record_weights: ArrayLike | None = None,
) -> float | dict[int, float]:
    """Contingency-table-based information loss: how far the tables of counts moved.

    For every set of at most `max_order` columns the records are counted by their combination of
    values, before and after, and the absolute differences of the counts are summed over the cells.
    A cell is a combination that occurs in `original`, in `masked`, or in both; others would add
    nothing, so the tables are never laid out in full. Values are compared by their label.

    Parameters
    ----------
    original, masked : table
        Mappings of columns, dataframes, or arrays of two dimensions, with the same columns. Every
        distinct value is a category. The records need not correspond, nor be equally many.
    max_order : int
        The largest number of columns that are tabulated together.
    recodings : mapping, optional
        ``{column: recoding}`` for merged categories, each a `recode.Recoding` or a mapping
        ``{old: new}``. A published cell
        is then distributed over the cells of its members, in proportion to how often each occurs
        in `original`, column by column; otherwise a merged category is a category of its own.
    average : bool or {"occurring", "full"}
        Divide by the number of cells of all tables: of those that occur in one of the two (True),
        or of all that the tables would have laid out in full.
    by_order : bool
        Return the loss of the tables of one column, of two, and so on, as ``{order: loss}``.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for, where records do correspond: tables
        count it as so many.

    Returns
    -------
    float or dict
        0 where all tables are equal; with n records in each table at most 2n times the number of
        sets of columns.

    Examples
    --------
    >>> import tokumei as tk
    >>> before = {"job": ["farm", "wood", "shop"], "sex": ["f", "m", "m"]}
    >>> after = {"job": ["field", "field", "shop"], "sex": ["f", "m", "m"]}
    >>> tk.loss.ctbil(before, after)  # 4 for job, 0 for sex, 4 for both
    8.0
    >>> merged = {"job": {"farm": "field", "wood": "field"}}
    >>> tk.loss.ctbil(before, after, recodings=merged)  # farm and wood are half of each field
    2.0
    >>> tk.loss.ctbil(before, after, by_order=True)
    {1: 4.0, 2: 4.0}
    >>> tk.loss.ctbil(before, after, average=True), tk.loss.ctbil(before, after, average="full")
    (0.7272727272727273, 0.5714285714285714)
    """
    before, after = pair_of_tables(original, masked, rows_match=record_weights is not None)
    max_order = _check.at_least(max_order, 1, "max_order")
    weights = weighed(record_weights, records(before))
    recoding_of = of_columns(recodings, before, "recodings")
    attributes = [
        CodedColumn.of(one, after[key], recoding_of.get(key), key, weights)
        for key, one in before.items()
    ]
    if average not in (True, False):
        _check.one_of(str(average), ("occurring", "full"), "average")
    _check.flag(by_order, "by_order")
    orders = distances_by_order(attributes, max_order, records(before), weights)

    def divided(found: Sequence[OrderDistance]) -> float:
        cells = sum(each.full if average == "full" else each.occurring for each in found)
        moved = sum(each.apart for each in found)
        return moved / cells if average else moved

    if by_order:
        return {order: divided([found]) for order, found in orders.items()}
    return divided(list(orders.values()))


@dataclass(frozen=True)
class OrderDistance:
    """How far all tables of so many columns are apart, and how many cells they have."""

    apart: float
    occurring: int  # cells with a record before or after
    full: int  # cells of the tables laid out


def distances_by_order(
    attributes: Sequence[CodedColumn],
    max_order: int,
    rows: int,
    weights: _check.Floats | None = None,
) -> dict[int, OrderDistance]:
    """CTBIL of attributes whose first `rows` records are the original ones, by order."""
    found = {}
    for order in range(1, min(max_order, len(attributes)) + 1):
        moved, count, full = 0.0, 0, 0
        for chosen in combinations(attributes, order):
            recoded = any(attribute.merging is not None for attribute in chosen)
            apart, cells_of_both = (_recoded if recoded else _plain)(chosen, rows, weights)
            moved += apart
            count += cells_of_both
            full += math.prod(each.categories() for each in chosen)
        found[order] = OrderDistance(moved, count, full)
    return found


def distance_of_tables(
    attributes: Sequence[CodedColumn],
    max_order: int,
    rows: int,
    weights: _check.Floats | None = None,
) -> tuple[float, int]:
    """CTBIL of all orders, and its cells."""
    found = distances_by_order(attributes, max_order, rows, weights).values()
    return sum(each.apart for each in found), sum(each.occurring for each in found)


def _plain(
    chosen: Sequence[CodedColumn], rows: int, weights: _check.Floats | None
) -> tuple[float, int]:
    keys, most = combine([each.codes for each in chosen], [each.size for each in chosen])
    return difference(keys, most, rows, weights)


def _recoded(
    chosen: Sequence[CodedColumn], rows: int, weights: _check.Floats | None
) -> tuple[float, int]:
    """The same where published cells are distributed over their members.

    All published counts are distributed: the distance is that number plus, for each cell x of the
    original, what it gets of them: ``|x - expected| - expected``. Cells of the published table that
    the original lacks are counted without being laid out.
    """
    sizes = [each.size for each in chosen]
    own, _ = combine([each.codes[:rows] for each in chosen], sizes)
    _, first, at = np.unique(own, return_index=True, return_inverse=True)
    count = np.bincount(at, weights)
    merged, _ = combine([each.merged() for each in chosen], sizes)
    published, leader, at = np.unique(merged[rows:], return_index=True, return_inverse=True)
    size = np.bincount(at, weights)

    place = np.minimum(np.searchsorted(published, merged[first]), len(published) - 1)
    expected = np.where(published[place] == merged[first], size[place], 0).astype(np.float64)
    shared_cells = int(np.count_nonzero(expected))
    transition_cells = np.ones(len(published), dtype=np.int64)
    for each in chosen:
        if each.merging is not None:
            code = each.codes[:rows][first]
            everyone = np.maximum(each.merging.merged_count[code], np.finfo(np.float64).tiny)
            expected = expected * each.merging.count[code] / everyone
            transition_cells *= each.merging.members[each.codes[rows:][leader]]
    apart = total(weights, len(merged) - rows) + math.fsum(np.abs(count - expected) - expected)
    return apart, len(count) + int(transition_cells.sum()) - shared_cells


@dataclass(frozen=True)
class MergedCategories:
    """How a merged category is distributed over its members; one entry for each code."""

    merged_to: _check.Labels  # the code under which the category is published
    count: Any  # records of the category in the original
    merged_count: Any  # records of all categories that are published under its code
    members: _check.Labels  # categories of the original that are published under this code


@dataclass(frozen=True)
class CodedColumn:
    """The categories of one column, of the original records and then of the published ones."""

    codes: _check.Labels
    size: int
    rows: int
    merging: MergedCategories | None = None

    @classmethod
    def of(
        cls,
        column: Any,
        published: Any,
        recoding: Any,
        key: Any,
        weights: _check.Floats | None = None,
    ) -> CodedColumn:
        """Codes of a column before and after, and how merged categories are distributed."""
        names = [label("original", key), label("masked", key), label("recodings", key)]
        if recoding is None:
            parts, known = shared([column, published], names[:2])
            return cls(np.concatenate(parts), len(known), len(column))
        if isinstance(recoding, Recoding):
            recoding = recoding.mapping
        if not isinstance(recoding, Mapping) or not recoding:
            msg = f"{names[2]} must map old categories to new ones"
            raise TypeError(msg)
        (before, after, _), known = shared([column, published, list(recoding.values())], names)
        merging = _merged_categories(before, after, known, recoding, names[2], weights)
        return cls(np.concatenate([before, after]), len(known), len(column), merging)

    def categories(self) -> int:
        """How many categories there are, merged ones as their members."""
        present = np.bincount(self.codes[: self.rows], minlength=self.size) > 0
        published = np.bincount(self.codes[self.rows :], minlength=self.size) > 0
        if self.merging is not None:
            spread = np.bincount(self.merging.merged_to[present], minlength=self.size) > 0
            published &= ~spread
        return int(np.count_nonzero(present | published))

    def merged(self) -> _check.Labels:
        """Codes of all records as they are published or would be."""
        if self.merging is None:
            return self.codes
        before, after = self.codes[: self.rows], self.codes[self.rows :]
        return np.concatenate([self.merging.merged_to[before], after])


def _merged_categories(
    before: _check.Labels,
    after: _check.Labels,
    known: Sequence[Any],
    recoding: Mapping[Any, Any],
    name: str,
    weights: _check.Floats | None,
) -> MergedCategories:
    code_of = {value: code for code, value in enumerate(known)}
    merged_to = np.array([code_of[recoding.get(value, value)] for value in known], dtype=np.int64)
    size = len(known)
    targets = np.bincount(merged_to, minlength=size)
    left = int((targets[after] == 0).sum())
    if left:
        msg = f"{name} replaces the categories of {left} values that masked still has"
        raise ValueError(msg)
    count = np.bincount(before, weights, size)
    members = np.bincount(merged_to[count > 0], minlength=size)
    return MergedCategories(
        merged_to=merged_to,
        count=count,
        merged_count=np.bincount(merged_to[before], weights, size)[merged_to],
        members=np.maximum(members, 1),
    )
