"""A perturbed table and what is promised of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.noise.attribute import Attribute
from tokumei.noise.channel import Channel


@dataclass(frozen=True)
class Perturbed:
    """A perturbed table, and what is promised of it.

    ``columns`` holds an array for each attribute: numbers (NaN where missing), or categories
    (None where missing). ``channels`` holds the channels of each: that of its values, and that of
    missingness where it has one.
    """

    columns: tuple[Any, ...]
    attributes: tuple[Attribute, ...]
    channels: tuple[tuple[Channel, ...], ...]
    k: float
    private: bool
    warnings: tuple[str, ...]

    @property
    def rows(self) -> int:
        """How many records it has."""
        return len(self.columns[0])

    @property
    def epsilon(self) -> float:
        """The epsilon of one record: that of all channels together."""
        return float(sum(c.exact_epsilon for channels in self.channels for c in channels))

    @property
    def status(self) -> str:
        """ "private", or "not private" where the noise was drawn from a test's seed."""
        return "private" if self.private else "not private"

    def report(self) -> dict[str, Any]:
        """What was done and what is promised, without any value of the data."""
        return {
            "status": self.status,
            "rows": self.rows,
            "k": self.k,
            "epsilon": self.epsilon,
            "attributes": [
                describe(attribute, channels)
                for attribute, channels in zip(self.attributes, self.channels, strict=True)
            ],
            "warnings": list(self.warnings),
        }


def describe(attribute: Attribute, channels: Sequence[Channel]) -> dict[str, Any]:
    """A mechanism and its parameters: all that a reconstruction needs."""
    values = channels[0]
    described: dict[str, Any] = {"mechanism": values.mechanism, "epsilon": values.epsilon}
    if attribute.categories is None:
        described |= {"lower": values.lower, "upper": values.upper, "integer": values.integer}
    else:
        described |= {"categories": len(attribute.categories)}
    described["lattice"] = values.lattice
    for name in ("scale", "cells", "reach", "near_probability", "far_probability"):
        if hasattr(values, name):
            described[name] = getattr(values, name)
    described["missing"] = attribute.missing
    if len(channels) > 1:
        described["missing_epsilon"] = channels[1].epsilon
    return described
