"""The distance of records whose attributes are of different kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei import _check
from tokumei._check.cached import cached_property
from tokumei.distances.columns import Integers
from tokumei.distances.distance import Distance, Prepared
from tokumei.values.tables import split


@dataclass(frozen=True, eq=False)
class PreparedRecords(Prepared):
    """Columns that were prepared one by one, and how much each counts (None: not known yet)."""

    parts: list[Prepared]
    weights: _check.Floats | None

    def __len__(self) -> int:
        return len(self.parts[0])

    def apart(self, i: Integers, j: Integers, run: _check.Run) -> _check.Floats:
        if self.weights is None:
            msg = "weights='information' follow from a whole table; give weights as numbers instead"
            raise ValueError(msg)
        total = np.zeros(len(i))
        for part, weight in zip(self.parts, self.weights, strict=True):
            if weight > 0.0:
                total += weight * part.apart(i, j, run) ** 2
        return np.sqrt(total)

    @cached_property
    def _numbers(self) -> Integers:
        numbers = np.zeros(len(self), dtype=np.int64)
        for part in self.parts:
            own = part.numbers
            pairs = numbers * (int(own.max()) + 1) + own
            numbers = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
        return numbers

    @property
    def numbers(self) -> Integers:
        return self._numbers


@dataclass(frozen=True, init=False)
class Product(Distance):
    """Records as a whole: ``d^2 = sum_j w_j d_j^2``, one distance for each column.

    Takes a table: a data frame, an Arrow table, an array, a mapping of columns, or a list of
    records. Its columns belong to the distances by position.

    Parameters
    ----------
    *distances : Distance
        One for each column.
    weights : "information" or sequence of float
        How much each column counts: positive numbers, or one over the information amount of the
        column (power 2) in the original table, so that every column contributes alike. A column
        with no information, all its values being equal, then counts nothing.

    Examples
    --------
    >>> import tokumei as tk
    >>> person = tk.distances.Product(
    ...     tk.distances.Euclidean(), tk.distances.Discrete(), weights=[0.25, 1]
    ... )
    >>> person.between((34, "nurse"), (38, "nurse"))
    2.0
    """

    distances: tuple[Distance, ...]
    weights: str | tuple[float, ...] = field(default="information")

    def __init__(
        self, *distances: Distance, weights: str | Sequence[float] = "information"
    ) -> None:
        if not distances:
            msg = "a product needs at least one distance"
            raise ValueError(msg)
        for distance in distances:
            _check.instance(distance, Distance, "distances")
        object.__setattr__(self, "distances", distances)
        if isinstance(weights, str):
            _check.one_of(weights, ("information",), "weights")
            object.__setattr__(self, "weights", weights)
        else:
            numbers = _check.positive(weights, len(distances), "weights")
            object.__setattr__(self, "weights", tuple(numbers.tolist()))

    def prepare(self, values: Any, name: str = "values") -> PreparedRecords:
        """Check values and bring them into the form that is computed with."""
        columns = list(split(values, name).values())
        if len(columns) != len(self.distances):
            wanted = len(self.distances)
            msg = f"{name} has {len(columns)} columns, the product has {wanted} distances"
            raise ValueError(msg)
        parts = [
            distance.prepare(column, f"column {place} of {name}")
            for place, (distance, column) in enumerate(zip(self.distances, columns, strict=True))
        ]
        lengths = sorted({len(part) for part in parts})
        if len(lengths) > 1:
            msg = f"{name} must have columns of one length, got from {lengths[0]} to {lengths[-1]}"
            raise ValueError(msg)
        known = None if isinstance(self.weights, str) else np.array(self.weights)
        return PreparedRecords(parts, known)
