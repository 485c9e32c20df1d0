"""How the texts of a column write what they say: what was found of it, and the dates they mean.

`tokumei.release.io.one_notation` reads words for missing cells and decimal commas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

DATE = re.compile(r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})", re.ASCII)
ISO_DATE = re.compile(
    r"\d{4}-\d\d-\d\d([T ]\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-]\d\d(:?\d\d)?)?)?"
)
# The places of year, month and day among three numbers.
PLACES = {"year first": (0, 1, 2), "day first": (2, 1, 0), "month first": (2, 0, 1)}


@dataclass(frozen=True)
class Notation:
    """How a column was written: how often each word for a missing cell, and whether with commas."""

    missing: dict[str, int] = field(default_factory=dict)
    comma: bool = False


ISO = "ISO 8601"


@dataclass(frozen=True)
class Readings:
    """How the dates of a column, or of a part of it, can be read; of parts they add up."""

    fitting: frozenset[str]  # ways in which every text is a date
    apart: bool = False  # day and month could be told apart by some text alone, and are not

    def merged(self, other: Readings) -> Readings:
        return Readings(self.fitting & other.fitting, self.apart or other.apart)

    @property
    def doubt(self) -> str:
        """Why nobody can know which dates are meant; "" where everybody can."""
        both = {"day first", "month first"} <= self.fitting
        return DOUBT if both and self.apart else ""

    @property
    def way(self) -> str | None:
        """The one way to read all of them; None where they are no dates or in doubt."""
        ways = [each for each in (ISO, *PLACES) if each in self.fitting]
        return ways[0] if ways and not self.doubt else None


DOUBT = "day and month cannot be told apart: write YYYY-MM-DD"


def readings_of(texts: Sequence[str]) -> Readings:
    """How some texts can be read as dates."""
    texts = [text.strip() for text in texts]
    found = {way: [date_as(text, way) for text in texts] for way in (ISO, *PLACES)}
    fitting = frozenset(way for way, dates in found.items() if None not in dates)
    return Readings(fitting, found["day first"] != found["month first"])


def date_as(text: str, way: str) -> datetime | None:
    """The date that a text says when it is read in one of the ways."""
    text = text.strip()
    if way == ISO:
        return _iso(text) if ISO_DATE.fullmatch(text) else None
    part = DATE.fullmatch(text)
    return _date(tuple(int(part[at]) for at in (1, 3, 4)), PLACES[way]) if part else None


def dates_in(texts: Sequence[str]) -> tuple[list[datetime | None], str]:
    """The date that each of some texts says, None for no date; and what is in doubt, in words.

    ISO 8601, or three numbers with the year at one end; which of the others is the day is seen from
    all of them together.
    """
    if texts and all(ISO_DATE.fullmatch(text.strip()) for text in texts):
        return [_iso(text.strip()) for text in texts], ""
    found = readings_of(texts) if texts else Readings(frozenset())
    if found.way is None:
        return [None] * len(texts), found.doubt
    return [date_as(text, found.way) for text in texts], ""


def _date(numbers: tuple[int, ...] | None, places: tuple[int, ...]) -> datetime | None:
    if numbers is None:
        return None
    year, month, day = (numbers[place] for place in places)
    try:
        return datetime(year, month, day) if year > 999 else None
    except ValueError:
        return None


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
