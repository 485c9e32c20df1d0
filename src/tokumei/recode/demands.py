"""What is asked of every group beside its size, as the kernel takes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from tokumei._check import Floats, Labels
from tokumei.privacy import KAnonymity, LDiversity, MinHouseholds, Model, TCloseness
from tokumei.values.columns import coded, ranked
from tokumei.values.tables import label


@dataclass(frozen=True, eq=False)
class Demand:
    """A model and the values it looks at: the distinct pairs of a row and a value's code."""

    DISTINCT: ClassVar[int] = 0
    EQUAL_DISTANCE: ClassVar[int] = 1
    ORDERED_DISTANCE: ClassVar[int] = 2

    kind: int
    limit: float
    shares: Floats
    rows: Labels
    codes: Labels
    counts: Labels

    def within(self, rows: Labels) -> Demand:
        """The same for some of the rows, numbered by their places among these."""
        place = np.full(int(self.rows.max()) + 1, -1)
        place[rows] = np.arange(len(rows))
        new = place[self.rows]
        here = new >= 0
        return replace(self, rows=new[here], codes=self.codes[here], counts=self.counts[here])


def least_records(k: int, models: Iterable[Model]) -> int:
    """The least size of a group, by k itself and by models of it."""
    return max([k, *(model.k for model in models if isinstance(model, KAnonymity))])


def demands_of(
    models: Iterable[Model], columns: Mapping[Any, Any], row_of: Labels
) -> tuple[Demand, ...]:
    """The models that look at values of a column; `row_of` is the distinct row of each record."""
    return tuple(
        _demand(model, columns, row_of) for model in models if not isinstance(model, KAnonymity)
    )


def _demand(model: Model, columns: Mapping[Any, Any], row_of: Labels) -> Demand:
    if isinstance(model, LDiversity) and model.kind == "distinct":
        kind, limit = Demand.DISTINCT, float(model.l)
    elif isinstance(model, MinHouseholds):
        kind, limit = Demand.DISTINCT, float(model.count)
    elif isinstance(model, TCloseness) and model.kind != "hierarchical":
        ordered = model.kind == "ordered"
        kind, limit = (Demand.ORDERED_DISTANCE if ordered else Demand.EQUAL_DISTANCE), model.t
    else:
        kind_of = f" of kind {model.kind!r}" if hasattr(model, "kind") else ""
        called = f"{type(model).__name__}{kind_of}"
        msg = f"models holds a {called}, which the search cannot promise"
        raise TypeError(msg)
    if model.column not in columns:
        msg = "models names a column that data does not have"
        raise ValueError(msg)
    name = label("data", model.column)
    codes, known = coded(columns[model.column], name)
    counts = np.bincount(codes, minlength=len(known))
    if kind == Demand.ORDERED_DISTANCE:
        every, places = ranked(known, counts, None, name)
        codes = places[codes]
        counts = np.bincount(codes, minlength=len(every))
    pairs, sizes = np.unique(row_of * len(counts) + codes, return_counts=True)
    return Demand(
        kind=kind,
        limit=limit,
        shares=counts / len(codes),
        rows=pairs // len(counts),
        codes=pairs % len(counts),
        counts=sizes,
    )
