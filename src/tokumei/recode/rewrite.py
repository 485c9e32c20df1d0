"""A table with some columns replaced, of the same kind as it came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def rewritten(
    data: Any, columns: Mapping[Any, NDArray[Any]], keep: NDArray[np.bool_] | None = None
) -> Any:
    """The table with new columns in place of old ones, without the rows that are not kept.

    A mapping becomes a dict of arrays, an array of two dimensions one of objects; a dataframe stays
    what it is, without row labels, which would lead from a row back to its source.
    """
    if isinstance(data, Mapping):
        whole = {name: columns.get(name, np.asarray(column)) for name, column in data.items()}
        return {name: column if keep is None else column[keep] for name, column in whole.items()}
    if isinstance(data, np.ndarray):
        made = data.astype(object)
        for name, column in columns.items():
            made[:, name] = column
        return made if keep is None else made[keep]
    # Needs narwhals; the array functions do not.
    import narwhals.stable.v2 as nw

    frame = nw.maybe_reset_index(nw.from_native(data, eager_only=True))
    series = [
        nw.new_series(str(name), column.tolist(), backend=frame.implementation)
        for name, column in columns.items()
    ]
    frame = frame.with_columns(*series)
    return nw.to_native(
        frame if keep is None else nw.maybe_reset_index(frame.filter(keep.tolist()))
    )
