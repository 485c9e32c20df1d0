"""Quasi-identifiers from cells: numbers, or categories with codes.

The only place where cells become numbers. A text is a number when it is written as one, 7, -1.50 or
2e3, with blanks around it or not. What a column is, is said by the job or seen from its cells: a
text column in which some cell looks like a number is meant to be numeric, so that a slip of the pen
or a decimal comma is not taken for a category; any other is nominal.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei._check import LARGEST, Floats
from tokumei.release.errors import InputError, as_input_error, counted
from tokumei.release.io.frames import Frame, columns_of
from tokumei.release.mask.attributes import Attribute, Categories, Numbers
from tokumei.release.schema import Columns
from tokumei.values.hierarchy import Hierarchy

NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
MISSING = r"^(|[+-]?[nN][aA][nN])$"
INFINITE = r"^[+-]?(?i:inf|infinity)$"
LIKE_A_NUMBER = rf"({NUMBER})|({INFINITE})|(^[+-]?\d+([.,' ]\d+)+$)"
# The representatives of each kind; the first is the one where none is asked for.
HOWS = {
    "numeric": ("mean", "median", "interval"),
    "ordinal": ("median", "mode", "interval", "set"),
    "nominal": ("mode", "set"),
    "tree": ("ancestor", "mode", "set"),
}


def attributes(table: Any, columns: Columns, step: Any) -> list[Attribute]:
    """The columns of an Arrow table by their kinds, or an error that names all that cannot be."""
    found: list[Attribute] = []
    faults = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        with as_input_error(f"column {name!r} cannot be read"):
            attribute, fault = _attribute(name, plain(column), _order_of(column), columns, step)
        if fault:
            faults.append(f"column {name!r} has {fault}")
        found.append(attribute)
    if faults:
        raise InputError("; ".join(faults))
    return found


def _attribute(
    name: str, column: Any, order: Sequence[Any] | None, columns: Columns, step: Any
) -> tuple[Numbers | Categories, str]:
    kind = _kind(name, column, order, columns)
    how = step.represent.get(name, HOWS[kind][0])
    if how not in HOWS[kind]:
        msg = f"column {name!r} is {kind}: it is represented by {' or '.join(HOWS[kind])}"
        raise InputError(msg)
    if kind == "numeric":
        values, invalid = numbers_in(column)
        return Numbers(name, values, how), fault_of(values, invalid, step.missing)
    absent = int(pc.sum(absent_in(column)).as_py() or 0)
    fault = counted(absent, "missing value") if absent and step.missing == "refuse" else ""
    return _categories(name, kind, how, column, columns.orders.get(name, order), columns), fault


def _kind(name: str, column: Any, order: Sequence[Any] | None, columns: Columns) -> str:
    if name in columns.kinds:
        return columns.kinds[name]
    if name in columns.trees:
        return "tree"
    if name in columns.orders or order is not None:
        return "ordinal"
    if pa.types.is_boolean(column.type):
        return "nominal"
    if not is_text(column.type):
        return "numeric"
    looks = pc.match_substring_regex(pc.utf8_trim_whitespace(column), LIKE_A_NUMBER)
    empty = len(column) == 0 or pc.all(absent_in(column)).as_py()
    return "numeric" if empty or pc.any(looks).as_py() else "nominal"


def _categories(
    name: str, kind: str, how: str, column: Any, order: Sequence[Any] | None, columns: Columns
) -> Categories:
    """Codes in the order of the categories, and the first row of each."""
    absent = absent_in(column).to_numpy(zero_copy_only=False)
    encoded = _encoded(column)
    values = encoded.dictionary.to_pylist()
    raw = np.where(absent, -1, pc.fill_null(encoded.indices, 0).to_numpy(zero_copy_only=False))
    used = np.unique(raw[~absent])
    known = [values[code] for code in used]
    hierarchy: Hierarchy | None = None
    try:
        if kind == "tree":
            hierarchy = columns.trees[name]
            counts = np.bincount(raw[~absent])[used]
            places = hierarchy.find(known, counts, f"column {name!r}")
            names = list(hierarchy.nodes)
        else:
            names = sorted(known) if order is None else _ordered(name, known, order)
            position = {value: place for place, value in enumerate(names)}
            places = np.array([position[value] for value in known], dtype=np.int64)
    except (TypeError, ValueError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    renamed = np.full(len(values) + 1, -1, dtype=np.int64)
    renamed[used] = places
    codes = renamed[raw]
    rows = np.full(len(names), -1, dtype=np.int64)
    there = np.flatnonzero(~absent)
    rows[codes[there][::-1]] = there[::-1]
    texts = pc.if_else(pa.array(absent), pa.scalar(None, column.type), column)
    return Categories(name, kind, how, codes, [_text(v) for v in names], rows, hierarchy, texts)


def _ordered(name: str, known: list[Any], order: Sequence[Any]) -> list[Any]:
    listed = list(dict.fromkeys(order))
    unknown = len(set(known) - set(listed))
    if unknown:
        msg = f"column {name!r} holds {unknown} different values that are not in its order"
        raise ValueError(msg)
    return listed


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_text(kind: Any) -> bool:
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def plain(column: Any) -> Any:
    """The column without a dictionary, text in one type."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.cast(pa.large_string()) if is_text(column.type) else column


def _order_of(column: Any) -> Sequence[Any] | None:
    """The order that an ordered dictionary brings along."""
    if not pa.types.is_dictionary(column.type) or not column.type.ordered:
        return None
    parts = column.unify_dictionaries().chunks
    order: list[Any] = parts[0].dictionary.to_pylist() if parts else []
    return order


def absent_in(column: Any) -> Any:
    """Which cells are missing: null, not a number, or a text of blanks."""
    if is_text(column.type):
        blank = pc.equal(pc.utf8_trim_whitespace(column), "")
        return pc.fill_null(blank, True)
    return pc.is_null(column, nan_is_null=True)


def weights(frame: Frame, name: str | None) -> Floats | None:
    """How much each record counts in a mean: finite numbers, not negative."""
    if name is None:
        return None
    values = numbers_of(frame, name, "the weight")
    negative = int((values < 0).sum())
    if negative:
        msg = f"column {name!r}, the weight, has {counted(negative, 'negative value')}"
        raise InputError(msg)
    return values


def numbers_of(frame: Frame, name: str, what: str) -> Floats:
    """The numbers of a column, none missing; `what` says in a message what it is there for."""
    values, invalid = numbers_in(plain(columns_of(frame, [name]).column(0)))
    fault = fault_of(values, invalid, "refuse")
    if fault:
        msg = f"column {name!r}, {what}, has {fault}"
        raise InputError(msg)
    return values


def joint(frame: Frame, names: Sequence[str]) -> Any:
    """The joint value of some columns for each row, or None of no column; none may be missing."""
    if not names:
        return None
    columns = columns_of(frame, names)
    for name, column in zip(names, columns.columns, strict=True):
        absent = int(pc.sum(absent_in(plain(column))).as_py() or 0)
        if absent:
            msg = f"column {name!r} has {counted(absent, 'missing value')}"
            raise InputError(msg)
    codes = [
        _encoded(plain(column)).indices.to_numpy(zero_copy_only=False) for column in columns.columns
    ]
    return np.unique(np.column_stack(codes), axis=0, return_inverse=True)[1]


def _encoded(column: Any) -> Any:
    encoded = pc.dictionary_encode(column).combine_chunks()
    return encoded.chunk(0) if isinstance(encoded, pa.ChunkedArray) else encoded


def numbers_in(column: Any) -> tuple[Floats, int]:
    """The numbers of a column, NaN where there is none, and how many cells are something else."""
    kind = column.type
    if is_text(kind):
        return _texts(column)
    if any(test(kind) for test in NUMERIC):
        return _floats(column), 0
    return np.full(len(column), np.nan), len(column)


NUMERIC = (
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_boolean,
    pa.types.is_null,
)


def _texts(column: Any) -> tuple[Floats, int]:
    text = pc.utf8_trim_whitespace(column)
    with suppress(pa.ArrowInvalid):
        values = _floats(text)
        if np.isfinite(values).all():
            return values, 0
    # Not all are numbers: count what each of the others is.
    numeric = pc.match_substring_regex(text, NUMBER)
    infinite = pc.match_substring_regex(text, INFINITE)
    known = pc.or_(pc.or_(numeric, infinite), pc.match_substring_regex(text, MISSING))
    invalid = pc.sum(pc.invert(known)).as_py() or 0
    nothing = pa.scalar(None, pa.large_string())
    values = _floats(pc.if_else(numeric, text, nothing))
    values[_floats(infinite) == 1.0] = np.inf
    return values, invalid


def _floats(column: Any) -> Floats:
    values: Floats = np.array(pc.cast(column, pa.float64(), safe=False).to_numpy())
    return values


def fault_of(values: Floats, invalid: int, policy: str) -> str:
    missing = int(np.isnan(values).sum()) - invalid if policy == "refuse" else 0
    infinite = int(np.isinf(values).sum())
    large = int((np.abs(values) > LARGEST).sum()) - infinite
    not_numbers = "that is not a number" if invalid == 1 else "that are not numbers"
    counts = (
        (invalid, f"{counted(invalid, 'cell')} {not_numbers}"),
        (missing, counted(missing, "missing value")),
        (infinite, counted(infinite, "infinite value")),
        (large, f"{counted(large, 'value')} beyond {LARGEST:g}"),
    )
    return ", ".join(words for number, words in counts if number)
