"""Quasi-identifiers from columns: numbers, or categories with codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei._check import Floats
from tokumei.release.errors import InputError, as_input_error, counted
from tokumei.release.io.frames import Frame, columns_of, without_dictionary
from tokumei.release.kinds import fault_of, kind_of
from tokumei.release.mask.quasi_identifiers import (
    CategoricalColumn,
    NumericColumn,
    QuasiIdentifier,
)
from tokumei.release.schema import Columns
from tokumei.values.column import Column
from tokumei.values.columns import ranked
from tokumei.values.hierarchy import Hierarchy

# The representatives of each kind; the first is the one where none is asked for.
HOWS = {
    "numeric": ("mean", "median", "interval"),
    "ordinal": ("median", "mode", "interval", "set"),
    "nominal": ("mode", "set"),
    "tree": ("ancestor", "mode", "set"),
}


def quasi_identifiers(table: Any, columns: Columns, step: Any) -> list[QuasiIdentifier]:
    """The columns of an Arrow table by their kinds, or an error that names all that cannot be."""
    found: list[QuasiIdentifier] = []
    faults = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        with as_input_error(f"column {name!r} cannot be read"):
            one, fault = _quasi_identifier(name, Column(column), columns, step)
        if fault:
            faults.append(f"column {name!r} has {fault}")
        found.append(one)
    if faults:
        raise InputError("; ".join(faults))
    return found


def _quasi_identifier(
    name: str, column: Column, columns: Columns, step: Any
) -> tuple[QuasiIdentifier, str]:
    kind = kind_of(name, column, columns)
    how = step.represent.get(name, HOWS[kind][0])
    if how not in HOWS[kind]:
        msg = f"column {name!r} is {kind}: it is represented by {' or '.join(HOWS[kind])}"
        raise InputError(msg)
    if kind == "numeric":
        values, invalid = column.asked_for_numbers()
        return NumericColumn(name, values, how), fault_of(values, invalid, step.missing)
    absent = int(column.missing.sum())
    fault = counted(absent, "missing value") if absent and step.missing == "refuse" else ""
    return _categories(name, kind, how, column, columns), fault


def _categories(
    name: str, kind: str, how: str, column: Column, columns: Columns
) -> CategoricalColumn:
    """Codes in the order of the categories, and the first row of each."""
    known, present = column.categories, np.flatnonzero(~column.missing)
    counts = np.bincount(column.codes[present], minlength=len(known))
    names: Sequence[Any]
    hierarchy: Hierarchy | None = None
    try:
        if kind == "tree":
            hierarchy = columns.trees[name]
            places = hierarchy.find(known, counts, f"column {name!r}")
            names = hierarchy.nodes
        else:
            order = columns.orders.get(name, known if column.kind == "ordered" else None)
            names, places = ranked(known, counts, order, f"column {name!r}")
    except (TypeError, ValueError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    codes = np.append(places, -1)[column.codes]
    rows = np.full(len(names), -1, dtype=np.int64)
    rows[codes[present][::-1]] = present[::-1]
    cells = without_dictionary(column.source)
    texts = pc.if_else(pa.array(column.missing), pa.scalar(None, cells.type), cells)
    return CategoricalColumn(
        name, kind, how, codes, [_text(v) for v in names], rows, hierarchy, texts
    )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def weights(frame: Frame, name: str | None) -> Floats | None:
    """How much each record counts in a mean: finite numbers, not negative."""
    if name is None:
        return None
    values = numbers_of(frame, name, "the weight")
    negative = int((values < 0).sum())
    if negative:
        msg = f"column {name!r}, the weight, has {counted(negative, 'negative value')}"
        raise InputError(msg)
    return values


def numbers_of(frame: Frame, name: str, what: str) -> Floats:
    """The numbers of a column, none missing; `what` says in a message what it is there for."""
    values, invalid = Column(columns_of(frame, [name]).column(0)).asked_for_numbers()
    fault = fault_of(values, invalid, "refuse")
    if fault:
        msg = f"column {name!r}, {what}, has {fault}"
        raise InputError(msg)
    return values


def joint(frame: Frame, names: Sequence[str]) -> Any:
    """The joint value of some columns for each row, or None of no column; none may be missing."""
    if not names:
        return None
    columns = [Column(column) for column in columns_of(frame, names).columns]
    for name, column in zip(names, columns, strict=True):
        absent = int(column.missing.sum())
        if absent:
            msg = f"column {name!r} has {counted(absent, 'missing value')}"
            raise InputError(msg)
    codes = np.column_stack([column.codes for column in columns])
    return np.unique(codes, axis=0, return_inverse=True)[1]
