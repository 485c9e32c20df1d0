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

OF_CELLS = {"ordered": "ordinal", "boolean": "nominal", "date": "date"}
# A column of texts of which so many differ is no list of categories.
MOST_DISTINCT, FEWEST_TEXTS = 0.5, 40


def kind_of(name: str, column: Column, columns: Columns) -> str:
    """numeric, ordinal, nominal, tree or date."""
    if name in columns.kinds:
        return columns.kinds[name]
    if name in columns.trees:
        return "tree"
    if name in columns.orders:
        return "ordinal"
    if column.is_text():
        empty = bool(column.missing.all())
        if column.looks_like_dates():  # before numbers: 31.12.1999 could be one with odd marks
            return "date"
        return "numeric" if empty or column.looks_like_numbers() else "nominal"
    return OF_CELLS.get(column.kind, "numeric")


def fault_of(values: Floats, invalid: int, policy: str, what: str = "number") -> str:
    """What is wrong with the numbers or dates of a column, in words; "" where nothing is."""
    low, high = values.min(initial=0.0), values.max(initial=0.0)
    if not invalid and low >= -LARGEST and high <= LARGEST:  # neither holds of NaN
        return ""
    missing = int(np.isnan(values).sum()) - invalid if policy == "refuse" else 0
    infinite = int(np.isinf(values).sum())
    large = int((np.abs(values) > LARGEST).sum()) - infinite
    not_numbers = f"that is not a {what}" if invalid == 1 else f"that are not {what}s"
    counts = (
        (invalid, f"{counted(invalid, 'cell')} {not_numbers}"),
        (missing, counted(missing, "missing value")),
        (infinite, counted(infinite, "infinite value")),
        (large, f"{counted(large, 'value')} beyond {LARGEST:g}"),
    )
    return ", ".join(words for number, words in counts if number)


def free_text(column: Column) -> str:
    """Why a column of texts has no categories to group by, in words; "" where it has some."""
    present = int((~column.missing).sum())
    known = len(column.categories)
    if present < FEWEST_TEXTS or known <= MOST_DISTINCT * present or not column.is_text():
        return ""
    words = sum(" " in each.strip() for each in column.categories)
    what = "free text" if 2 * words > known else "names or codes"
    return (
        f"{known} different texts in {counted(present, 'row')}, as {what} have: a group would "
        "publish that of one of its records; drop it, name it identifier, give it a tree or recode "
        "it, or say that it is nominal"
    )
