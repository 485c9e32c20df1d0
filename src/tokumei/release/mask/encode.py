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
from tokumei.release.errors import InputError, counted, told
from tokumei.release.io.frames import Frame, columns_of
from tokumei.release.job import Job
from tokumei.release.mask.attributes import Attribute, Categories, Numbers
from tokumei.values.column import Column
from tokumei.values.columns import ranked
from tokumei.values.hierarchy import Hierarchy, hierarchy_of

# The representatives of each kind; the first is the one where none is asked for.
HOWS = {
    "numeric": ("mean", "median", "interval"),
    "ordinal": ("median", "mode", "interval", "set"),
    "nominal": ("mode", "set"),
    "tree": ("ancestor", "mode", "set"),
}


def attributes(table: Any, job: Job) -> list[Attribute]:
    """The columns of an Arrow table by their kinds, or an error that names all that cannot be."""
    found: list[Attribute] = []
    faults = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        with told(f"column {name!r} cannot be read"):
            attribute, fault = _attribute(name, Column(column), job)
        if fault:
            faults.append(f"column {name!r} has {fault}")
        found.append(attribute)
    if faults:
        raise InputError("; ".join(faults))
    return found


def _attribute(name: str, column: Column, job: Job) -> tuple[Numbers | Categories, str]:
    kind = _kind(name, column, job)
    how = job.represent.get(name, HOWS[kind][0])
    if how not in HOWS[kind]:
        msg = f"column {name!r} is {kind}: it is represented by {' or '.join(HOWS[kind])}"
        raise InputError(msg)
    if kind == "numeric":
        values, strange = column.asked_for_numbers()
        return Numbers(name, values, how), fault_of(values, strange, job.missing)
    absent = int(column.missing.sum())
    fault = counted(absent, "missing value") if absent and job.missing == "refuse" else ""
    return _categories(name, kind, how, column, job), fault


def _kind(name: str, column: Column, job: Job) -> str:
    if name in job.kinds:
        return job.kinds[name]
    if name in job.trees:
        return "tree"
    if name in job.orders:
        return "ordinal"
    if column.is_text():
        empty = bool(column.missing.all())
        return "numeric" if empty or column.looks_like_numbers() else "nominal"
    return {"ordered": "ordinal", "boolean": "nominal"}.get(column.kind, "numeric")


def _categories(name: str, kind: str, how: str, column: Column, job: Job) -> Categories:
    """Codes in the order of the categories, and the first row of each."""
    known, there = column.categories, np.flatnonzero(~column.missing)
    counts = np.bincount(column.codes[there], minlength=len(known))
    names: Sequence[Any]
    hierarchy: Hierarchy | None = None
    try:
        if kind == "tree":
            hierarchy = hierarchy_of(job.trees[name], f"the tree of column {name!r}")
            places = hierarchy.find(known, counts, f"column {name!r}")
            names = hierarchy.nodes
        else:
            order = job.orders.get(name, known if column.kind == "ordered" else None)
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


def weights(frame: Frame, job: Job) -> Floats | None:
    """How much each record counts in a mean: finite numbers, not negative."""
    if job.weight is None:
        return None
    values, strange = Column(columns_of(frame, [job.weight]).column(0)).asked_for_numbers()
    fault = fault_of(values, strange, "refuse")
    negative = int((values < 0).sum())
    if negative and not fault:
        fault = counted(negative, "negative value")
    if fault:
        msg = f"column {job.weight!r}, the weight, has {fault}"
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


def fault_of(values: Floats, strange: int, policy: str) -> str:
    missing = int(np.isnan(values).sum()) - strange if policy == "refuse" else 0
    infinite = int(np.isinf(values).sum())
    large = int((np.abs(values) > LARGEST).sum()) - infinite
    not_numbers = "that is not a number" if strange == 1 else "that are not numbers"
    counts = (
        (strange, f"{counted(strange, 'cell')} {not_numbers}"),
        (missing, counted(missing, "missing value")),
        (infinite, counted(infinite, "infinite value")),
        (large, f"{counted(large, 'value')} beyond {LARGEST:g}"),
    )
    return ", ".join(words for number, words in counts if number)
