"""Columns brought to the one notation that `values.cells` knows, and what notation they had.

What is missing becomes null, decimals get a point. What was found is said, so that nobody has to
guess what was done to a file.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def read(
    column: Any, words: Sequence[str] | None, decimal: str | None = None, *, numbers: bool = True
) -> tuple[Any, Notation]:
    """A column in the one notation, and the notation it had; itself where they are the same.

    `words` are missing, the usual ones of R and pandas by default; `decimal` is the mark of
    decimals, found where none is said. Texts that are to be no `numbers` keep their commas.
    """
    known = USUAL_WORDS if words is None else words
    if not _holds_text(column.type):
        return _numbers_without(column, known if words is not None else ())
    text = pc.utf8_trim_whitespace(column.cast(pa.large_string()))
    absent = pc.is_in(text, pa.array(list(known), pa.large_string()))
    missing: dict[str, int] = {}
    if pc.any(absent).as_py():
        counts = pc.value_counts(text.filter(absent)).to_pylist()
        missing = {each["values"]: each["counts"] for each in counts}
        column = pc.if_else(absent, pa.scalar(None, column.type), _plain(column))
        text = pc.if_else(absent, pa.scalar(None, text.type), text)
    if numbers and decimal is None:
        decimal = _mark_in(text)
    pointed = _with_points(text, decimal) if numbers else None
    if pointed is not None:
        return pointed, Notation(missing, comma=decimal != ".")
    return column, Notation(missing)


def _plain(column: Any) -> Any:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _holds_text(kind: Any) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _numbers_without(column: Any, words: Sequence[str]) -> tuple[Any, Notation]:
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


def _mark_in(text: Any) -> str | None:
    """The mark of decimals where a number has that between thousands too, and says so."""
    both = text.filter(pc.and_(pc.match_substring(text, ","), pc.match_substring(text, ".")))
    found = [
        mark
        for mark, pattern in BOTH.items()
        if pc.any(pc.match_substring_regex(both, pattern)).as_py()
    ]
    return found[0] if len(found) == 1 else None


def _with_points(text: Any, decimal: str | None) -> Any:
    """Texts of numbers with a decimal point, or None where they need no change or are none."""
    said = pc.drop_null(pc.if_else(pc.equal(text, ""), pa.scalar(None, text.type), text))
    if not len(said) or not pc.any(pc.match_substring(said, ",")).as_py():
        points = decimal == "," and len(said) and _all_match(said, POINTS_BETWEEN)
        return pc.replace_substring(text, ".", "") if points else None
    if decimal == ".":
        either = pc.or_(
            pc.match_substring_regex(said, COMMAS_BETWEEN),
            pc.invert(pc.match_substring(said, ",")),
        )
        return pc.replace_substring(text, ",", "") if pc.all(either).as_py() else None
    if _all_match(said, COMMA):
        with_comma = said.filter(pc.match_substring(said, ","))
        if decimal is None and _all_match(with_comma, THOUSANDS):
            return None  # nobody can know
        return pc.replace_substring(text, ",", ".")
    if decimal == ",":
        either = pc.or_(
            pc.match_substring_regex(said, COMMA), pc.match_substring_regex(said, POINTS_BETWEEN)
        )
        if pc.all(either).as_py():
            return pc.replace_substring(pc.replace_substring(text, ".", ""), ",", ".")
    return None


def _all_match(texts: Any, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())
