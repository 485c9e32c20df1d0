"""Loss of tables of counts, of every order up to a given one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.loss.tables.counts import combine, difference
from tokumei.values.columns import shared
from tokumei.values.tables import label, of_columns, pair_of_tables, records


def ctbil(
    original: Any,
    masked: Any,
    *,
    max_order: int = 2,
    recodings: Mapping[Any, Mapping[Any, Any]] | None = None,
    average: bool = False,
) -> float:
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
        ``{column: {old: new}}`` for merged categories, as a recoding knows them. A published cell
        is then distributed over the cells of its members, in proportion to how often each occurs
        in `original`, column by column; otherwise a merged category is a category of its own.
    average : bool
        Divide by the number of cells of all tables.

    Returns
    -------
    float
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
    """
    before, after = pair_of_tables(original, masked, rows_match=False)
    max_order = _check.at_least(max_order, 1, "max_order")
    recoding_of = of_columns(recodings, before, "recodings")
    attributes = [
        CodedColumn.of(one, after[key], recoding_of.get(key), key) for key, one in before.items()
    ]
    total, count = distance_of_tables(attributes, max_order, records(before))
    return total / count if average else total


def distance_of_tables(
    attributes: Sequence[CodedColumn], max_order: int, rows: int
) -> tuple[float, int]:
    """CTBIL of attributes whose first `rows` records are the original ones, and its cells."""
    total, count = 0.0, 0
    for order in range(1, min(max_order, len(attributes)) + 1):
        for chosen in combinations(attributes, order):
            recoded = any(attribute.merging is not None for attribute in chosen)
            apart, cells_of_both = (_recoded if recoded else _plain)(chosen, rows)
            total += apart
            count += cells_of_both
    return total, count


def _plain(chosen: Sequence[CodedColumn], rows: int) -> tuple[float, int]:
    keys, most = combine([each.codes for each in chosen], [each.size for each in chosen])
    return difference(keys, most, rows)


def _recoded(chosen: Sequence[CodedColumn], rows: int) -> tuple[float, int]:
    """The same where published cells are distributed over their members.

    All published counts are distributed: the distance is that number plus, for each cell x of the
    original, what it gets of them: ``|x - expected| - expected``. Cells of the published table that
    the original lacks are counted without being laid out.
    """
    sizes = [each.size for each in chosen]
    own, _ = combine([each.codes[:rows] for each in chosen], sizes)
    _, first, count = np.unique(own, return_index=True, return_counts=True)
    merged, _ = combine([each.merged() for each in chosen], sizes)
    published, leader, size = np.unique(merged[rows:], return_index=True, return_counts=True)

    place = np.minimum(np.searchsorted(published, merged[first]), len(published) - 1)
    expected = np.where(published[place] == merged[first], size[place], 0).astype(np.float64)
    shared_cells = int(np.count_nonzero(expected))
    transition_cells = np.ones(len(published), dtype=np.int64)
    for each in chosen:
        if each.merging is not None:
            code = each.codes[:rows][first]
            expected = expected * each.merging.count[code] / each.merging.merged_count[code]
            transition_cells *= each.merging.members[each.codes[rows:][leader]]
    apart = len(merged) - rows + math.fsum(np.abs(count - expected) - expected)
    return apart, len(count) + int(transition_cells.sum()) - shared_cells


@dataclass(frozen=True)
class MergedCategories:
    """How a merged category is distributed over its members; one entry for each code."""

    merged_to: _check.Labels  # the code under which the category is published
    count: _check.Labels  # records of the category in the original
    merged_count: _check.Labels  # records of all categories that are published under its code
    members: _check.Labels  # categories of the original that are published under this code


@dataclass(frozen=True)
class CodedColumn:
    """The categories of one column, of the original records and then of the published ones."""

    codes: _check.Labels
    size: int
    rows: int
    merging: MergedCategories | None = None

    @classmethod
    def of(cls, column: Any, published: Any, recoding: Any, key: Any) -> CodedColumn:
        """Codes of a column before and after, and how merged categories are distributed."""
        names = [label("original", key), label("masked", key), label("recodings", key)]
        if recoding is None:
            parts, known = shared([column, published], names[:2])
            return cls(np.concatenate(parts), len(known), len(column))
        if not isinstance(recoding, Mapping) or not recoding:
            msg = f"{names[2]} must map old categories to new ones"
            raise TypeError(msg)
        (before, after, _), known = shared([column, published, list(recoding.values())], names)
        merging = _merged_categories(before, after, known, recoding, names[2])
        return cls(np.concatenate([before, after]), len(known), len(column), merging)

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
) -> MergedCategories:
    code_of = {value: code for code, value in enumerate(known)}
    merged_to = np.array([code_of[recoding.get(value, value)] for value in known], dtype=np.int64)
    size = len(known)
    targets = np.bincount(merged_to, minlength=size)
    left = int((targets[after] == 0).sum())
    if left:
        msg = f"{name} replaces the categories of {left} values that masked still has"
        raise ValueError(msg)
    count = np.bincount(before, minlength=size)
    members = np.bincount(merged_to[count > 0], minlength=size)
    return MergedCategories(
        merged_to=merged_to,
        count=count,
        merged_count=np.bincount(merged_to[before], minlength=size)[merged_to],
        members=np.maximum(members, 1),
    )
