"""What each column of a table holds: its kind, missing cells and how they are written, formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Floats
from tokumei.release.assessment.formats import FEW, are_codes, format_of, have_gaps
from tokumei.release.assessment.numbering import given_out
from tokumei.release.io import one_notation
from tokumei.release.io.times import measured, wall_time
from tokumei.release.kinds import free_text, kind_of
from tokumei.release.mask.forms import decimals_of
from tokumei.release.mask.moments import grid_of
from tokumei.release.schema import Columns
from tokumei.release.sections import Source
from tokumei.values.cells import USUAL_WORDS
from tokumei.values.column import Column

# What else people write for a missing cell; asked for, never taken by itself.
UNUSUAL_WORDS = (
    "?",
    "-",
    "--",
    ".",
    "*",
    "missing",
    "unknown",
    "unbekannt",
    "k.A.",
    "keine Angabe",
)
# Numbers that are beyond all others of their column may stand for a missing one.
CODES_FOR_MISSING = (-1, -8, -9, -99, -999, -9999, 99, 999, 9999, 99999)


@dataclass(frozen=True)
class Profile:
    """What a column holds: names, counts and words of this program, never a cell.

    Attributes
    ----------
    name, kind : str
        The column, and the kind that masking would see in it.
    what : str
        The same in words: whole numbers, dates by day, codes, free text...
    distinct, missing, rows : int
        How many values it has, and how many of its cells are missing.
    unique : float
        The share of cells that are alone with their value.
    words : dict
        How often which word stands for a missing cell.
    doubtful : tuple
        Words and numbers that may stand for one, and are not taken for it.
    format : str or None
        What its texts are written as, where that names a person.
    comma : bool
        Whether its numbers have a decimal comma.
    coded, gaps, numbered : bool
        Whether it has digits that are codes or few whole numbers; whether these are two, or far
        apart, as codes are; and whether they are like numbers that were given out.
    """

    name: str
    kind: str
    what: str
    rows: int
    distinct: int
    missing: int
    unique: float
    words: Mapping[str, int]
    doubtful: tuple[str, ...] = ()
    format: str | None = None
    comma: bool = False
    coded: bool = False
    gaps: bool = False
    numbered: bool = True

    @property
    def identifies(self) -> bool:
        """Whether nearly every cell is alone with its value, in a column that is no measurement."""
        measured = self.what.startswith(("numbers", "dates", "times")) or not self.numbered
        return self.unique > 0.9 and self.rows > 20 and not measured


def profile_of(name: str, cells: Any, how: Source) -> tuple[Profile, Column]:
    """What a column of Arrow holds, and the column in the one notation."""
    doubtful = _doubtful_words(cells, how)
    words = None if how.na is None and not doubtful else (*(how.na or USUAL_WORDS), *doubtful)
    plain, notation = one_notation.read(cells, words, how.decimal)
    column = Column(measured(plain))
    kind = kind_of(name, column, Columns())
    missing = column.missing
    counts = np.bincount(column.codes[~missing]) if column.has_hash else np.zeros(0)
    texts = column.categories if column.is_text() else ()
    what, coded = _what(kind, column, plain)
    return Profile(
        name=name,
        kind=kind,
        what=what,
        rows=len(column),
        distinct=int((counts > 0).sum()),
        missing=int(missing.sum()),
        unique=float((counts == 1).sum() / max(len(column), 1)),
        words=notation.missing,
        doubtful=(*doubtful, *(_doubtful_numbers(column) if kind == "numeric" else ())),
        format=format_of([str(text) for text in texts]),
        comma=notation.comma,
        coded=coded,
        gaps=what == "whole numbers" and have_gaps(_finite(column)),
        numbered=what != "whole numbers" or given_out(_finite(column)),
    ), column


def _what(kind: str, column: Column, cells: Any) -> tuple[str, bool]:
    """A kind in words, and whether its numbers are codes or may be."""
    if kind == "date":
        values, _ = Column(wall_time(cells)).asked_for_dates()
        present = values[~np.isnan(values)]
        return f"dates by {grid_of(present)}" if len(present) else "dates", False
    if kind == "numeric":
        if bool(column.missing.all()):
            return "nothing", False
        if column.is_text() and are_codes([str(text) for text in column.categories]):
            return "codes of digits", True
        values, invalid = column.asked_for_numbers()
        if invalid:
            return f"numbers but for {invalid} cells", False
        present = values[~np.isnan(values)]
        if decimals_of(present) == 0:
            return "whole numbers", len(column.categories) <= FEW
        return "numbers", False
    if column.kind == "boolean":
        return "truth values", False
    if free_text(column):
        return ("free text" if "free text" in free_text(column) else "names or codes"), False
    return "ordered categories" if kind == "ordinal" else "categories", False


def _finite(column: Column) -> Floats:
    values, _ = column.asked_for_numbers()
    return values[np.isfinite(values)]


def _doubtful_words(cells: Any, how: Source) -> tuple[str, ...]:
    """Words that may stand for a missing cell, beside those that do."""
    if how.na is not None:
        return ()
    _, notation = one_notation.read(cells, UNUSUAL_WORDS)
    return tuple(word for word in UNUSUAL_WORDS if word in notation.missing)


def _doubtful_numbers(column: Column) -> tuple[str, ...]:
    """Numbers like -9 and 999 that are far from all others."""
    values = column.asked_for_numbers()[0]
    present = values[np.isfinite(values)]
    found = []
    for code in CODES_FOR_MISSING:
        others = present[present != code]
        if not 0 < len(others) < len(present):
            continue
        low, high = others.min(), others.max()
        apart = (code < 0 <= low) or (code > 0 and high >= 0 and code > 2 * high)
        if apart:
            found.append(str(code))
    return tuple(found)
