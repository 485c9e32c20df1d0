"""Quasi-identifiers from columns: numbers, or categories with codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei._check import Floats
from tokumei.release.errors import InputError, as_input_error, counted
from tokumei.release.io.frames import Frame, columns_of, without_dictionary
from tokumei.release.io.times import is_of_time, measured, wall_time
from tokumei.release.kinds import fault_of, free_text, kind_of
from tokumei.release.mask import forms, moments
from tokumei.release.mask.quasi_identifiers import (
    CategoricalColumn,
    NumericColumn,
    QuasiIdentifier,
)
from tokumei.release.schema import Columns
from tokumei.values.calendar import moments_of, texts_of
from tokumei.values.column import Column
from tokumei.values.columns import ranked
from tokumei.values.hierarchy import Hierarchy
from tokumei.values.notation import Notation

# The representatives of each kind; the first is the one where none is asked for.
HOWS = {
    "numeric": ("mean", "median", "interval"),
    "date": ("mean", "median", "interval"),
    "ordinal": ("median", "mode", "interval", "set"),
    "nominal": ("mode", "set"),
    "tree": ("ancestor", "mode", "set"),
}

ADVICE = "; say what to do with missing cells: missing='impute' or 'category' (--missing impute)"
OF_NUMBERS = (
    "; say which words are missing cells (--na), how decimals are written (--decimal), "
    "or that the column is nominal (--nominal)"
)


def quasi_identifiers(
    table: Any, columns: Columns, step: Any, notations: Mapping[str, Notation]
) -> list[QuasiIdentifier]:
    """The columns of an Arrow table by their kinds, or an error that names all that cannot be."""
    found: list[QuasiIdentifier] = []
    faults = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        with as_input_error(f"column {name!r} cannot be read"):
            one, fault = _quasi_identifier(name, column, columns, step)
        if fault:
            words = list(notations[name].missing) if name in notations else []
            told = f" ({', '.join(words)} taken for missing)" if words else ""
            faults.append(f"column {name!r} has {fault}{told}")
        found.append(one)
    if faults:
        advice = ADVICE if any("missing value" in fault for fault in faults) else ""
        cure = OF_NUMBERS if any("not a number" in f or "not numbers" in f for f in faults) else ""
        raise InputError("; ".join(faults) + cure + advice)
    return found


def _quasi_identifier(
    name: str, cells: Any, columns: Columns, step: Any
) -> tuple[QuasiIdentifier, str]:
    column = Column(measured(cells))
    kind = kind_of(name, column, columns)
    how = step.represent.get(name, HOWS[kind][0])
    if how not in HOWS[kind]:
        msg = f"column {name!r} is {kind}: it is represented by {' or '.join(HOWS[kind])}"
        raise InputError(msg)
    if kind == "numeric":
        values, invalid = column.asked_for_numbers()
        fault = fault_of(values, invalid, step.missing)
        form = forms.form_of(cells, values, step.round)
        source = cells if is_of_time(form.kind) else None
        return NumericColumn(name, values, form, how, source=source), fault
    if kind == "date":
        return _date(name, cells, how, step)
    absent = int(column.missing.sum())
    fault = counted(absent, "missing value") if absent and step.missing == "refuse" else ""
    if kind == "nominal" and name not in columns.kinds:
        fault = fault or free_text(column)
    return _categories(name, kind, how, column, columns), fault


def _date(name: str, cells: Any, how: str, step: Any) -> tuple[NumericColumn, str]:
    """Moments in microseconds since 1970, by the clock of their zone."""
    there = wall_time(without_dictionary(cells))
    column = Column(there)
    values, invalid = column.asked_for_dates()
    fault = fault_of(values, invalid, step.missing, "date")
    if invalid and column.doubt_of_dates:
        fault = f"dates of which {column.doubt_of_dates}"
    form = moments.form_of(cells.type, values, step.resolution.get(name, "auto"))
    source = cells if form.kind is not None else _iso(values)
    return NumericColumn(name, values, form, how, "date", source), fault


def _iso(values: Floats) -> Any:
    """Moments as texts, at the resolution that they have."""
    present = ~np.isnan(values)
    found = moments_of(values[present])
    texts = np.full(len(values), None, dtype=object)
    texts[present] = texts_of(found, moments.grid_of(values[present]))
    return pa.array(texts.tolist(), pa.string())


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
