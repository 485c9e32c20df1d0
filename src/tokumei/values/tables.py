"""Tables of any kind as named columns, and what the options of a measure say of them.

A table is a mapping of columns, a dataframe (pandas, polars, Arrow), what becomes one when it is
collected (lazy frames, relations of DuckDB, streams of Arrow), a structured array, or an array of
two dimensions whose columns go by their number. Messages name columns and count; they
never hold a value of the data.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from tokumei._check import collected
from tokumei.values.column import Column
from tokumei.values.columns import column

NUMBER, CATEGORY = "number", "category"


def table(values: Any, name: str) -> dict[Any, Column]:
    """The columns of a table by name, all of one length, at least one of each."""
    columns = split(values, name)
    if not columns:
        msg = f"{name} is empty: it has no columns"
        raise ValueError(msg)
    read = {key: column(one, label(name, key)) for key, one in columns.items()}
    lengths = {len(one) for one in read.values()}
    if len(lengths) > 1:
        msg = f"{name} has columns of different lengths, from {min(lengths)} to {max(lengths)}"
        raise ValueError(msg)
    return read


def pair_of_tables(
    original: Any, masked: Any, *, rows_match: bool = True
) -> tuple[dict[Any, Column], dict[Any, Column]]:
    """Two tables with the same columns, in the order of the first."""
    before, after = table(original, "original"), table(masked, "masked")
    if before.keys() != after.keys():
        msg = (
            "original and masked must have the same columns: "
            f"{len(before.keys() - after.keys())} are only in original, "
            f"{len(after.keys() - before.keys())} only in masked"
        )
        raise ValueError(msg)
    if rows_match:
        same_rows(before, after)
    return before, {key: after[key] for key in before}


def same_rows(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> None:
    """Complain of tables whose records cannot be the same ones."""
    if records(before) != records(after):
        msg = (
            "original and masked must have the same number of records, "
            f"got {records(before)} and {records(after)}"
        )
        raise ValueError(msg)


def records(columns: Mapping[Any, Any]) -> int:
    """The number of records of a table."""
    return len(next(iter(columns.values())))


def label(name: str, key: Hashable) -> str:
    """What a message calls a column."""
    return f"{name}: column {key!r}"


def of_columns(
    values: Mapping[Any, Any] | None, columns: Mapping[Any, Any], name: str
) -> Mapping[Any, Any]:
    """What an option says of some columns: a mapping whose keys are all names of columns."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        msg = f"{name} must map names of columns, got {type(values).__name__}"
        raise TypeError(msg)
    unknown = sum(key not in columns for key in values)
    if unknown:
        msg = f"{name} names {unknown} columns that original does not have"
        raise ValueError(msg)
    return values


def kinds_of(
    columns: Mapping[Any, Column],
    given: Mapping[Any, str] | None,
    *others: Mapping[Any, Column],
) -> dict[Any, str]:
    """Whether each column holds numbers or categories: as given, else as its values are.

    A column of numbers is one in all tables.
    """
    given_kinds = of_columns(given, columns, "kinds")
    for key, word in given_kinds.items():
        if word not in (NUMBER, CATEGORY):
            msg = f"kinds: column {key!r} must be {NUMBER!r} or {CATEGORY!r}"
            raise ValueError(msg)

    def kind(key: Any) -> str:
        every = all(table[key].kind == "numeric" for table in (columns, *others))
        return NUMBER if every else CATEGORY

    return {key: given_kinds[key] if key in given_kinds else kind(key) for key in columns}


def split(values: Any, name: str) -> dict[Any, Any]:
    """The columns of a table by name or number, as they come."""
    values, _ = collected(values, name)
    if isinstance(values, Mapping):
        return dict(values)
    keys = column_names(values)
    if keys is not None:
        if len(set(keys)) < len(keys):
            msg = f"{name} has {len(keys) - len(set(keys))} column names more than once"
            raise ValueError(msg)
        return {key: values[key] for key in keys}
    if isinstance(values, list | tuple) and all(isinstance(row, list | tuple) for row in values):
        if len(set(map(len, values))) > 1:
            msg = f"{name} must be a table: its rows differ in length"
            raise ValueError(msg)
        return dict(enumerate(map(list, zip(*values, strict=True))))
    array = values if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
    if array.ndim != 2:
        msg = (
            f"{name} must be a table: a mapping of columns, a dataframe, rows or an array of two "
            f"dimensions, got {array.ndim}"
        )
        raise TypeError(msg)
    return {j: array[:, j] for j in range(array.shape[1])}


def column_names(values: Any) -> list[Any] | None:
    """The names of the columns of a dataframe or a structured array; None where it has none."""
    dtype = getattr(values, "dtype", None)
    for names in (
        getattr(values, "column_names", None),
        getattr(values, "columns", None),
        getattr(dtype, "names", None),
    ):
        if names is not None:
            return list(names)
    return None
