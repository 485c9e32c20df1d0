"""The measures of a comparison, one entry each, in the order in which they are shown.

A measure of an attribute gets that attribute before and after, a total gets all of them. It is 0
where nothing was lost, and None where it does not apply or a change has no scale to be measured on
(an attribute that was constant). To show one more measure, add one more entry.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Floats, Labels, Run
from tokumei._check.cached import cached_property
from tokumei.loss.tables import il1s, statistics
from tokumei.loss.tables.cramers_v import association
from tokumei.loss.tables.ctbil import CodedColumn, distance_of_tables
from tokumei.loss.tables.direct import mean_rank_distance, share_changed
from tokumei.loss.tables.entropy import entropy_of


@dataclass(frozen=True)
class Amounts:
    """The information amounts of an attribute before and after."""

    before: float
    after: float

    @property
    def loss(self) -> float | None:
        """The share that is gone; nothing where there was none to lose."""
        if self.before == 0.0:
            return 0.0 if self.after == 0.0 else None
        return (self.before - self.after) / self.before


@dataclass(frozen=True)
class NumericPair:
    """A numeric attribute before and after."""

    before: Floats
    after: Floats
    amounts: Amounts
    weights: Floats | None = None  # how many records each stands for


@dataclass(frozen=True)
class CategoricalPair:
    """A categorical attribute before and after, as codes, and the category of each code."""

    before: Labels
    after: Labels
    known: Sequence[Any]
    amounts: Amounts
    rank: Labels | None = None  # the place of each code among `ranks`, where there is an order
    ranks: int = 0
    weights: Floats | None = None


@dataclass(frozen=True)
class Measure:
    """One number of a comparison: its key, its title, what it says, and how to get it."""

    key: str
    title: str
    meaning: str
    of: Callable[..., float | None]


@dataclass(frozen=True)
class Attributes:
    """All attributes of a comparison, and up to how many are tabulated together."""

    numbers: Sequence[NumericPair]
    categories: Sequence[CategoricalPair]
    max_order: int
    run: Run
    weights: Floats | None = None

    @cached_property
    def joint(self) -> tuple[float | None, float | None]:
        """Changes of correlations and of eigenvalues."""
        if len(self.numbers) < 2:
            return None, None
        pairs = [(one.before, one.after) for one in self.numbers]
        return statistics.joint_changes(pairs, self.run, self.weights)[1:]

    @cached_property
    def ctbil(self) -> tuple[float | None, float | None]:
        """CTBIL of the categorical attributes, in total and by cell."""
        if not self.categories:
            return None, None
        attributes = [
            CodedColumn(np.concatenate([one.before, one.after]), len(one.known), len(one.before))
            for one in self.categories
        ]
        total, cells = distance_of_tables(
            attributes, self.max_order, attributes[0].rows, self.weights
        )
        return total, total / cells


def _ordinal(one: CategoricalPair) -> float | None:
    if one.rank is None:
        return None
    return mean_rank_distance(one.rank[one.before], one.rank[one.after], one.ranks, one.weights)


def _entropy(one: CategoricalPair) -> float | None:
    before_entropy = entropy_of(one.before, one.weights)
    after_entropy = entropy_of(one.after, one.weights)
    if before_entropy == 0.0:
        return 0.0 if after_entropy == 0.0 else None
    return (before_entropy - after_entropy) / before_entropy


def _all_changed(all_of: Attributes) -> float:
    shares = [share_changed(one.before, one.after, one.weights) for one in all_of.numbers]
    shares += [share_changed(one.before, one.after, one.weights) for one in all_of.categories]
    return math.fsum(shares) / len(shares)


def _all_distances(all_of: Attributes) -> float | None:
    """Of the product distance with information weights: each that has any counts alike."""
    amounts = [one.amounts for one in all_of.numbers]
    amounts += [one.amounts for one in all_of.categories]
    losses = [one.loss for one in amounts if one.before > 0.0 and one.loss is not None]
    return math.fsum(losses) / len(losses) if losses else None


def _all_squares(all_of: Attributes) -> float | None:
    shares = [
        il1s.squared_share(one.before, one.after, one.weights)
        for one in all_of.numbers
        if one.before.min() < one.before.max()
    ]
    return math.fsum(shares) / len(shares) if shares else None


def _all_il1s(all_of: Attributes) -> float | None:
    scaled = [il1s.scaled_distance(one.before, one.after, one.weights) for one in all_of.numbers]
    return math.fsum(scaled) / len(scaled) if scaled else None


OF_NUMBERS = (
    Measure(
        "changed", "changed", "share of the records whose value changed",
        lambda one: share_changed(one.before, one.after, one.weights),
    ),
    Measure(
        "ild", "ILD", "share of the information amount (squared distances of all pairs) lost",
        lambda one: one.amounts.loss,
    ),
    Measure(
        "sse_share", "SSE/SST", "squared changes over squared deviations from the mean",
        lambda one: il1s.squared_share(one.before, one.after, one.weights),
    ),
    Measure(
        "il1s", "IL1s", "mean absolute change over sqrt(2) standard deviations",
        lambda one: il1s.scaled_distance(one.before, one.after, one.weights),
    ),
    Measure(
        "mean", "mean", "change of the mean, in standard deviations",
        lambda one: statistics.mean_and_variance_change(one.before, one.after, one.weights)[0],
    ),
    Measure(
        "variance", "variance", "change of the variance, as a share of it",
        lambda one: statistics.mean_and_variance_change(one.before, one.after, one.weights)[1],
    ),
)  # fmt: skip

OF_CATEGORIES = (
    Measure(
        "changed", "changed", "share of the records whose category changed",
        lambda one: share_changed(one.before, one.after, one.weights),
    ),
    Measure(
        "ild", "ILD", "share of the information amount (squared distances of all pairs) lost",
        lambda one: one.amounts.loss,
    ),
    Measure(
        "ordinal", "ordinal", "mean number of categories passed over, as a share of all",
        _ordinal,
    ),
    Measure(
        "entropy", "entropy", "share of the Shannon entropy that was lost",
        _entropy,
    ),
    Measure(
        "cramers_v", "Cramer's V", "association of before with after, 1 where one fixes the other",
        lambda one: association(one.before, one.after, one.weights),
    ),
)  # fmt: skip

TOTALS = (
    Measure(
        "changed", "changed", "share of all cells that changed",
        _all_changed,
    ),
    Measure(
        "ild", "ILD", "of all attributes that vary, each counting alike",
        _all_distances,
    ),
    Measure(
        "sse_share", "SSE/SST", "of the standardized numbers: the mean over those not constant",
        _all_squares,
    ),
    Measure(
        "il1s", "IL1s", "of the numbers, mean over the attributes",
        _all_il1s,
    ),
    Measure(
        "correlations", "correlations", "mean absolute change, pairs of numeric attributes",
        lambda all_of: all_of.joint[0],
    ),
    Measure(
        "eigenvalues", "eigenvalues", "relative changes for the correlation matrix, summed",
        lambda all_of: all_of.joint[1],
    ),
    Measure(
        "ctbil", "CTBIL", "distance of the tables of counts of the categories",
        lambda all_of: all_of.ctbil[0],
    ),
    Measure(
        "ctbil_average", "CTBIL a cell", "the same, over the number of cells",
        lambda all_of: all_of.ctbil[1],
    ),
)  # fmt: skip
