"""Periods of the calendar, from seconds to years: where each begins, and what it is called.

Names are those of ISO 8601 (1985, 1985-04, 1985-04-14), and 1985-Q2 for a quarter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Floats
from tokumei.values.column import Column

LADDER = ("second", "minute", "hour", "day", "month", "quarter", "year")  # from the finest
UNIT = dict(zip(LADDER, ("s", "m", "h", "D", "M", "M", "Y"), strict=True))
Instants = NDArray[np.datetime64]
PERIOD = re.compile(
    r"(\d{4})(?:-Q([1-4])|-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d))?)?)?)?)?", re.ASCII
)


def moments_of(values: Floats) -> Instants:
    """Moments from microseconds since 1970."""
    return np.rint(values).astype(np.int64).view("datetime64[us]")


def start_of(moments: Instants, resolution: str) -> Instants:
    """The first moment of the period that each moment lies in."""
    periods = moments.astype(f"datetime64[{UNIT[resolution]}]")
    if resolution == "quarter":
        periods = periods - periods.astype(np.int64) % 3
    starts: Instants = periods.astype("datetime64[us]")
    return starts


def texts_of(moments: Instants, resolution: str) -> list[str]:
    """Periods as ISO 8601 writes them, quarters as 1985-Q2."""
    if resolution == "quarter":
        months = moments.astype("datetime64[M]").astype(np.int64)
        years, quarters = 1970 + months // 12, 1 + months % 12 // 3
        return [
            f"{year:04}-Q{q}" for year, q in zip(years.tolist(), quarters.tolist(), strict=True)
        ]
    texts: list[str] = np.datetime_as_string(moments, unit=UNIT[resolution]).tolist()  # type: ignore[call-overload]
    return texts


def next_of(starts: Instants, resolution: str) -> Instants:
    """The first moment of the period after each."""
    step = 3 if resolution == "quarter" else 1
    after = starts.astype(f"datetime64[{UNIT[resolution]}]") + step
    found: Instants = after.astype("datetime64[us]")
    return found


def middles(texts: Sequence[str]) -> Floats:
    """The middle of each period that has a name, in microseconds; a day, and less, has its start.

    NaN where a text names no period.
    """
    found = np.full(len(texts), np.nan)
    for place, text in enumerate(texts):
        named = PERIOD.fullmatch(text)
        if named is None:
            continue
        year, quarter, month, day, *_ = named.groups()
        resolution = "quarter" if quarter else "month" if month else "year"
        first = f"{year}-{3 * int(quarter) - 2:02}" if quarter else text
        start = np.array([first], dtype="datetime64[us]")
        found[place] = start.astype(np.int64)[0]
        if not day:
            length = next_of(start, resolution) - start
            found[place] += length.astype(np.int64)[0] / 2
    return found


def ways_of_dates(values: Any, name: str) -> dict[Any, tuple[str, ...]]:
    """The month, the quarter and the year of each date of a column; texts are read as dates."""
    dates = Column(Column(values).categories)  # each of them once
    found, wrong = dates.asked_for_dates()
    if wrong:
        why = f": {dates.doubt_of_dates}" if dates.doubt_of_dates else ""
        msg = f"{name} has {wrong} values that are no dates{why}"
        raise ValueError(msg)
    periods = [texts_of(moments_of(found), each) for each in ("month", "quarter", "year")]
    return dict(zip(dates.source, zip(*periods, strict=True), strict=True))
