"""Columns through their channels, and their rows through the shuffle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.noise import generator
from tokumei.noise.attribute import Attribute
from tokumei.noise.budget import linkage_k
from tokumei.noise.channel import OwnChannel
from tokumei.noise.perturbed import Perturbed

SAME_ORDER = "the rows keep their order: linkage is not bounded for those who know it"


def released(
    values: Sequence[_check.Floats],
    attributes: Sequence[Attribute],
    channels: Sequence[Sequence[OwnChannel]],
    *,
    called: Sequence[str],
    clip: bool = False,
    keep_order: bool = False,
    warnings: Sequence[str] = (),
    run: _check.Run,
    insecure_seed_for_tests: int | None = None,
) -> Perturbed:
    """Columns that went through given channels, and through the shuffle."""
    rows = len(values[0])
    seeds = _Seeds(insecure_seed_for_tests)
    columns = [
        through(column, attribute, its, name, clip, seeds.next, run)
        for column, attribute, its, name in zip(values, attributes, channels, called, strict=True)
    ]
    if not keep_order:
        order = generator.order(seeds.next(), rows, run.silent())
        columns = [column[order] for column in columns]
    return Perturbed(
        columns=tuple(columns),
        attributes=tuple(attributes),
        channels=tuple(map(tuple, channels)),
        k=linkage_k([channel for its in channels for channel in its], rows),
        private=insecure_seed_for_tests is None,
        warnings=(*warnings, *([SAME_ORDER] if keep_order else [])),
    )


class _Seeds:
    """No seed again and again, or a test's seed and those that follow it."""

    def __init__(self, first: int | None) -> None:
        self.first, self.drawn = first, 0

    def next(self) -> generator.Key:
        """The key of the next draw."""
        self.drawn += 1
        seed = None if self.first is None else (self.first + self.drawn - 1) % 2**64
        return generator.key(seed)


def through(
    values: _check.Floats,
    attribute: Attribute,
    channels: Sequence[OwnChannel],
    name: str,
    clip: bool,
    next_key: Callable[[], generator.Key],
    run: _check.Run,
) -> Any:
    """A coded column through its channels, each draw with a key of its own."""
    missing = np.isnan(values)
    channel = channels[0]
    if attribute.categories is not None:
        # What is missing is the last category.
        codes = np.where(missing, len(attribute.categories), values)
        drawn = channel.perturb_of(codes, next_key(), run)
        return np.array([*attribute.categories, None], dtype=object)[_category(drawn, channel)]
    middle = (channel.lower + channel.upper) / 2
    filled = np.where(missing, np.floor(middle) if attribute.integer else middle, values)
    within = _check.within(
        filled, channel.lower, channel.upper, integer=channel.integer, clip=clip, name=name
    )
    drawn = channel.perturb_of(within, next_key(), run)
    if len(channels) > 1:
        absent = missing.astype(np.float64)
        flags = channels[1].perturb_of(absent, next_key(), run)
        drawn[flags == 1.0] = np.nan
    return drawn


def _category(drawn: _check.Floats, channel: OwnChannel) -> _check.Labels:
    """The number of a released category; the square wave goes beyond the ends, and is cut there."""
    return np.clip(drawn, channel.lower, channel.upper).astype(np.int64)
