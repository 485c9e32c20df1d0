"""What each changed column lost, in words that decide: how many cells, by how much, what is gone.

No number is given alone. Amounts are in the unit of the column, days for dates; shares are of the
records; a measure that does not apply, or has no scale, is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei._check import Floats
from tokumei.release.io.frames import Frame, columns_of
from tokumei.release.io.times import measured, wall_time
from tokumei.release.kinds import kind_of
from tokumei.release.schema import Columns
from tokumei.values.calendar import middles
from tokumei.values.column import Column

DAY = 86_400e6  # microseconds
DECILES = np.arange(0.1, 0.95, 0.1)


def losses_of(
    before: Frame, after: Frame, names: Sequence[str], columns: Columns
) -> dict[str, dict[str, Any]]:
    """For each column what was lost of it; the same row is the same record."""
    found = {}
    for name in names:
        was, becomes = (columns_of(each, [name]).column(0) for each in (before, after))
        found[name] = _lost(was, becomes, name, columns)
    return found


def _lost(before: Any, after: Any, name: str, columns: Columns) -> dict[str, Any]:
    pair = numbers_of(before, after, name, columns)
    if pair is None:
        return {"kind": "category"} | _of_categories(Column(before), Column(after))
    kind, was, becomes = pair
    unit = {"unit": "days"} if kind == "date" else {}
    return {"kind": kind} | unit | _of_numbers(was, becomes)


def numbers_of(
    before: Any, after: Any, name: str, columns: Columns
) -> tuple[str, Floats, Floats] | None:
    """A column on both sides as "number", or as "date" in days; None where it is neither."""
    kind = kind_of(name, Column(measured(before)), columns)
    if kind == "numeric":
        pair = [Column(measured(each)).asked_for_numbers() for each in (before, after)]
        if not any(invalid for _, invalid in pair):
            return "number", pair[0][0], pair[1][0]
    if kind == "date":
        was, invalid = Column(wall_time(before)).asked_for_dates()
        becomes, unknown = _moments(after)
        if not invalid and not unknown:
            return "date", was / DAY, becomes / DAY
    return None


def _moments(cells: Any) -> tuple[Floats, int]:
    """The moments of published cells: of periods that have names, the middle of each."""
    column = Column(wall_time(cells))
    if not column.is_text():
        return column.asked_for_dates()
    found = np.append(middles([str(text) for text in column.categories]), np.nan)[column.codes]
    return found, int((np.isnan(found) & ~column.missing).sum())


def _of_numbers(was: Floats, becomes: Floats) -> dict[str, Any]:
    there = ~np.isnan(was) & ~np.isnan(becomes)
    same = (was == becomes) | (np.isnan(was) & np.isnan(becomes))
    x, y = was[there], becomes[there]
    found: dict[str, Any] = {"changed": float(1.0 - same.mean())}
    if not len(x):
        return found
    found["mean_absolute_change"] = float(np.abs(x - y).mean())
    spread = float(x.std())
    if spread > 0.0:
        shift = np.abs(np.quantile(x, DECILES) - np.quantile(y, DECILES)).max()
        found["deciles_shift"] = float(shift / spread)
        found["ild"] = 1.0 - float(y.var() / x.var())  # squared distances of pairs are variances
        if y.std() > 0.0:
            found["correlation"] = float(np.corrcoef(x, y)[0, 1])
    return found


def _of_categories(was: Column, becomes: Column) -> dict[str, Any]:
    numbers: dict[str, int] = {}
    codes = [
        np.array([*(numbers.setdefault(_text(each), len(numbers)) for each in one.categories), -1])
        for one in (was, becomes)
    ]
    x, y = codes[0][was.codes], codes[1][becomes.codes]
    there = ~was.missing & ~becomes.missing
    same = np.where(there, x == y, was.missing & becomes.missing)
    before, after = (np.bincount(each[there], minlength=len(numbers)) for each in (x, y))
    found: dict[str, Any] = {
        "changed": float(1.0 - same.mean()),
        "categories": int((before > 0).sum()),
        "categories_lost": int(((before > 0) & (after == 0)).sum()),
    }
    if found["categories"] > 1 and not ((after > 0) & (before == 0)).any():
        found["ild"] = 1.0 - _pairs_apart(after) / _pairs_apart(before)
    return found


def counts_of(cells: Any) -> Counter[str]:
    """How many cells have each category, as a text, in the order in which they come."""
    column = Column(cells)
    codes, firsts, counts = np.unique(
        column.codes[~column.missing], return_index=True, return_counts=True
    )
    found: Counter[str] = Counter()
    for place in np.argsort(firsts):
        found[_text(column.categories[codes[place]])] += int(counts[place])
    return found


def _pairs_apart(counts: Any) -> float:
    """How many pairs of records differ: the amount of information of a discrete distance."""
    counts = counts.astype(np.float64)
    return float(counts.sum() ** 2 - (counts**2).sum())


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def amount(value: float) -> str:
    """A number of three digits or more, as a person writes it."""
    return f"{value:,.0f}" if 1e3 <= value < 1e15 else f"{value:.3g}"


def sentence_of(one: dict[str, Any]) -> str:
    """What a column lost, in a line."""
    parts = [f"{one['changed']:.1%} of cells changed"]
    if "mean_absolute_change" in one:
        parts.append(
            f"by {amount(one['mean_absolute_change'])}{' days' * ('unit' in one)} on average"
        )
    if "correlation" in one:
        parts.append(f"correlation {one['correlation']:.3f}")
    if one.get("categories_lost"):
        parts.append(f"{one['categories_lost']} of {one['categories']} categories lost")
    if "ild" in one:
        parts.append(f"ILD {round(one['ild'], 3) + 0.0:.1%}")  # no -0.0 %
    return ", ".join(parts)
