"""Values as they come, made ready for distances.

A column may be a numpy array, a list, or a pandas, polars or Arrow column; none of these libraries
is imported: a column is known by what it can do. Messages name the column, the rule, counts and
rows, never a value.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei._kernels import pairs as _kernels
from tokumei._kernels import values as _objects

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Distinct:
    """The distinct values of a column, how often each occurs, and for each record its number."""

    values: list[Any]
    counts: Integers
    numbers: Integers

    def __len__(self) -> int:
        return len(self.numbers)

    def rows_of(self, chosen: Collection[int]) -> tuple[int, int]:
        """How many records have one of these values, and the first row that does."""
        rows = np.flatnonzero(np.isin(self.numbers, list(chosen)))
        return rows.size, int(rows[0])


def read_numbers(values: Any, name: str) -> _check.Floats:
    """A finite table of numbers, not copied if need not be; a column becomes a table of one."""
    array: NDArray[Any] = values if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
    return _check.table_in_place(array[:, np.newaxis] if array.ndim == 1 else array, name)


def read_distinct(values: Any, name: str) -> Distinct:
    """The distinct values of a column of anything that can be counted."""
    if isinstance(values, np.ndarray):
        found = _of_array(values, name)
    elif hasattr(values, "dictionary_encode"):
        found = _of_arrow(values, name)
    elif hasattr(values, "factorize"):
        found = _of_pandas(values, name)
    else:
        found = _of_sequence(_listed(values, name), name)
    missing = [number for number, value in enumerate(found.values) if _is_missing(value)]
    if missing:
        count, row = found.rows_of(missing)
        raise ValueError(_missing_values(name, count, row))
    if len(found) == 0:
        msg = f"{name} is empty: 0 rows"
        raise ValueError(msg)
    return found


def split_columns(values: Any, name: str) -> list[Any]:
    """The columns of a table: a mapping, an array, a data frame, or a list of records."""
    if isinstance(values, Mapping):
        return list(values.values())
    if isinstance(values, np.ndarray):
        if values.dtype.names:
            return [values[field] for field in values.dtype.names]
        if values.ndim == 2:
            return list(values.T)
        msg = f"{name} must be a table of rows and columns, got {values.ndim} dimensions"
        raise ValueError(msg)
    if hasattr(values, "iloc") and hasattr(values, "columns"):
        return [values.iloc[:, column] for column in range(values.shape[1])]
    if hasattr(values, "get_columns"):
        return list(values.get_columns())
    if hasattr(values, "itercolumns"):
        return list(values.itercolumns())
    records = _listed(values, name)
    if not all(isinstance(record, tuple | list) for record in records):
        msg = f"{name} must be a table: a data frame, an array, a mapping, or a list of records"
        raise TypeError(msg)
    if len({len(record) for record in records}) > 1:
        msg = f"{name} must be a table: its records differ in length"
        raise ValueError(msg)
    return [list(column) for column in zip(*records, strict=True)]


def _of_array(values: NDArray[Any], name: str) -> Distinct:
    if values.ndim != 1:
        msg = f"{name} must be one column, got {values.ndim} dimensions"
        raise ValueError(msg)
    if isinstance(values, np.ma.MaskedArray):
        masked = np.flatnonzero(np.ma.getmaskarray(values))
        if masked.size:
            raise ValueError(_missing_values(name, masked.size, int(masked[0])))
        values = values.data
    if values.dtype.hasobject:
        return _of_sequence(values.tolist(), name)
    if not values.size:
        return _of_sequence([], name)
    if values.dtype.kind == "f":
        # The two zeros are one value, and have one pattern of bits after this.
        values = values + 0.0
    numbers = np.empty(values.size, dtype=np.int64)
    first_rows = np.empty(values.size, dtype=np.int64)
    rows = np.ascontiguousarray(values).view(np.uint8)
    found = _kernels.distinct_bytes(rows, values.dtype.itemsize, numbers, first_rows)
    return _numbered(values[first_rows[:found]].tolist(), numbers)


def _of_arrow(values: Any, name: str) -> Distinct:
    if values.null_count:
        row = int(np.flatnonzero(np.asarray(values.is_null()))[0])
        raise ValueError(_missing_values(name, values.null_count, row))
    encoded = values.dictionary_encode()
    if hasattr(encoded, "combine_chunks"):
        encoded = encoded.combine_chunks()
    numbers = np.asarray(encoded.indices).astype(np.int64)
    return _numbered(encoded.dictionary.to_pylist(), numbers)


def _of_pandas(values: Any, name: str) -> Distinct:
    numbers, distinct = values.factorize()
    missing = np.flatnonzero(numbers < 0)
    if missing.size:
        raise ValueError(_missing_values(name, missing.size, int(missing[0])))
    return _numbered(list(distinct), numbers.astype(np.int64))


def _of_sequence(items: list[Any], name: str) -> Distinct:
    numbers = np.empty(len(items), dtype=np.int64)
    try:
        return _numbered(_objects.number_objects(items, numbers), numbers)
    except TypeError:
        msg = f"{name} must hold values that can be hashed, such as text or numbers"
        raise TypeError(msg) from None


def _numbered(values: list[Any], numbers: Integers) -> Distinct:
    """Values by number; those of a dictionary may be unused, or repeated after a merge."""
    counts = np.bincount(numbers, minlength=len(values))
    if not counts.all() or len(set(values)) < len(values):
        used = dict.fromkeys(values[number] for number in np.flatnonzero(counts))
        place = {value: number for number, value in enumerate(used)}
        numbers = np.array([place.get(value, -1) for value in values])[numbers]
        values, counts = list(used), np.bincount(numbers, minlength=len(used))
    return Distinct(values, counts, numbers)


def _listed(values: Any, name: str) -> list[Any]:
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        msg = f"{name} must be a column of values, got {type(values).__name__}"
        raise TypeError(msg)
    for convert in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, convert):
            items: list[Any] = getattr(values, convert)()
            return items
    return list(values)


def _is_missing(value: object) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)  # NaN and its relatives
    except (TypeError, ValueError):
        return True


def _missing_values(name: str, count: int, row: int) -> str:
    return f"{name} has {count} missing values (first in row {row}); fill or drop them first"
