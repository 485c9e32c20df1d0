"""Arrow columns as DuckDB can be lent them: the same cells, in types that it has."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tokumei.release.io.frames import without_dictionary

T = pa.types


def lendable(column: Any) -> Any:
    """The same cells in a type of DuckDB's; of spans of time the number of their units."""
    if isinstance(column.type, pa.BaseExtensionType):
        return lendable(column.cast(column.type.storage_type))
    column = without_dictionary(column)
    kind = column.type
    if T.is_null(kind):
        return column.cast(pa.string())
    if T.is_duration(kind):
        return column.cast(pa.int64())
    if T.is_float16(kind):
        return column.cast(pa.float32())
    if T.is_decimal256(kind):
        return column.cast(pa.float64())
    return column


def as_in_csv(column: Any) -> Any:
    """What is no number and no truth value as the text that stands for it in CSV."""
    kind = column.type
    plain = T.is_integer(kind) or T.is_floating(kind) or T.is_boolean(kind) or T.is_decimal(kind)
    return column if plain else pc.cast(column, pa.large_string())
