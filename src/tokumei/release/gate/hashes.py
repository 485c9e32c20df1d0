"""Hashes of whole records, from their cells as DuckDB reads them.

Every record has 128 bits under a key of this run. The sum of its halves over all records is the
same for the same records in any order, and for no others but by a chance of 2^-128: a multiset hash
(Clarke et al. 2003).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


def fresh_keys() -> tuple[int, int]:
    """Two keys that nobody knows."""
    one, other = np.frombuffer(os.urandom(16), np.uint64).tolist()
    return one, other


def of_records(
    arrays: Callable[[str], list[Any]], table: str, kinds: Mapping[str, str], keys: tuple[int, int]
) -> Hashes:
    """Two hashes of each record, in the order of the table: of its cells as these kinds."""
    cells = [as_kind(column, kind) for column, kind in kinds.items()]
    one, other = keys
    found = arrays(
        f"SELECT hash({one}::UBIGINT, {', '.join(cells)}) AS one, "
        f"hash({other}::UBIGINT, {', '.join(reversed(cells))}) AS other FROM {table}"
    )
    return np.column_stack(found)


def as_kind(column: str, kind: str) -> str:
    """A cell as that type of DuckDB's, in the one way in which equal cells have equal hashes."""
    if kind == "VARCHAR":
        return f"nullif(CAST({column} AS VARCHAR), '')"  # what is missing is an empty cell in CSV
    if kind.endswith("_NS"):  # with a time zone or without
        return f"epoch_ns(TRY_CAST({column} AS {kind}))"
    if kind.startswith("TIMESTAMP"):
        return f"epoch_us(TRY_CAST({column} AS {kind}))"
    return f"TRY_CAST({column} AS {kind})"


def total(hashes: Hashes) -> tuple[int, ...]:
    """The hash of all records together, however they are ordered."""
    return len(hashes), *hashes.sum(axis=0, dtype=np.uint64).tolist()
