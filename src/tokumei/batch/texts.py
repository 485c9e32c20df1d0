"""Columns of texts that are worked on: what all of them together say, as in a table in memory.

Whether texts are numbers, with which mark of decimals, or dates, and which of their numbers is the
day, is seen from all cells of a column. So one pass looks at the different texts of each piece;
what was seen of pieces adds up, and each piece is then read in the way of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.release.errors import InputError
from tokumei.release.io import one_notation
from tokumei.release.io.one_notation import Decimals, Marks
from tokumei.release.kinds import fault_of
from tokumei.release.mask import forms
from tokumei.release.mask.encode import OF_NUMBERS
from tokumei.values import cells
from tokumei.values.column import Column
from tokumei.values.notation import ISO, Notation, Readings, date_as, readings_of

# What may have to be done to texts before they are numbers; which of it, only all of them say.
WAYS = (None, Decimals(), Decimals("."), Decimals(",", comma=False))


@dataclass(frozen=True)
class Numbers:
    """What texts are, read in one way: numbers or not, and on which grid."""

    meant: bool = False  # some look like numbers
    whole: bool = True
    places: int | None = -1  # decimals of all; -1 of none yet, None of some that differ
    largest: float = 0.0

    def merged(self, other: Numbers) -> Numbers:
        known = {self.places, other.places} - {-1}
        places = known.pop() if len(known) == 1 else (None if known else -1)
        largest = max(self.largest, other.largest)
        return Numbers(self.meant or other.meant, self.whole and other.whole, places, largest)

    @property
    def type(self) -> Any:
        """The type that the numbers have in a release, as of a table in memory."""
        return forms.type_of_texts(self.whole, self.places or 0, self.largest)


@dataclass(frozen=True)
class Seen:
    """What was seen of the texts of a column, in one piece or in several."""

    present: bool
    missing: Counter[str]
    marks: Marks
    dates: Readings
    numbers: Mapping[Decimals | None, Numbers]

    def merged(self, other: Seen) -> Seen:
        return Seen(
            self.present or other.present,
            self.missing + other.missing,
            self.marks.merged(other.marks),
            self.dates.merged(other.dates),
            {way: one.merged(other.numbers[way]) for way, one in self.numbers.items()},
        )

    def reading(self, kind: str | None, words: Sequence[str] | None, mark: str | None) -> Reading:
        """How the column is read, where its kind is said or not."""
        categories = kind not in (None, "numeric", "date")
        way = None if categories else self.marks.decimals(mark)
        notation = Notation(dict(self.missing), comma=way is not None and way.comma)
        if kind is None:
            doubtful = self.present and (self.dates.way is not None or self.dates.doubt)
            number = not self.present or self.numbers[way].meant
            kind = "date" if doubtful else "numeric" if number else "nominal"
        if kind == "date" and self.dates.doubt:
            msg = f"dates of which {self.dates.doubt}"
            raise InputError(msg)
        found = self.numbers[way].type if kind == "numeric" else None
        return Reading(kind, words, way, found, self.dates.way or ISO, notation)


@dataclass(frozen=True)
class Reading:
    """How the texts of a column are read in every piece."""

    kind: str
    words: Sequence[str] | None = None
    decimals: Decimals | None = None
    type: Any = None  # of numbers
    dates: str = ISO
    notation: Notation = field(default_factory=Notation)

    def read(self, column: Any) -> Any:
        """The cells of a piece: numbers, dates as ISO 8601, or categories; or what is wrong."""
        if not one_notation.holds_text(column.type):
            return one_notation.numbers_without(column, self.words or ())[0]
        plain, text, _ = one_notation.without_words(column, self.words)
        if self.kind == "date":
            return self._dates(text)
        if self.kind != "numeric":
            return plain
        text = text if self.decimals is None else self.decimals.applied(text)
        values, invalid = Column(text).asked_for_numbers()
        fault = fault_of(values, invalid, "impute")
        if fault:
            raise InputError(fault + (OF_NUMBERS if invalid else ""))
        absent = np.isnan(values)
        if pa.types.is_decimal(self.type):
            bare = pc.replace_substring_regex(text, r"^\+", "")
            return pc.if_else(pa.array(absent), None, bare).cast(self.type)
        return pa.array(values, mask=absent).cast(self.type)

    def _dates(self, text: Any) -> Any:
        found = text.dictionary_encode() if not hasattr(text, "chunks") else _encoded(text)
        said = found.dictionary.to_pylist()
        dates = [None if cells.is_missing(one) else date_as(one, self.dates) for one in said]
        codes = found.indices
        wrong = [
            not cells.is_missing(one) and day is None for one, day in zip(said, dates, strict=True)
        ]
        if any(wrong):
            held = np.asarray(codes.fill_null(len(said)))
            count = int(np.array([*wrong, False])[held].sum())
            raise InputError(fault_of(np.zeros(0), count, "impute", "date"))
        texts = [
            None if day is None else (one.strip() if self.dates == ISO else day.date().isoformat())
            for one, day in zip(said, dates, strict=True)
        ]
        return pa.array(texts, pa.large_string()).take(codes)


def seen_of(column: Any, words: Sequence[str] | None) -> Seen:
    """What the texts of a piece say; each different one is looked at once."""
    _, trimmed, missing = one_notation.without_words(column, words)
    text = _encoded(trimmed).dictionary
    blank = pc.or_(pc.equal(text, ""), pc.equal(pc.utf8_trim_whitespace(text), ""))
    said = text.filter(pc.invert(blank))
    marks = one_notation.marks_of(said)
    as_it_is = _numbers_of(said)
    fits: dict[Decimals | None, Numbers] = {
        None: as_it_is,
        **{way: _numbers_of(way.applied(said)) for way in WAYS if way is not None and marks.commas},
    }
    points = Decimals(".")
    if not marks.commas and marks.points_between:
        fits[points] = _numbers_of(points.applied(said))
    numbers = {way: fits.get(way, as_it_is) for way in WAYS}
    return Seen(len(said) > 0, Counter(missing), marks, _dates_of(said), numbers)


def _dates_of(said: Any) -> Readings:
    few = readings_of(said.slice(0, 50).to_pylist())
    return readings_of(said.to_pylist()) if few.fitting and len(said) > 50 else few


def _numbers_of(said: Any) -> Numbers:
    if not len(said):
        return Numbers()
    column = Column(said)
    meant = column.looks_like_numbers()
    values, invalid = column.asked_for_numbers() if meant else (np.zeros(0), 1)
    if invalid:
        return Numbers(meant, whole=False, places=None)
    whole, places = forms.grid_of_texts(said)
    return Numbers(meant, whole, places, float(np.abs(values).max(initial=0.0)))


def _encoded(column: Any) -> Any:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return whole.dictionary_encode()
