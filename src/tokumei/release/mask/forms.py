"""How the numbers that groups publish become cells again: of the type, and on the grid, they had.

Integers stay integers, amounts with two decimals keep two. Groups are not touched: rounding may
only make the cells of two groups alike, and a model that holds in both holds in their union.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei._check import Floats
from tokumei.release.io.times import is_of_time

MOST_DECIMALS = 9
EXACT = 2.0**53  # whole numbers above are not all float64
WHOLE = r"^[+-]?\d+$"
DIGITS = 38  # of a Decimal of 128 bits
T = pa.types


class Form(Protocol):
    """What cells are made of the numbers of groups."""

    def cells(self, values: Floats) -> Any:
        """An Arrow array with the cell of each number; none is NaN."""


@dataclass(frozen=True)
class Numbers:
    """Numbers of one Arrow type, rounded to so many decimals; None leaves them as they are."""

    kind: Any
    decimals: int | None = None

    def cells(self, values: Floats) -> Any:
        values = on_grid(values, self.decimals)
        if T.is_integer(self.kind):
            return pa.array(_whole(values, self.kind), self.kind)
        if T.is_decimal(self.kind):
            texts = [f"{value:.{self.kind.scale}f}" for value in values.tolist()]
            return pa.array([Decimal(text) for text in texts], self.kind)
        if is_of_time(self.kind):
            held = pa.int32() if self.kind.bit_width == 32 else pa.int64()
            return pa.array(_whole(values, held), held).cast(self.kind)
        # -0.0 + 0.0 is 0.0: one zero, not two that look different.
        return pa.array(values + 0.0).cast(self.kind)


def form_of(column: Any, values: Floats, rounding: str) -> Numbers:
    """The form of the numbers that a column of Arrow said, NaN where it said none."""
    kind = column.type.value_type if T.is_dictionary(column.type) else column.type
    if is_of_time(kind):
        return Numbers(kind, 0)
    if rounding == "none" or T.is_boolean(kind):
        return Numbers(kind if T.is_floating(kind) else pa.float64())
    if T.is_integer(kind):
        return Numbers(kind, 0)
    if T.is_decimal(kind):
        return Numbers(kind, kind.scale)
    present = values[~np.isnan(values)]
    if T.is_floating(kind):
        return Numbers(kind, decimals_of(present, kind.to_pandas_dtype()))
    return _form_of_texts(column, present)


def _form_of_texts(column: Any, present: Floats) -> Numbers:
    if not T.is_string(column.type) and not T.is_large_string(column.type):
        return Numbers(pa.float64(), decimals_of(present))
    text = pc.utf8_trim_whitespace(column)
    said = text.filter(pc.fill_null(pc.not_equal(text, ""), False))
    whole, places = grid_of_texts(said) if len(said) else (False, None)
    kind = type_of_texts(whole, places or 0, float(np.abs(present).max(initial=0.0)))
    if T.is_floating(kind):
        return Numbers(kind, decimals_of(present))
    return Numbers(kind, 0 if whole else places)


def grid_of_texts(said: Any) -> tuple[bool, int | None]:
    """Whether all texts of numbers are whole, and how many decimals all have, if so many each."""
    if _all_match(said, WHOLE):
        return True, 0
    first = str(said[0].as_py())
    places = len(first) - first.find(".") - 1 if "." in first else 0
    alike = 0 < places <= MOST_DECIMALS
    return False, places if alike and _all_match(said, rf"^[+-]?\d*\.\d{{{places}}}$") else None


def type_of_texts(whole: bool, places: int, largest: float) -> Any:
    """The type of numbers that were texts: whole, of so many decimals each, or neither."""
    if largest < 10.0 ** (DIGITS - MOST_DECIMALS):
        if whole:
            return pa.int64() if largest < EXACT else pa.decimal128(DIGITS, 0)
        if places:
            return pa.decimal128(DIGITS, places)
    return pa.float64()


def decimals_of(values: Floats, kind: Any = np.float64) -> int | None:
    """The fewest decimals that all values can be written with; None for more than a few."""
    for decimals in range(MOST_DECIMALS + 1):
        if np.array_equal(on_grid(values, decimals).astype(kind), values.astype(kind)):
            return decimals
    return None


def on_grid(values: Floats, decimals: int | None) -> Floats:
    """Numbers with so many decimals, the even one where two are as near; large ones as they are."""
    if decimals is None:
        return values
    with np.errstate(over="ignore"):  # infinite is large, too
        scaled = values * 10.0**decimals
    return np.where(np.abs(scaled) < EXACT, np.rint(scaled) / 10.0**decimals, values)


def _all_match(texts: Any, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())


def _whole(values: Floats, kind: Any) -> Any:
    """Whole numbers within the range of a type, exactly."""
    range_ = np.iinfo(kind.to_pandas_dtype())
    low, high = int(range_.min), int(range_.max)
    rounded = np.rint(values)
    if np.abs(rounded).max(initial=0.0) < EXACT:
        return rounded.clip(low, high).astype(range_.dtype)
    return [min(max(int(value), low), high) for value in rounded.tolist()]
