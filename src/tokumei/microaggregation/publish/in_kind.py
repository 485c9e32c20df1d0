"""Published values in the kind of table that came in: a dataframe, a mapping, an array."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check


def in_kind(X: Any, masked: _check.Floats, *, row_labels: bool = True) -> Any:
    """A table of numbers as the kind that `X` is, a column in the place of each of its own.

    A dataframe keeps its dtypes where they hold the values; that of pandas keeps its row labels, or
    gets new ones where rows are no longer those that came.
    """
    if isinstance(X, Mapping):
        return {name: masked[:, j] for j, name in enumerate(X)}
    if not hasattr(X, "columns"):
        return masked
    if not row_labels and hasattr(X, "reset_index"):
        X = X.reset_index(drop=True)
    names = list(X.column_names if hasattr(X, "column_names") else X.columns)
    return like(X, {name: masked[:, j] for j, name in enumerate(names)}, {})


def with_row_labels(made: Any, X: Any) -> Any:
    """A table made of others' rows with the row labels that `X` has, where it is one of pandas."""
    return made.set_axis(X.index) if hasattr(made, "set_axis") and hasattr(X, "index") else made


def like(X: Any, published: Mapping[Any, Any], chosen: Mapping[Any, _check.Labels]) -> Any:
    """A dataframe of the same library: numbers, and cells of the rows that are chosen."""
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        msg = "dataframes go out by narwhals: install tokumei[tables], or give an array"
        raise ImportError(msg) from None
    frame = nw.from_native(X, eager_only=True)
    series = []
    for name in frame.columns:
        had = frame.get_column(name)
        if name in chosen:
            series.append(had[chosen[name].tolist()])
            continue
        made = nw.new_series(name, published[name], backend=frame.implementation)
        if _holds(had.dtype, published[name]):
            if frame.implementation.is_pandas():
                native = made.to_native().astype(had.to_native().dtype)
                made = nw.from_native(native, series_only=True)
            else:
                made = made.cast(had.dtype)
        series.append(made)
    if frame.implementation.is_pandas():
        columns = {one.name: one.to_native().set_axis(X.index) for one in series}
        return X.assign(**columns) if all(isinstance(n, str) for n in columns) else type(X)(columns)
    return frame.with_columns(*series).to_native()


def _holds(dtype: Any, values: NDArray[Any]) -> bool:
    """Whether numbers may have that dtype: a float of any width, or whole where all of them are."""
    if dtype.is_float():
        return True
    if str(dtype) == "Boolean":
        return bool(np.isin(values, (0.0, 1.0)).all())
    if not dtype.is_integer() or str(dtype).endswith("128"):
        return False
    ends = np.iinfo(str(dtype).lower())
    whole = (values == np.floor(values)).all() and np.abs(values).max() < 2**53
    return bool(whole and ends.min <= values.min() and values.max() <= ends.max)
