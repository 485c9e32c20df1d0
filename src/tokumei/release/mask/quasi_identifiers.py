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
from tokumei.values.hierarchy import Hierarchy


@dataclass(frozen=True)
class Groups:
    """The group of each record, how many there are, and how much each record counts in a mean."""

    labels: Labels
    count: int
    weights: Floats | None = None


@dataclass(frozen=True)
class Published:
    """A masked column: cells given one by one, or rows of the column as it was, taken again."""

    cells: list[Any] | None = None
    rows: Labels | None = None
    numeric: bool = False

    def in_arrow(self, column: Any) -> Any:
        """Its cells as an Arrow column, `column` being the one as it was."""
        if self.rows is not None:
            return column.take(pa.array(self.rows))
        return pa.array(self.cells, pa.float64() if self.numeric else pa.string())


@dataclass(frozen=True)
class NumericColumn:
    """A numeric quasi-identifier; NaN is missing."""

    name: str
    values: Floats
    how: str = "mean"
    kind: str = "numeric"

    def in_records(self, missing: str, run: Run) -> records.Embedded:
        return records.numeric(self.values, missing, run)

    def publish(self, groups: Groups, missing: str, run: Run) -> Published:
        present = ~np.isnan(self.values)
        missed = _missed_in(present, groups, missing)
        values, labels = self.values[present], groups.labels[present]
        if self.how == "interval":
            texts = representatives.intervals(values, labels, groups.count)
            return Published(_cells(texts, missed, groups.labels))
        weights = None if groups.weights is None else groups.weights[present]
        of_group = np.zeros(groups.count)
        if len(values):
            if weights is not None:
                weights = checked_weights(weights, labels, self.how)
            column = np.asfortranarray(values[:, None])
            masked = aggregate_of(column, labels, groups.count, self.how, weights, run)
            of_group[labels] = masked[:, 0]
        # -0.0 + 0.0 is 0.0: one zero, not two that look different.
        return Published(_cells((of_group + 0.0).tolist(), missed, groups.labels), numeric=True)

    def original(self) -> Any:
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
        return Published(_cells(texts, missed, groups.labels))

    def original(self) -> Any:
        return self.texts


QuasiIdentifier = NumericColumn | CategoricalColumn


def _missed_in(present: Any, groups: Groups, missing: str) -> Any:
    """The groups that publish that the value is missing."""
    values = np.bincount(groups.labels[present], minlength=groups.count)
    if missing == "category":
        return values * 2 < np.bincount(groups.labels, minlength=groups.count)
    return values == 0


def _cells(of_group: Sequence[Any], missed: Any, labels: Labels) -> list[Any]:
    published = [None if none else value for value, none in zip(of_group, missed, strict=True)]
    return [published[group] for group in labels.tolist()]
