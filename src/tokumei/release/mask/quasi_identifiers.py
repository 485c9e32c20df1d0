"""Quasi-identifiers by their kind: what each is as coordinates, and what a group of it publishes.

A group publishes one value for all its records, or for all of them that it is missing: cells that
are missing never tell the records of a group apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Floats, Labels, Run
from tokumei.microaggregation import records
from tokumei.microaggregation.publish import representatives
from tokumei.microaggregation.publish.aggregate import aggregate_of, checked_weights
from tokumei.release.mask.forms import Form
from tokumei.values.hierarchy import Hierarchy


@dataclass(frozen=True)
class Groups:
    """The group of each record, how many there are, and how much each record counts in a mean."""

    labels: Labels
    count: int
    weights: Floats | None = None


@dataclass(frozen=True)
class Published:
    """A masked column: cells of Arrow, or rows of the column as it was, taken again."""

    cells: Any = None
    rows: Labels | None = None

    def in_arrow(self, column: Any) -> Any:
        """Its cells as an Arrow column, `column` being the one as it was."""
        if self.rows is not None:
            return column.take(pa.array(self.rows))
        return self.cells


@dataclass(frozen=True)
class NumericColumn:
    """A quasi-identifier of numbers, or of moments in microseconds; NaN is missing.

    What groups publish is given its `form`; the gate compares it with `cells`, the numbers where
    there are none.
    """

    name: str
    values: Floats
    form: Form
    how: str = "mean"
    kind: str = "numeric"
    source: Any = field(default=None, compare=False)

    def in_records(self, missing: str, run: Run) -> records.Embedded:
        return records.numeric(self.values, missing, run)

    def publish(self, groups: Groups, missing: str, run: Run) -> Published:
        values, labels, weights = self.values, groups.labels, groups.weights
        missed = np.zeros(groups.count, dtype=bool)
        if len(values) and np.isnan(values.min()):
            present = ~np.isnan(values)
            missed = _missed_in(present, groups, missing)
            values, labels = values[present], labels[present]
            weights = None if weights is None else weights[present]
        if self.how == "interval":
            return Published(_cells(self._intervals(values, labels, groups.count), missed, groups))
        of_group = np.zeros(groups.count)
        if len(values):
            if weights is not None:
                weights = checked_weights(weights, labels, self.how)
            column = np.asfortranarray(values[:, None])
            masked = aggregate_of(column, labels, groups.count, self.how, weights, run)
            of_group[labels] = masked[:, 0]
        return Published(_cells(self.form.cells(of_group), missed, groups))

    def _intervals(self, values: Floats, labels: Labels, count: int) -> Any:
        if self.kind != "date" or not len(values):
            return representatives.intervals(values, labels, count)
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(low, labels, values)
        np.maximum.at(high, labels, values)
        some = np.isfinite(low)
        ends = [
            self.form.cells(np.where(some, each, 0.0)).cast(pa.string()).to_pylist()
            for each in (low, high)
        ]
        return [representatives.interval_text(pair) for pair in zip(*ends, strict=True)]

    def original(self) -> Any:
        if self.source is not None:
            return self.source
        return pa.array(self.values, mask=np.isnan(self.values))


@dataclass(frozen=True)
class CategoricalColumn:
    """A nominal, ordinal or tree quasi-identifier; code -1 is missing.

    ``names`` are the categories as text, in their order; ``rows`` a row of the table for each.
    """

    name: str
    kind: str
    how: str
    codes: Labels
    names: Sequence[str]
    rows: Labels
    hierarchy: Hierarchy | None = None
    texts: Any = field(default=None, compare=False)

    def in_records(self, missing: str, run: Run) -> records.Embedded:
        if self.kind == "ordinal":
            return records.numeric(np.where(self.codes < 0, np.nan, self.codes), missing, run)
        if self.hierarchy is not None:
            return records.tree(self.codes, self.hierarchy.tree.edges_above(), missing)
        return records.nominal(self.codes, missing)

    def publish(self, groups: Groups, missing: str, run: Run) -> Published:
        present = self.codes >= 0
        missed = _missed_in(present, groups, missing)
        codes, labels, count = self.codes[present], groups.labels[present], groups.count
        if self.how in ("mode", "median") and len(codes):
            pick = representatives.modes if self.how == "mode" else representatives.lower_medians
            rows = self.rows[pick(codes, labels, count)]
            if missed.any():
                rows = np.where(missed, int(np.argmin(present)), rows)
            return Published(rows=rows[groups.labels])
        if not len(codes):
            return Published(rows=np.zeros(len(self.codes), dtype=np.int64))
        if self.hierarchy is not None and self.how == "ancestor":
            met = self.hierarchy.tree.meetings(codes, labels, count)
            texts = [self.names[node] if node >= 0 else "" for node in met]
        elif self.how == "interval":
            low, high = representatives.spans(codes, labels, count)
            texts = [
                representatives.interval_text((self.names[a], self.names[b]))
                for a, b in zip(low, high, strict=True)
            ]
        else:
            texts = [
                representatives.set_text([self.names[code] for code in part]) if len(part) else ""
                for part in representatives.members(codes, labels, count)
            ]
        return Published(_cells(texts, missed, groups))

    def original(self) -> Any:
        return self.texts


QuasiIdentifier = NumericColumn | CategoricalColumn


def _missed_in(present: Any, groups: Groups, missing: str) -> Any:
    """The groups that publish that the value is missing."""
    values = np.bincount(groups.labels[present], minlength=groups.count)
    if missing == "category":
        return values * 2 < np.bincount(groups.labels, minlength=groups.count)
    return values == 0


def _cells(of_group: Any, missed: Any, groups: Groups) -> Any:
    """The cell of each record: that of its group, or none."""
    cells = of_group if isinstance(of_group, pa.Array) else pa.array(of_group, pa.string())
    mask = missed[groups.labels] if missed.any() else None
    if mask is None and not cells.null_count and pa.types.is_floating(cells.type):
        return pa.array(np.asarray(cells).take(groups.labels))
    return cells.take(pa.array(groups.labels, mask=mask))
