"""Columns of pandas and polars made again from their cells, as `plain` does it for Arrow."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tokumei.release.errors import InputError
from tokumei.release.io import plain

# What a cell of a column of objects may be: values that hold nothing but themselves.
PLAIN = (str, bytes, bool, int, float, complex, Decimal, date, datetime, time, timedelta, UUID)


def remade_pandas(native: Any) -> Any:
    """A pandas table of the same cells: rows from 0, no notes, in memory of its own."""
    pandas = sys.modules["pandas"]
    names = [str(name) for name in native.columns]
    columns = {
        name: _pandas_column(name, native.iloc[:, place]) for place, name in enumerate(names)
    }
    made = pandas.DataFrame(columns, index=pandas.RangeIndex(len(native)), copy=True)
    made.columns = pandas.Index(names)
    return made


def _pandas_column(name: str, column: Any) -> Any:
    pandas = sys.modules["pandas"]
    dtype, array = column.dtype, column.array
    if isinstance(dtype, np.dtype):
        objects = dtype == np.dtype(object)
        return _objects(name, column) if objects else plain_array(column.to_numpy())
    if isinstance(dtype, pandas.CategoricalDtype):
        return _categories(name, array)
    if isinstance(dtype, pandas.ArrowDtype):
        made = plain.remade_column(pa.chunked_array(pa.array(column)))
        return pandas.array(made, dtype=pandas.ArrowDtype(made.type))
    if isinstance(dtype, pandas.StringDtype):
        cells = [None if missing else str(cell) for cell, missing in _cells(column)]
        fresh = pandas.StringDtype(dtype.storage, na_value=dtype.na_value)
        return pandas.array(cells, dtype=fresh)
    if hasattr(array, "_mask"):  # numbers and truth values beside a mask
        held = plain_array(column.to_numpy(dtype=dtype.numpy_dtype, na_value=dtype.type(0)))
        return type(array)(held, np.array(column.isna(), dtype=bool))
    if isinstance(dtype, pandas.DatetimeTZDtype):
        moments = np.array(column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
        try:
            zone = pandas.api.types.pandas_dtype(str(dtype)).tz
        except Exception:
            raise InputError(_not_released(name, "times of a zone that is not known")) from None
        return pandas.DatetimeIndex(moments).tz_localize("UTC").tz_convert(zone).array
    if isinstance(dtype, pandas.PeriodDtype):
        return pandas.PeriodIndex.from_ordinals(column.array.asi8.copy(), freq=dtype.freq).array
    raise InputError(_not_released(name, "cells of an unknown make"))


def pandas_like(had: Any, cells: Any) -> Any:
    """Cells of Arrow as a pandas column of the dtype that another has, where they fit into it."""
    pandas, dtype = sys.modules["pandas"], had.dtype
    if isinstance(dtype, pandas.ArrowDtype):
        return pandas.Series(pandas.array(cells, dtype=dtype), name=had.name)
    if dtype == np.dtype(object) or isinstance(dtype, pandas.CategoricalDtype):
        found = pandas.Series(cells.to_pylist(), dtype=object, name=had.name)
        known = dtype != np.dtype(object) and found.dropna().isin(dtype.categories).all()
        return found.astype(dtype) if known else found
    if hasattr(had.array, "_mask"):  # numbers and truth values beside a mask
        return pandas.Series(cells.to_pylist(), dtype=dtype, name=had.name)
    made = cells.to_pandas().rename(had.name)
    return made if dtype.kind in "iub" and cells.null_count else made.astype(dtype)


def plain_array(array: NDArray[Any]) -> NDArray[Any]:
    """An array of its own memory, with one NaN."""
    made = np.array(array, copy=True, order="C")
    if made.dtype.kind in "fc":
        made[np.isnan(made)] = np.nan
    return made


def _objects(name: str, column: Any) -> Any:
    made = np.empty(len(column), dtype=object)
    for row, (cell, missing) in enumerate(_cells(column)):
        made[row] = _no_value(cell) if missing else _plain_object(name, cell)
    return sys.modules["pandas"].Series(made, dtype=object)  # an array would become texts


def _cells(column: Any) -> Any:
    return zip(column.tolist(), np.asarray(column.isna()).tolist(), strict=True)


def _no_value(cell: Any) -> Any:
    """What is missing, as it is said: None, NaN, or what pandas says."""
    pandas = sys.modules["pandas"]
    if cell is None or cell is pandas.NA or cell is pandas.NaT:
        return cell
    return np.nan


def is_plain(cell: Any) -> bool:
    """Whether a cell of a column of objects holds nothing but its value."""
    pandas = sys.modules["pandas"]
    kinds = (*PLAIN, type(None), pandas.Timestamp, pandas.Timedelta)
    return type(cell) in kinds or cell is pandas.NA or cell is pandas.NaT


def _plain_object(name: str, cell: Any) -> Any:
    if is_plain(cell):
        return cell
    if isinstance(cell, np.generic) and cell.dtype.kind in "biufSUmM":
        return cell.item() if cell.dtype.kind in "biufSU" else cell.copy()
    # A class made from one of these may carry more than its value.
    if isinstance(cell, str):
        return str.__str__(cell)
    if isinstance(cell, bytes):
        return bytes(cell)
    if isinstance(cell, int | float):
        return (int.__int__ if isinstance(cell, int) else float.__float__)(cell)  # type: ignore[arg-type]
    raise InputError(_not_released(name, "objects that are no numbers, texts or dates"))


def _categories(name: str, array: Any) -> Any:
    pandas = sys.modules["pandas"]
    codes = np.asarray(array.codes).astype(np.int64)
    used, places = np.unique(codes[codes >= 0], return_inverse=True)
    known: Sequence[Any] = _pandas_column(name, array.categories.take(used).to_series())
    categories = pandas.Index(known)
    if not array.ordered:
        order = np.asarray(categories.argsort())
        categories, places = categories.take(order), np.argsort(order)[places]
    held = np.full(len(codes), -1, dtype=np.int64)
    held[codes >= 0] = places
    return pandas.Categorical.from_codes(held, categories=categories, ordered=array.ordered)


def remade_polars(native: Any) -> Any:
    """A polars table of the same cells in memory of its own."""
    polars = sys.modules["polars"]
    columns = []
    for name in native.columns:
        series = native.get_column(name)
        if series.dtype == polars.Object or series.dtype in (polars.Int128, polars.UInt128):
            raise InputError(_not_released(name, "cells of an unknown make"))
        columns.append(_polars_column(str(name), series))
    return polars.DataFrame(columns)


def _polars_column(name: str, series: Any) -> Any:
    polars = sys.modules["polars"]
    if isinstance(series.dtype, polars.Enum | polars.Categorical):
        # Of an Enum the categories that occur, in their order; a Categorical has none of its own.
        enum = isinstance(series.dtype, polars.Enum)
        texts = _arrow_cells(series.cast(polars.String))
        dtype: Any = polars.Categorical()
        if enum:
            used = set(series.unique().drop_nulls().to_list())
            dtype = polars.Enum([each for each in series.dtype.categories if each in used])
        return polars.Series(name, texts).cast(dtype)
    return polars.Series(name, _arrow_cells(series), dtype=series.dtype)


def _arrow_cells(series: Any) -> Any:
    polars = sys.modules["polars"]
    return plain.remade_column(series.to_arrow(compat_level=polars.CompatLevel.oldest()))


def _not_released(name: str, what: str) -> str:
    return f"column {name!r} holds {what}, which is not released"
