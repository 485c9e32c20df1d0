"""Columns brought to the one notation that `values.cells` knows, and what notation they had.

What is missing becomes null, decimals get a point. What was found is said, so that nobody has to
guess what was done to a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tokumei.values.cells import USUAL_WORDS, number_in
from tokumei.values.notation import Notation

COMMA = r"^[+-]?(\d+(,\d*)?|,\d+)([eE][+-]?\d+)?$"
# One comma before three digits may be a mark between thousands as well.
THOUSANDS = r"^[+-]?\d{1,3}(,\d{3})+$"
POINTS_BETWEEN = r"^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$"
COMMAS_BETWEEN = r"^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$"
# Of two marks in one number the last is that of decimals.
BOTH = {",": r"^[+-]?\d{1,3}(\.\d{3})+,\d*$", ".": r"^[+-]?\d{1,3}(,\d{3})+\.\d*$"}


@dataclass(frozen=True)
class Decimals:
    """How numbers with a decimal point are made of texts: without a mark, a comma being a point."""

    without: str = ""
    comma: bool = True

    def applied(self, text: Any) -> Any:
        """The texts with a decimal point, or none."""
        if self.without:
            text = pc.replace_substring(text, self.without, "")
        return pc.replace_substring(text, ",", ".") if self.comma else text


@dataclass(frozen=True)
class Marks:
    """Which notations fit all texts of a column, or of a part of it; those of parts add up."""

    said: bool = False  # something
    commas: bool = False  # in some text
    decimal_commas: bool = True  # in all texts, or no comma
    thousands: bool = True  # every comma may be one between thousands
    points_between: bool = True  # thousands, in all texts
    commas_between: bool = True  # thousands, in all texts, or no comma
    either: bool = True  # a decimal comma, or points between thousands
    last: frozenset[str] = frozenset()  # the later one of two marks in a text

    def merged(self, other: Marks) -> Marks:
        return Marks(
            self.said or other.said,
            self.commas or other.commas,
            self.decimal_commas and other.decimal_commas,
            self.thousands and other.thousands,
            self.points_between and other.points_between,
            self.commas_between and other.commas_between,
            self.either and other.either,
            self.last | other.last,
        )

    def decimals(self, decimal: str | None) -> Decimals | None:
        """What is to be done to the texts, where something is; `decimal` is the mark, if known."""
        if decimal is None and len(self.last) == 1:
            (decimal,) = self.last
        if not self.said:
            return None
        if not self.commas:
            return Decimals(".") if decimal == "," and self.points_between else None
        if decimal == ".":
            return Decimals(",", comma=False) if self.commas_between else None
        if self.decimal_commas:  # unless nobody can know
            return None if decimal is None and self.thousands else Decimals()
        return Decimals(".") if decimal == "," and self.either else None


def read(
    column: Any, words: Sequence[str] | None, decimal: str | None = None, *, numbers: bool = True
) -> tuple[Any, Notation]:
    """A column in the one notation, and the notation it had; itself where they are the same.

    `words` are missing, the usual ones of R and pandas by default; `decimal` is the mark of
    decimals, found where none is said. Texts that are to be no `numbers` keep their commas.
    """
    if not holds_text(column.type):
        return numbers_without(column, words or ())
    cells, text, missing = without_words(column, words)
    if numbers and (decimal == "," or pc.any(pc.match_substring(text, ",")).as_py()):
        found = marks_of(text).decimals(decimal)
        if found is not None:
            return found.applied(text), Notation(missing, comma=found.comma)
    return cells, Notation(missing)


def without_words(column: Any, words: Sequence[str] | None) -> tuple[Any, Any, dict[str, int]]:
    """Texts but for the words that mean none; the same trimmed; and how often each was there."""
    known = USUAL_WORDS if words is None else words
    text = pc.utf8_trim_whitespace(column.cast(pa.large_string()))
    absent = pc.is_in(text, pa.array(list(known), pa.large_string()))
    missing: dict[str, int] = {}
    if pc.any(absent).as_py():
        counts = pc.value_counts(text.filter(absent)).to_pylist()
        missing = {each["values"]: each["counts"] for each in counts}
        column = pc.if_else(absent, pa.scalar(None, column.type), _plain(column))
        text = pc.if_else(absent, pa.scalar(None, text.type), text)
    return column, text, missing


def marks_of(text: Any) -> Marks:
    """The marks of trimmed texts, null or blank where nothing is said."""
    said = pc.drop_null(pc.if_else(pc.equal(text, ""), pa.scalar(None, text.type), text))
    with_comma = said.filter(pc.match_substring(said, ","))
    either = pc.or_(
        pc.match_substring_regex(said, COMMA), pc.match_substring_regex(said, POINTS_BETWEEN)
    )
    between = pc.or_(
        pc.match_substring_regex(said, COMMAS_BETWEEN), pc.invert(pc.match_substring(said, ","))
    )
    both = with_comma.filter(pc.match_substring(with_comma, "."))
    return Marks(
        len(said) > 0,
        len(with_comma) > 0,
        _all_match(said, COMMA),
        _all_match(with_comma, THOUSANDS),
        _all_match(said, POINTS_BETWEEN),
        _all(between),
        _all(either),
        frozenset(mark for mark, pattern in BOTH.items() if _some_match(both, pattern)),
    )


def _plain(column: Any) -> Any:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def holds_text(kind: Any) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def numbers_without(column: Any, words: Sequence[str]) -> tuple[Any, Notation]:
    """A column of numbers without those that stand for a missing cell."""
    types = pa.types
    if not (types.is_integer(column.type) or types.is_floating(column.type)):
        return column, Notation()
    missing = {}
    for word in words:
        number = number_in(word)
        if number is None or number != number:
            continue
        absent = pc.equal(column.cast(pa.float64(), safe=False), number)
        found = pc.sum(absent).as_py() or 0
        if found:
            missing[word] = found
            column = pc.if_else(pc.fill_null(absent, False), pa.scalar(None, column.type), column)
    return column, Notation(missing)


def _all(found: Any) -> bool:
    return bool(pc.all(found, min_count=0).as_py())


def _all_match(texts: Any, pattern: str) -> bool:
    return _all(pc.match_substring_regex(texts, pattern))


def _some_match(texts: Any, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern), min_count=0).as_py())
