"""What a column is, and what is wrong with its cells.

What a column is, is said by the job or seen from its cells: a text column in which some cell looks
like a number is meant to be numeric, so that a slip of the pen or a decimal comma is not taken for
a category; any other is nominal. What a cell says is in `tokumei.values.cells`.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import LARGEST, Floats
from tokumei.release.errors import counted
from tokumei.release.schema import Columns
from tokumei.values.column import Column


def kind_of(name: str, column: Column, columns: Columns) -> str:
    """numeric, ordinal, nominal or tree."""
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


def fault_of(values: Floats, invalid: int, policy: str) -> str:
    """What is wrong with the numbers of a column, in words; "" where nothing is."""
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
