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


def dates_in(texts: Sequence[str]) -> tuple[list[datetime | None], str]:
    """The date that each of some texts says, None for no date; and what is in doubt, in words.

    ISO 8601, or three numbers with the year at one end; which of the others is the day is seen from
    all of them together.
    """
    if texts and all(ISO_DATE.fullmatch(text.strip()) for text in texts):
        return [_iso(text.strip()) for text in texts], ""
    parts = [DATE.fullmatch(text.strip()) for text in texts]
    numbers = [tuple(int(part[at]) for at in (1, 3, 4)) if part else None for part in parts]
    found = {}
    for name, places in PLACES.items():
        dates = [_date(each, places) for each in numbers]
        if texts and None not in dates:
            found[name] = dates
    if len(found) == 2 and found["day first"] != found["month first"]:
        return [None] * len(texts), "day and month cannot be told apart: write YYYY-MM-DD"
    return next(iter(found.values()), [None] * len(texts)), ""


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
