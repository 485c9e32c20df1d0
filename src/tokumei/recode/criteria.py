"""What a group of records must fulfil so that it may be published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tokumei import _check

# Given the group of each distinct row, and the number of groups: whether each group may be shown.
Criterion = Callable[[_check.Labels, int], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class AtLeastRecords:
    """Groups of at least k records; `counts` are those of the distinct rows."""

    counts: _check.Labels
    k: int

    def __call__(self, group: _check.Labels, groups: int) -> NDArray[np.bool_]:
        return np.bincount(group, weights=self.counts, minlength=groups) >= self.k


@dataclass(frozen=True, eq=False)
class AtLeastValues:
    """Groups with at least l different sensitive values.

    `rows` and `codes` are the distinct pairs of a row and a sensitive value.
    """

    rows: _check.Labels
    codes: _check.Labels
    l: int  # noqa: E741

    def __call__(self, group: _check.Labels, groups: int) -> NDArray[np.bool_]:
        kinds = int(self.codes.max()) + 1
        pairs = np.unique(group[self.rows] * kinds + self.codes)
        return np.bincount(pairs // kinds, minlength=groups) >= self.l
