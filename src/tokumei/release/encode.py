"""Quasi-identifiers as one table of numbers: float64, column after column, finite.

The only place where cells become numbers. A text is a number when it is written as one, 7, -1.50 or
2e3, with blanks around it or not; truth values count as 0 and 1.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei._check import LARGEST, Floats
from tokumei.release.errors import InputError, counted, told

NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
MISSING = r"^(|[+-]?[nN][aA][nN])$"
INFINITE = r"^[+-]?(?i:inf|infinity)$"


def numbers(table: Any) -> Floats:
    """The columns of an Arrow table as numbers, or an error that names every one that is not."""
    out = np.empty((table.num_rows, table.num_columns), dtype=np.float64, order="F")
    faults = []
    for j, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        with told(f"column {name!r} cannot be read as numbers"):
            out[:, j], strange = _column(column)
        fault = _fault(out[:, j], strange)
        if fault:
            faults.append(f"column {name!r} has {fault}")
    if faults:
        raise InputError("; ".join(faults))
    return out


def _column(column: Any) -> tuple[Floats, int]:
    """The numbers of a column, NaN where there is none, and how many cells are something else."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _column(column.cast(kind.value_type))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return _texts(column.cast(pa.large_string()))
    if any(test(kind) for test in NUMERIC):
        return _floats(column), 0
    return np.full(len(column), np.nan), len(column)


NUMERIC = (
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_boolean,
    pa.types.is_null,
)


def _texts(column: Any) -> tuple[Floats, int]:
    text = pc.utf8_trim_whitespace(column)
    with suppress(pa.ArrowInvalid):
        values = _floats(text)
        if np.isfinite(values).all():
            return values, 0
    # Not all are numbers: count what each of the others is.
    numeric = pc.match_substring_regex(text, NUMBER)
    infinite = pc.match_substring_regex(text, INFINITE)
    known = pc.or_(pc.or_(numeric, infinite), pc.match_substring_regex(text, MISSING))
    strange = pc.sum(pc.invert(known)).as_py() or 0
    nothing = pa.scalar(None, pa.large_string())
    values = _floats(pc.if_else(numeric, text, nothing))
    values[_floats(infinite) == 1.0] = np.inf
    return values, strange


def _floats(column: Any) -> Floats:
    values: Floats = np.array(pc.cast(column, pa.float64(), safe=False).to_numpy())
    return values


def _fault(values: Floats, strange: int) -> str:
    missing = int(np.isnan(values).sum()) - strange
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
