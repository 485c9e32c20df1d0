"""What all models have in common."""

from __future__ import annotations

from typing import ClassVar, Protocol

from tokumei._check import Floats, Labels


class Model(Protocol):
    """One demand on every group of records that are published alike.

    `reached` is what a partition shows, in the model's own unit, and `holds` whether it is enough;
    `of_groups` is what each of its groups shows, in their order.
    """

    model: ClassVar[str]

    @property
    def column(self) -> str | None:
        """The column whose values it speaks of; None where records alone are counted."""

    def reached(self, groups: Labels, codes: Labels | None) -> float:
        """What the worst group shows: `groups` and the column's codes, one a record, from 0."""

    def of_groups(self, groups: Labels, codes: Labels | None) -> Floats:
        """What each group shows that has records, in the order of their numbers."""

    def holds(self, reached: float) -> bool:
        """Whether that is as much as asked for."""
