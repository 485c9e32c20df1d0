"""The table that an estimator was fitted on, known again without being kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from tokumei.values.column import Column
from tokumei.values.tables import split


class FittedTable:
    """A keyed hash of a whole table: says whether another is the same, and nothing of its cells.

    One hash of all records, not one of each: whoever holds it must guess all of them at once.
    """

    def __init__(self, table: Any) -> None:
        self._key = os.urandom(32)
        self._hash = self._of(table)

    def is_same(self, table: Any) -> bool:
        """Whether it has the same cells in the same order, whatever library holds them."""
        return self._of(table) == self._hash

    def _of(self, table: Any) -> bytes:
        made = hashlib.blake2b(key=self._key)
        arrays = isinstance(table, np.ndarray) and table.dtype.kind in "biuf"
        columns: Mapping[Any, Any] = dict(enumerate(table.T)) if arrays else split(table, "X")
        for place, each in enumerate(columns.values()):
            column = Column(each)
            numeric = column.kind in ("numeric", "boolean")
            cells = column.numbers + 0.0 if numeric else column.codes  # both zeros are one value
            known = () if numeric else column.categories
            made.update(f"{place} {len(cells)} {numeric} {known!r}".encode())
            made.update(np.ascontiguousarray(cells).data)
        return made.digest()
