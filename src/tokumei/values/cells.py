"""What a cell says: the one table of what is missing, a number, a truth value or a date.

=====================================  ===========  ====================  ==================
a cell                                 by itself    where numbers are     where dates are
                                                    asked for             asked for
=====================================  ===========  ====================  ==================
None, NaN, NaT, pandas.NA, masked      missing      missing               missing
text that is empty or of blanks        missing      missing               missing
7, 2.5, Decimal, Fraction              number       number                counted as invalid
True, False                            truth value  1, 0                  counted as invalid
date, datetime, numpy.datetime64       date         counted as invalid    date
text 7, -1.50, 2e3, blanks around it   category     number                counted as invalid
text nan, NaN                          category     missing               counted as invalid
text NA, N/A, NULL, other usual words  category     counted as invalid    counted as invalid
text inf, Infinity                     category     infinite              counted as invalid
text 2024-03-01, 2024-03-01T12:30      category     counted as invalid    date (ISO 8601)
text 1.3.2024, 3/31/2024, 2024/03/01   category     counted as invalid    date (where it is one)
text 1,5 or 1 000 or 0x1A; other text  category     counted as invalid    counted as invalid
anything else that has a hash          category     counted as invalid    counted as invalid
=====================================  ===========  ====================  ==================

A release asks for more than an array does: there the words in `USUAL_WORDS`, or those that are said
instead, are missing in every column that is worked on, and a decimal comma is read where a column
has one in all its cells (`tokumei.values.notation`).

Only strings are compared letter by letter: there, a blank is a letter and no letter is a text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.ASCII | re.IGNORECASE)
# Meant as a number, with a decimal comma or marks between thousands.
GROUPED = re.compile(r"[+-]?\d+([.,' ]\d+)+", re.ASCII)
# What R and pandas take for missing in a file, beside blanks.
USUAL_WORDS = (
    "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>", "#NA", "#N/A",
    "#N/A N/A", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN",
)  # fmt: skip


def is_missing(value: Any) -> bool:
    """Whether a cell says that there is no value."""
    if value is None or value is np.ma.masked:
        return True
    if isinstance(value, str):
        return not value or value.isspace()
    try:
        return bool(value != value)  # NaN and its relatives
    except (TypeError, ValueError):  # pandas.NA does not say
        return True


def is_number(value: Any) -> bool:
    """Whether a cell is a number that can be measured; truth values are not."""
    return isinstance(value, Number) and not isinstance(value, bool | np.bool_ | complex)


def kind_of(values: Sequence[Any]) -> str:
    """The kind of a column that holds these values, none of them missing."""
    types = set(map(type, values))
    if types and all(issubclass(one, bool | np.bool_) for one in types):
        return "boolean"
    if types and all(issubclass(one, date | np.datetime64) for one in types):
        return "date"
    numeric = types and all(
        issubclass(one, Number) and not issubclass(one, bool | complex) for one in types
    )
    return "numeric" if numeric else "nominal"


def as_number(value: Any) -> float:
    """A number as float64; one beyond all of them is the largest."""
    try:
        return float(value)
    except OverflowError:
        return float(np.copysign(np.finfo(np.float64).max, 1 if value > 0 else -1))


def number_in(text: Any) -> float | None:
    """The number that a text says, NaN for none, or None for another text."""
    word = text.strip() if isinstance(text, str) else ""
    known = NUMBER.fullmatch(word) or NOT_FINITE.fullmatch(word)
    return float(word) if known else None


def looks_like_a_number(text: Any) -> bool:
    """Whether a text is a number, or seems to be meant as one; "nan" may be a name."""
    value = number_in(text)
    if value is None:
        return isinstance(text, str) and GROUPED.fullmatch(text.strip()) is not None
    return value == value


def date_in(text: Any) -> datetime | None:
    """The date that a text says by ISO 8601, or None for another text."""
    try:
        return datetime.fromisoformat(text.strip())
    except (AttributeError, ValueError):
        return None


def as_dates(values: Sequence[Any]) -> NDArray[np.datetime64]:
    """Dates as days where all are days, else as microseconds; with a time zone, as in UTC."""
    days = all(map(_is_a_day, values))
    plain = [
        value.astimezone(UTC).replace(tzinfo=None) if getattr(value, "tzinfo", None) else value
        for value in values
    ]
    return np.array(plain, dtype="datetime64[D]" if days else "datetime64[us]")


def _is_a_day(value: Any) -> bool:
    if isinstance(value, np.datetime64):
        return np.datetime_data(value)[0] == "D"
    return type(value) is date
