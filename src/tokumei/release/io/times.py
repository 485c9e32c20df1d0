"""Columns of time as what can be measured: spans as whole numbers, moments by their own clock."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

T = pa.types


def is_of_time(kind: Any) -> bool:
    """Whether a type is of durations or of times of day."""
    return bool(T.is_duration(kind) or T.is_time(kind))


def measured(column: Any) -> Any:
    """A column of durations or of times of day as the whole numbers that it holds."""
    if is_of_time(column.type):
        return column.cast(pa.int32() if column.type.bit_width == 32 else pa.int64())
    return column


def wall_time(column: Any) -> Any:
    """A column of moments by the clock of its time zone."""
    zone = pa.types.is_timestamp(column.type) and column.type.tz is not None
    return pc.local_timestamp(column) if zone else column
