"""Quasi-identifiers on the scale of the whole table, whichever piece of it they are read from.

A block of records knows nothing of the others. What depends on all of them is found once, in the
plan, from exact statistics: means and deviations, weights of categories, decimals to keep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Floats, Run
from tokumei.batch.statistics import (
    MOST_CATEGORIES,
    OfCategories,
    OfMoments,
    OfNumbers,
    Statistics,
)
from tokumei.batch.texts import Reading
from tokumei.microaggregation import records
from tokumei.release.errors import InputError, counted
from tokumei.release.io.times import is_of_time
from tokumei.release.kinds import free_text
from tokumei.release.mask import encode, moments
from tokumei.release.mask.forms import Form, Numbers
from tokumei.release.mask.quasi_identifiers import NumericColumn, QuasiIdentifier
from tokumei.release.mask.step import Microaggregate
from tokumei.release.schema import Columns
from tokumei.values.column import Column

T = pa.types
# Categories by their number in the piece's own list; -1 is missing.
MISSING = -1


@dataclass(frozen=True)
class Attribute:
    """One quasi-identifier: how its cells become coordinates to cut and terms of a distance.

    `mean` and `deviation` are of its numbers or ranks; `ranks` of its categories by frequency;
    `weight` makes the variance of its codes 1; `missing` is the share of records that miss it.
    """

    name: str
    kind: str
    form: Form | None = None
    mean: float = 0.0
    deviation: float = 0.0
    missing: float = 0.0
    weight: float = 0.0
    ranks: Mapping[str, int] = field(default_factory=dict)

    @property
    def scale(self) -> float:
        """What brings its coordinates to variance 1; 0 where they do not vary."""
        return 1.0 / self.deviation if self.deviation > 0 else 0.0

    @property
    def varies(self) -> bool:
        return self.deviation > 0

    def coordinates(self, one: QuasiIdentifier) -> Floats:
        """A number a record, by which blocks are cut; where it is missing, the mean."""
        if isinstance(one, NumericColumn):
            values = one.values
        elif self.kind == "ordinal":
            values = np.where(one.codes < 0, np.nan, one.codes.astype(np.float64))
        else:
            known = [float(self.ranks.get(name, 0)) for name in one.names]
            return np.array([*known, self.mean])[one.codes]
        absent = np.isnan(values)
        return np.where(absent, self.mean, values) if absent.any() else values

    def embedded(self, one: QuasiIdentifier, policy: str, run: Run) -> records.Embedded:
        """Its terms of the distance of two records, as in a table that holds them all."""
        if not self.varies:
            return records.Embedded()
        if self.kind in ("nominal", "tree"):
            return replace(one.in_records(policy, run), weight=self.weight)
        values = self.coordinates(one)
        columns = ((values - self.mean) / self.deviation)[:, None]
        if not self.missing:
            return records.Embedded(columns)
        absent = np.isnan(one.values) if isinstance(one, NumericColumn) else one.codes < 0
        total = 1.0 - self.missing
        if policy == "category":
            spread = (self.missing * (1.0 - self.missing)) ** 0.5
            columns = np.column_stack([columns, (absent - self.missing) / spread])
            total += 1.0
        return records.Embedded(columns / np.sqrt(total))

    def of_piece(self, one: QuasiIdentifier) -> QuasiIdentifier:
        """The column of a piece, published in the form of the whole."""
        if isinstance(one, NumericColumn) and self.form is not None:
            return replace(one, form=self.form)
        return one


def read(table: Any, columns: Columns, step: Microaggregate) -> list[QuasiIdentifier]:
    """The quasi-identifiers of an Arrow table, or what is wrong with them."""
    # The form of the numbers is that of the whole table, and is not looked for in a piece.
    return encode.quasi_identifiers(table, columns, replace(step, round="none"), {})


def statistics_of(one: QuasiIdentifier, cells: Any) -> Statistics:
    """What is counted of a quasi-identifier in one piece."""
    if isinstance(one, NumericColumn) and one.kind == "date":
        present = one.values[~np.isnan(one.values)]
        return OfMoments(OfNumbers.of(one.values, np.float64), moments.grid_of(present))
    if isinstance(one, NumericColumn):
        kind = cells.type.to_pandas_dtype() if T.is_floating(cells.type) else np.float64
        return OfNumbers.of(one.values, kind)
    if one.kind == "ordinal":
        ranks = np.where(one.codes < 0, np.nan, one.codes.astype(np.float64))
        return OfNumbers.of(ranks, np.float64)
    found = np.bincount(one.codes + 1, minlength=len(one.names) + 1).tolist()
    names: list[object] = [None, *one.names]
    counts = OfCategories()
    counts.counts.update({name: n for name, n in zip(names, found, strict=True) if n})
    return counts


def attribute_of(
    one: QuasiIdentifier, kind: Any, found: Statistics, step: Microaggregate
) -> Attribute:
    """An attribute from the statistics of the whole table; `one` is its column in any piece."""
    if isinstance(found, OfCategories):
        return _categorical(one, found, step.missing)
    form: Form | None = None
    if isinstance(found, OfMoments):
        asked_for = step.resolution.get(one.name, "auto")
        form = moments.form_by(kind, found.grid, found.numbers.deviation**2, asked_for)
        found = found.numbers
    elif isinstance(one, NumericColumn):
        form = _form(kind, found.decimals, step.round)
    rows = found.present + found.missing
    return Attribute(
        one.name, one.kind, form, found.mean, found.deviation, found.missing / max(rows, 1)
    )


def _categorical(one: Any, found: OfCategories, policy: str) -> Attribute:
    counts = {str(name): n for name, n in found.counts.items() if name is not None}
    rows = found.counts.total()
    often = sorted(counts, key=lambda name: (-counts[name], name))
    ranks = {name: place for place, name in enumerate(often)}
    mean = sum(ranks[name] * n for name, n in counts.items()) / max(rows - found.missing, 1)
    square = sum((ranks[name] - mean) ** 2 * n for name, n in counts.items()) / max(rows, 1)
    if one.hierarchy is None:
        columns = [list(counts.values()) + [found.missing] * (policy == "category")]
    else:
        levels = records.levels_of(one.hierarchy.tree.edges_above(), policy)
        of_node = np.array([*(counts.get(name, 0) for name in one.names), found.missing])
        columns = [
            np.bincount(level[level >= 0], of_node[level >= 0]).astype(np.int64).tolist()
            for level in levels.T
        ]
    total = sum(_apart(column, rows) for column in columns if sum(n > 0 for n in column) > 1)
    return Attribute(
        one.name,
        one.kind,
        mean=mean,
        deviation=square**0.5 if total else 0.0,
        missing=found.missing / max(rows, 1),
        weight=rows * rows / total if total else 0.0,
        ranks=ranks,
    )


def _apart(counts: Sequence[int], rows: int) -> int:
    """The ordered pairs of records that a column of codes tells apart."""
    return rows * sum(counts) - sum(n * n for n in counts)


def _form(kind: Any, decimals: int | None, rounding: str) -> Numbers:
    """The form of numbers of that type in all of a column, as `mask.forms` finds it in a table."""
    if is_of_time(kind):
        return Numbers(kind, 0)
    if rounding == "none" or T.is_boolean(kind):
        return Numbers(kind if T.is_floating(kind) else pa.float64())
    if T.is_decimal(kind):
        return Numbers(kind, kind.scale)
    return Numbers(kind, 0 if T.is_integer(kind) else decimals)


def resolved(
    columns: Columns, types: Mapping[str, Any], readings: Mapping[str, Reading]
) -> Columns:
    """The kinds of the quasi-identifiers by their types, so that each piece sees the same ones."""
    known = {**columns.kinds}
    for name, kind in types.items():
        if name in known or name in columns.orders or name in columns.trees:
            continue
        if name in readings and readings[name].type is None:
            known[name] = readings[name].kind  # type: ignore[assignment]
            continue
        number = T.is_integer(kind) or T.is_floating(kind) or T.is_decimal(kind)
        known[name] = "numeric" if number or is_of_time(kind) else "nominal"
        if T.is_temporal(kind) and not is_of_time(kind):
            known[name] = "date"
    return replace(columns, kinds=known)


def check_categories(name: str, found: OfCategories, columns: Columns) -> None:
    """Refuse texts that are no categories: numbers, dates, words that differ in most records."""
    if name in columns.kinds or name in columns.trees:
        return
    known = [value for value in found.counts if value is not None]
    column = Column(pa.array([str(value) for value in known], pa.string()))
    rows = found.counts.total()
    fault = free_text(column) if 2 * len(known) > rows - found.missing else ""
    if fault or len(known) > MOST_CATEGORIES:
        msg = f"column {name!r} has {counted(len(known), 'category')}: no list of categories"
        raise InputError(msg)
