"""Strata, which groups never cross: counted exactly, and numbered alike for every piece.

The number of a stratum is the first coordinate by which blocks are cut, so that a block has records
of one stratum only. What is grouped across blocks is grouped within strata.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Floats, Labels
from tokumei.release.errors import InputError, counted

MOST_STRATA = 1 << 12
Stratum = tuple[object, ...]


def codes_of(table: Any, names: Sequence[str]) -> tuple[Labels, list[Stratum]]:
    """A code for each record of an Arrow table, and the values that each code stands for."""
    codes = np.zeros(len(table), dtype=np.int64)
    known: list[Stratum] = [()]
    for name in names:
        column = table.column(name)
        whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        absent = whole.is_null(nan_is_null=True).true_count
        if absent:
            msg = f"column {name!r} has {counted(absent, 'missing value')}"
            raise InputError(msg)
        found = whole.dictionary_encode()
        values = found.dictionary.to_pylist()
        joint = codes * max(len(values), 1) + np.asarray(found.indices).astype(np.int64)
        used, codes = np.unique(joint, return_inverse=True)
        pairs = (divmod(code, max(len(values), 1)) for code in used.tolist())
        known = [(*known[before], values[place]) for before, place in pairs]
    return codes, known


def counts_in(table: Any, name: str) -> Counter[Stratum]:
    """How many records of a piece have each value of a column, none of which may be missing."""
    codes, known = codes_of(table, [name])
    counts: Counter[Stratum] = Counter()
    for value, rows in zip(known, np.bincount(codes, minlength=len(known)).tolist(), strict=True):
        counts[value] += rows
    return counts


def counts_of(table: Any, names: Sequence[str]) -> Counter[Stratum]:
    """How many records of each stratum a piece has."""
    codes, known = codes_of(table, names)
    counts: Counter[Stratum] = Counter()
    for stratum, rows in zip(known, np.bincount(codes, minlength=len(known)).tolist(), strict=True):
        counts[stratum] += rows  # two codes may stand for equal values: 0.0 and -0.0
    if len(counts) > MOST_STRATA:
        msg = f"there are more than {MOST_STRATA} strata"
        raise InputError(msg)
    return counts


def numbered(counts: Mapping[Stratum, int], k: int) -> dict[Stratum, int]:
    """A number for each stratum, all of which have k records or more."""
    few = sum(rows < k for rows in counts.values())
    if few or len(counts) > MOST_STRATA:
        fault = f"{few} of {len(counts)} strata have fewer than k = {k} members"
        raise InputError(fault if few else f"there are more than {MOST_STRATA} strata")
    order = sorted(counts, key=lambda stratum: [str(value) for value in stratum])
    return {stratum: number for number, stratum in enumerate(order)}


def numbers_of(table: Any, names: Sequence[str], numbers: Mapping[Stratum, int]) -> Labels:
    """The number of the stratum of each record."""
    codes, known = codes_of(table, names)
    of_code = np.array([numbers[stratum] for stratum in known], dtype=np.int64)
    found: Labels = of_code[codes]
    return found


def crossing(labels: Labels, strata: Labels) -> int:
    """How many groups have records of two strata or more."""
    groups = int(labels.max(initial=-1)) + 1
    first = np.zeros(groups, dtype=np.int64)
    first[labels[::-1]] = strata[::-1]
    return len(np.unique(labels[strata != first[labels]]))


def means_of(x: Floats, homes: Labels, strata_first: bool) -> Floats:
    """The mean of the members of a household, for each of them."""
    sizes = np.bincount(homes)
    found: Floats = np.asarray([(np.bincount(homes, axis) / sizes)[homes] for axis in x.T]).T
    if strata_first and (found[:, 0] != x[:, 0]).any():
        msg = "members of a household are in several strata"
        raise InputError(msg)
    return found
