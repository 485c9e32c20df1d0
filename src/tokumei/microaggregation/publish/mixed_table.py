"""Tables of numbers and categories, every record replaced by what stands for its group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei import _check
from tokumei.microaggregation.mixed import nominal_columns
from tokumei.microaggregation.publish import representatives
from tokumei.microaggregation.publish.aggregate import aggregate_of, checked_weights
from tokumei.microaggregation.publish.in_kind import like
from tokumei.values.column import Column
from tokumei.values.columns import coded, numbers, ranked
from tokumei.values.tables import label, records, split, table


def aggregate_mixed(
    X: Any,
    categorical: Iterable[Any] | None,
    labels: ArrayLike,
    how: str,
    record_weights: ArrayLike | None,
    run: _check.Run,
) -> Any:
    """`aggregate` of a table with categories, in the kind that came in."""
    columns = table(X, "X")
    group, groups = _check.labels(labels, records(columns))
    weights = None if record_weights is None else checked_weights(record_weights, group, how)
    nominal = nominal_columns(columns, categorical)
    published: dict[Any, _check.Floats] = {}
    chosen: dict[Any, _check.Labels] = {}  # rows whose cells are published
    for name, column in columns.items():
        where = label("X", name)
        if name in nominal or column.kind == "ordered":
            chosen[name] = _rows(column, where, group, groups, ordered=name not in nominal)
        else:
            one = np.asfortranarray(numbers(column, where)[:, None])
            published[name] = aggregate_of(one, group, groups, how, weights, run)[:, 0]
    if isinstance(X, Mapping):
        return {
            name: published[name] if name in published else _taken(one, chosen[name])
            for name, one in split(X, "X").items()
        }
    if hasattr(X, "columns"):
        return like(X, published, chosen)
    array = np.asarray(X)
    kind = array.dtype if array.dtype.kind in "OSU" else np.result_type(array.dtype, np.float64)
    out = np.empty(array.shape, dtype=object if array.dtype.kind in "SU" else kind)
    for j in range(array.shape[1]):
        out[:, j] = published[j] if j in published else array[chosen[j], j]
    return out


def some_rows(masked: Any, rows: _check.Labels) -> Any:
    """Some records of a table that `aggregate_mixed` has made."""
    if isinstance(masked, Mapping):
        return {name: column[rows] for name, column in masked.items()}
    if not hasattr(masked, "columns"):
        return masked[rows]
    import narwhals.stable.v2 as nw

    return nw.from_native(masked, eager_only=True)[rows.tolist()].to_native()


def _rows(
    column: Column, name: str, group: _check.Labels, groups: int, *, ordered: bool
) -> _check.Labels:
    """A row whose category is published, for each record."""
    codes, known = coded(column, name)
    if not ordered:
        _, places = ranked(known, np.bincount(codes), None, name)
        codes = places[codes]
    pick = representatives.lower_medians if ordered else representatives.modes
    row = np.zeros(len(known), dtype=np.int64)
    row[codes[::-1]] = np.arange(len(codes))[::-1]
    found: _check.Labels = row[pick(codes, group, groups)][group]
    return found


def _taken(column: Any, rows: _check.Labels) -> NDArray[Any]:
    taken: NDArray[Any] = np.asarray(column)[rows]
    return taken
