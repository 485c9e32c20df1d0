"""Distances of categories without and with an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.distances.columns import DistinctValues, Integers, read_distinct
from tokumei.distances.distance import Distance, PreparedCategories


@dataclass(frozen=True)
class Discrete(Distance):
    """0 for equal values, 1 for different ones.

    Takes a column of anything that can be hashed: text, numbers, dates, categoricals.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.distances.Discrete().between("teacher", "nurse")
    1.0
    """

    def prepare(self, values: Any, name: str = "values") -> PreparedCategories:
        """Check values and bring them into the form that is computed with."""

        def between(a: Integers, b: Integers, _: _check.Run) -> _check.Floats:
            return np.not_equal(a, b).astype(np.float64)

        return PreparedCategories(self, read_distinct(values, name), between)


@dataclass(frozen=True, eq=False)
class Places(PreparedCategories):
    """Categories that have a place in a structure: in an order, a tree, a graph."""

    places: Integers  # of the distinct values


def find_places(
    distinct: DistinctValues, known: Mapping[Any, int], name: str, structure: str
) -> Integers:
    """Where the distinct values stand in a structure that must know all of them."""
    places = np.fromiter((known.get(value, -1) for value in distinct.values), dtype=np.int64)
    unknown = np.flatnonzero(places < 0)
    if unknown.size:
        count, row = distinct.rows_of(unknown.tolist())
        msg = f"{name} has {count} values that are not in the {structure} (first in row {row})"
        raise ValueError(msg)
    return places


@dataclass(frozen=True)
class Ordinal(Distance):
    """Steps between two categories of an order, as a share of the number of categories.

    With m categories, neighbours are 1/m apart: among ten age bands the thirties and the fifties
    are 0.2 apart.

    Parameters
    ----------
    order : sequence
        All categories from the lowest to the highest, each once.

    Examples
    --------
    >>> import tokumei as tk
    >>> size = tk.distances.Ordinal(["small", "medium", "large", "huge"])
    >>> size.between("small", "large")
    0.5
    """

    order: Sequence[Any]
    _places: dict[Any, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.order, str | bytes) or not hasattr(self.order, "__iter__"):
            msg = f"order must be a sequence of categories, got {type(self.order).__name__}"
            raise TypeError(msg)
        object.__setattr__(self, "order", tuple(self.order))
        places = {category: place for place, category in enumerate(self.order)}
        if not places:
            msg = "order must name at least one category, it is empty"
            raise ValueError(msg)
        if len(places) < len(self.order):
            msg = (
                f"order must name each category once, {len(self.order) - len(places)} are repeated"
            )
            raise ValueError(msg)
        object.__setattr__(self, "_places", places)

    def prepare(self, values: Any, name: str = "values") -> Places:
        """Check values and bring them into the form that is computed with."""
        distinct = read_distinct(values, name)
        places = find_places(distinct, self._places, name, "order")

        def between(a: Integers, b: Integers, _: _check.Run) -> _check.Floats:
            return np.asarray(np.abs(places[a] - places[b]) / len(self.order))

        return Places(self, distinct, between, places)
