"""Tables of numbers and categories, as records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.microaggregation import records
from tokumei.microaggregation.records import Embedded, Table
from tokumei.microaggregation.standardize import standardize_of
from tokumei.values.column import Column
from tokumei.values.columns import coded, numbers
from tokumei.values.tables import label, split, table


def scaled_records(values: Any, categorical: Iterable[Any] | None) -> Table:
    """What `mdav` and the like take, as distances see it."""
    values, _ = _check.collected(values)
    if categorical is None and not is_mixed(values):
        return _check.scaled_table(values)
    return records.in_scale(records_of(values, categorical, None))


def is_mixed(values: Any) -> bool:
    """Whether it is a table of named columns of which some hold no numbers."""
    named = isinstance(values, Mapping) or hasattr(values, "columns")
    if not named or not hasattr(values, "__getitem__"):
        return False
    return any(
        Column(one).kind not in ("numeric", "boolean") for one in split(values, "X").values()
    )


def records_of(values: Any, categorical: Iterable[Any] | None, weights: Any) -> Table:
    """The records of a table with categories in the columns named, or in those without numbers.

    Numbers are as they come; categories, and the ranks of ordered ones, have total variance 1.
    """
    columns = table(values, "X")
    nominal = nominal_columns(columns, categorical)
    run = _check.run(1)
    attributes = []
    for name, column in columns.items():
        where = label("X", name)
        if name in nominal:
            attributes.append(records.nominal(coded(column, where)[0], "refuse"))
        elif column.kind == "ordered":
            ranks = coded(column, where)[0].astype(np.float64)
            attributes.append(records.numeric(ranks, "refuse", run))
        else:
            attributes.append(Embedded(numbers(column, where)[:, None]))
    rows = len(next(iter(columns.values())))
    scales = None
    if weights is not None:
        scales = _check.weights(weights, len(columns), "attribute_weights")
    return records.join(attributes, rows, scales)


def standardized(values: Any, categorical: Iterable[Any] | None, run: _check.Run) -> dict[Any, Any]:
    """The columns of a table with categories, numbers standardized, all others as they are."""
    columns = table(values, "X")
    nominal = nominal_columns(columns, categorical)
    found = dict(split(values, "X"))
    for name, column in columns.items():
        if name not in nominal and column.kind != "ordered":
            one = np.asfortranarray(numbers(column, label("X", name))[:, None])
            found[name] = standardize_of(one, run)[:, 0]
    return found


def nominal_columns(columns: Mapping[Any, Column], categorical: Iterable[Any] | None) -> set[Any]:
    """The names of those that hold categories without an order."""
    if categorical is None:
        return {name for name, column in columns.items() if column.kind == "nominal"}
    if isinstance(categorical, str | bytes) or not isinstance(categorical, Iterable):
        msg = f"categorical must be a list of columns, got {type(categorical).__name__}"
        raise TypeError(msg)
    named = set(categorical)
    unknown = len(named - columns.keys())
    if unknown:
        msg = f"categorical names {unknown} columns that X does not have"
        raise ValueError(msg)
    return named
