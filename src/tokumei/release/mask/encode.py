"""Quasi-identifiers from columns: numbers, or categories with codes.

What a column is, is said by the job or seen from its cells: a text column in which some cell looks
like a number is meant to be numeric, so that a slip of the pen or a decimal comma is not taken for
a category; any other is nominal. What a cell says is in `tokumei.values.cells`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei._check import LARGEST, Floats
from tokumei.release.errors import InputError, as_input_error, counted
from tokumei.release.io.frames import Frame, columns_of
from tokumei.release.mask.attributes import Attribute, Categories, Numbers
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


def attributes(table: Any, columns: Columns, step: Any) -> list[Attribute]:
    """The columns of an Arrow table by their kinds, or an error that names all that cannot be."""
    found: list[Attribute] = []
    faults = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        with as_input_error(f"column {name!r} cannot be read"):
            attribute, fault = _attribute(name, Column(column), columns, step)
        if fault:
            faults.append(f"column {name!r} has {fault}")
        found.append(attribute)
    if faults:
        raise InputError("; ".join(faults))
    return found


def _attribute(
    name: str, column: Column, columns: Columns, step: Any
) -> tuple[Numbers | Categories, str]:
    kind = _kind(name, column, columns)
    how = step.represent.get(name, HOWS[kind][0])
    if how not in HOWS[kind]:
        msg = f"column {name!r} is {kind}: it is represented by {' or '.join(HOWS[kind])}"
        raise InputError(msg)
    if kind == "numeric":
        values, invalid = column.asked_for_numbers()
        return Numbers(name, values, how), fault_of(values, invalid, step.missing)
    absent = int(column.missing.sum())
    fault = counted(absent, "missing value") if absent and step.missing == "refuse" else ""
    return _categories(name, kind, how, column, columns), fault


def _kind(name: str, column: Column, columns: Columns) -> str:
    if name in columns.kinds:
        return columns.kinds[name]
    if name in columns.trees:
        return "tree"
    if name in columns.orders:
        return "ordinal"
    if column.is_text():
        empty = bool(column.missing.all())
        return "numeric" if empty or column.looks_like_numbers() else "nominal"
    return {"ordered": "ordinal", "boolean": "nominal"}.get(column.kind, "numeric")


def _categories(name: str, kind: str, how: str, column: Column, columns: Columns) -> Categories:
    """Codes in the order of the categories, and the first row of each."""
    known, there = column.categories, np.flatnonzero(~column.missing)
    counts = np.bincount(column.codes[there], minlength=len(known))
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
    rows[codes[there][::-1]] = there[::-1]
    cells = plain(column.source)
    texts = pc.if_else(pa.array(column.missing), pa.scalar(None, cells.type), cells)
    return Categories(name, kind, how, codes, [_text(v) for v in names], rows, hierarchy, texts)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def plain(column: Any) -> Any:
    """The column without a dictionary."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


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


def fault_of(values: Floats, invalid: int, policy: str) -> str:
    missing = int(np.isnan(values).sum()) - invalid if policy == "refuse" else 0
    infinite = int(np.isinf(values).sum())
    large = int((np.abs(values) > LARGEST).sum()) - infinite
    not_numbers = "that is not a number" if invalid == 1 else "that are not numbers"
    counts = (
        (invalid, f"{counted(invalid, 'cell')} {not_numbers}"),
        (missing, counted(missing, "missing value")),
        (infinite, counted(infinite, "infinite value")),
        (large, f"{counted(large, 'value')} beyond {LARGEST:g}"),
    )
    return ", ".join(words for number, words in counts if number)
