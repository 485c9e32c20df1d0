"""The nearest released record: Gower's distance, ties to the lowest row."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Labels
from tokumei.risk.attacks.records import Records

CELLS = 1 << 18  # of a block of distances


def nearest(targets: Records, store: Records, names: Sequence[Hashable]) -> Labels:
    """For each target the first row of the store that is nearest to it in these columns.

    Numbers differ by their distance in parts of their range, categories by 0 or 1, and so do
    cells of which one is missing. Equal records of the store are compared once.
    """
    _, rows = store.alike(names)
    place = nearest_of(targets, store.rows(rows), names)
    return rows[place]


def nearest_of(targets: Records, store: Records, names: Sequence[Hashable]) -> Labels:
    """The same where no two records of the store are equal."""
    found = np.empty(len(targets), dtype=np.int64)
    step = max(CELLS // max(len(store), 1), 1)
    for begin in range(0, len(targets), step):
        part = slice(begin, begin + step)
        apart = np.zeros((len(found[part]), len(store)), dtype=np.float64)
        for name in names:
            one, other = targets.cells[name][part], store.cells[name]
            _add(apart, one, other, targets.scale.get(name))
        found[part] = apart.argmin(axis=1)
    return found


def _add(apart: NDArray[Any], one: NDArray[Any], other: NDArray[Any], scale: float | None) -> None:
    if scale is None:
        apart += one[:, None] != other[None, :]
        return
    differ = one[:, None] - other[None, :]
    np.abs(differ, out=differ)
    differ /= scale
    no_a, no_b = np.isnan(one), np.isnan(other)
    if no_a.any() or no_b.any():
        differ[no_a[:, None] != no_b[None, :]] = 1.0
        differ[no_a[:, None] & no_b[None, :]] = 0.0
    apart += differ
