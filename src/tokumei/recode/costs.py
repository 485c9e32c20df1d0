"""Costs of values at levels, as the kernel takes them, and the quasi-identifiers they are of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tokumei._check import Floats, Labels
from tokumei.values.hierarchy import Hierarchy


def _nothing() -> Floats:
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class Costs:
    """What the kernel adds up, see ``lattice/metric.hpp``: costs by attribute, level and value."""

    SUM: ClassVar[int] = 0
    GEOMETRIC_MEAN: ClassVar[int] = 1
    CLASS_SIZE: ClassVar[int] = 2
    DISCERNIBILITY: ClassVar[int] = 3
    DISCERNIBILITY_OF_ALL: ClassVar[int] = 4

    kind: int = SUM
    entropy_factor: float = 0.0
    generalised: Floats = field(default_factory=_nothing)
    suppressed: Floats = field(default_factory=_nothing)
    shift: Floats = field(default_factory=_nothing)
    scale: Floats = field(default_factory=_nothing)
    weight: Floats = field(default_factory=_nothing)

    def __post_init__(self) -> None:
        if not len(self.shift):
            object.__setattr__(self, "shift", np.zeros(len(self.scale)))

    @property
    def adds_up(self) -> bool:
        """Whether parts of a table cost what they cost alone."""
        return self.kind == self.SUM and self.entropy_factor == 0


@dataclass(frozen=True, eq=False)
class Quasi:
    """The attributes that are generalised: `places` is the value of each record, a column each."""

    trees: Sequence[Hierarchy]
    places: Labels
    weights: Floats

    @property
    def records(self) -> int:
        return len(self.places)

    @property
    def mean_weights(self) -> Floats:
        return np.asarray(self.weights / self.weights.sum())

    def attributes(self) -> Iterator[tuple[Hierarchy, Labels]]:
        """Each hierarchy, and the number of records of each of its values."""
        for j, tree in enumerate(self.trees):
            yield tree, np.bincount(self.places[:, j], minlength=len(tree.values))

    def each(self, value: float) -> Floats:
        return np.full(len(self.trees), value)


def flat(parts: Sequence[Any]) -> Floats:
    """Numbers by attribute, level and value, one after the other."""
    return np.concatenate([np.asarray(part, dtype=np.float64).reshape(-1) for part in parts])
