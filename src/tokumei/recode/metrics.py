"""What a generalised table has lost: the quality measures of full-domain search, by their names.

Most give each value a cost and add up over records; a suppressed record has one of its own. The
others count the classes of equal records. Definitions are ARX's where ARX has the measure, figures
are the same to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from tokumei import _check
from tokumei._check.options import Options, choice, option, share
from tokumei.recode.costs import Costs, Quasi, flat
from tokumei.values.hierarchy import Hierarchy

# A hierarchy, a level and the number of records of each value -> the cost of each value, 0 to 1.
Penalty = Callable[[Hierarchy, int, _check.Labels], Any]

MEANS = {"arithmetic": Costs.SUM, "geometric": Costs.GEOMETRIC_MEAN}


def _boolean(value: Any, name: str) -> bool:
    return _check.flag(value, name)


def _gs_factor() -> Any:
    text = "Below 0.5 suppression costs less, above 0.5 generalisation does."
    return option(0.5, rule=share, help=text)


class Metric(Protocol):
    """What the levels of a table's attributes cost."""

    def costs(self, quasi: Quasi) -> Costs:
        """The costs of every value at every level."""


@dataclass(frozen=True)
class MeanCost:
    """The mean over records and attributes of a cost from 0 to 1; a suppressed record costs 1.

    `penalty` is a function of a hierarchy, a level and the number of records of each value, that
    never falls from level to level.
    """

    penalty: Penalty

    def costs(self, quasi: Quasi) -> Costs:
        costs = [_costs(tree, counts, self.penalty) for tree, counts in quasi.attributes()]
        return Costs(
            generalised=flat(costs),
            suppressed=flat([np.ones_like(each) for each in costs]),
            scale=quasi.each(1.0 / quasi.records),
            weight=quasi.mean_weights,
        )


@dataclass(frozen=True)
class Precision(Options):
    """The mean share of the levels that were climbed (Sweeney 2002); a suppressed record costs 1.

    Where it is monotonic, suppression is free.
    """

    monotonic: bool = option(False, rule=_boolean, help="Suppression is free.")
    mean: Literal["arithmetic", "geometric"] = option(
        "arithmetic", rule=choice(*MEANS), help="How attributes are taken together."
    )
    gs_factor: float = _gs_factor()

    def costs(self, quasi: Quasi) -> Costs:
        generalised, lost = factors(self.gs_factor)
        climbed = [
            np.repeat(np.arange(tree.height + 1) / max(1, tree.height), len(counts))
            for tree, counts in quasi.attributes()
        ]
        costs = np.concatenate(climbed) * generalised
        return Costs(
            kind=MEANS[self.mean],
            generalised=costs,
            suppressed=costs if self.monotonic else np.full(len(costs), lost),
            scale=quasi.each(1.0 / quasi.records),
            weight=quasi.mean_weights,
        )


@dataclass(frozen=True)
class Loss(Options):
    """The share of all values that a generalised one stands for (Iyengar 2002), above that of one.

    A single value costs 0, the top and, by default, suppression 1.
    """

    mean: Literal["arithmetic", "geometric"] = option(
        "geometric", rule=choice(*MEANS), help="How attributes are taken together."
    )
    gs_factor: float = _gs_factor()

    def costs(self, quasi: Quasi) -> Costs:
        generalised, lost = factors(self.gs_factor)
        shares = flat([_leaves(tree) / len(tree.values) for tree in quasi.trees])
        least = generalised * quasi.records / np.array([len(tree.values) for tree in quasi.trees])
        width = quasi.records - least
        return Costs(
            kind=MEANS[self.mean],
            generalised=generalised * shares,
            suppressed=np.ones_like(shares) if lost == 1 else shares + lost * (1.0 - shares),
            shift=least,
            scale=np.divide(1.0, width, out=np.zeros_like(width), where=width > 0),
            weight=quasi.mean_weights,
        )


@dataclass(frozen=True)
class NonUniformEntropy(Options):
    """The bits that tell the original values from what they became (de Waal & Willenborg 1999).

    The labels of suppressed records lose their information too, unless the measure is monotonic.
    Attributes are added up.
    """

    monotonic: bool = option(False, rule=_boolean, help="Suppression is free.")
    gs_factor: float = _gs_factor()

    def costs(self, quasi: Quasi) -> Costs:
        generalised, lost = factors(self.gs_factor)
        costs = generalised * flat([_bits(tree, n) for tree, n in quasi.attributes()])
        return Costs(
            entropy_factor=0.0 if self.monotonic else lost,
            generalised=costs,
            suppressed=costs,
            scale=quasi.each(1.0),
            weight=quasi.weights / quasi.weights.max(),
        )


@dataclass(frozen=True)
class AverageClassSize(Options):
    """Records a class; all that are suppressed are one class (LeFevre et al. 2006, AECS)."""

    def costs(self, quasi: Quasi) -> Costs:
        return Costs(kind=Costs.CLASS_SIZE)


@dataclass(frozen=True)
class Discernibility(Options):
    """The sum of squared class sizes; a suppressed record counts as many as there are records.

    Where it is monotonic (DM*), suppressed classes count like others (Bayardo & Agrawal 2005).
    """

    monotonic: bool = option(False, rule=_boolean, help="Suppression is free.")

    def costs(self, quasi: Quasi) -> Costs:
        kind = Costs.DISCERNIBILITY_OF_ALL if self.monotonic else Costs.DISCERNIBILITY
        return Costs(kind=kind)


def certainty(tree: Hierarchy, level: int, counts: _check.Labels) -> _check.Floats:
    """The share of all values that a label stands for, 0 for one (normalised certainty penalty)."""
    leaves = _leaves(tree)[level]
    return np.where(leaves > 1, leaves / len(tree.values), 0.0)


def information(tree: Hierarchy, level: int, counts: _check.Labels) -> _check.Floats:
    """The share of a value's information, by its frequency, that is lost."""
    codes = tree.codes[level]
    together = np.bincount(codes, weights=counts)[codes]
    whole = float(counts.sum())
    cost = np.zeros(len(codes))
    informative = (counts > 0) & (counts < whole)
    cost[informative] = np.log(together[informative] / counts[informative]) / np.log(
        whole / counts[informative]
    )
    return cost


METRICS: Mapping[str, Metric] = {
    "certainty": MeanCost(certainty),
    "information": MeanCost(information),
    "precision": Precision(),
    "loss": Loss(),
    "entropy": NonUniformEntropy(),
    "class_size": AverageClassSize(),
    "discernibility": Discernibility(),
}


def metric_of(given: Any) -> Metric:
    """A measure by its name, one that is given, or a function that says what values cost."""
    if isinstance(given, str):
        return METRICS[_check.one_of(given, tuple(METRICS), "metric")]
    if hasattr(given, "costs"):
        found: Metric = given
        return found
    if callable(given):
        return MeanCost(given)
    msg = f"metric must be a name, a measure or a function, got {type(given).__name__}"
    raise TypeError(msg)


def factors(gs_factor: float) -> tuple[float, float]:
    """The factors of generalisation and suppression."""
    return min(1.0, 2.0 - 2.0 * gs_factor), min(1.0, 2.0 * gs_factor)


def _costs(tree: Hierarchy, counts: _check.Labels, penalty: Penalty) -> _check.Floats:
    """The cost of each value at each level; checked not to fall."""
    levels = [penalty(tree, level, counts) for level in range(tree.height + 1)]
    costs = np.array(levels, dtype=np.float64)
    if not (costs >= 0).all() or not (costs <= 1).all() or (np.diff(costs, axis=0) < 0).any():
        msg = "metric must be from 0 to 1 and must not fall from one level to the next"
        raise ValueError(msg)
    return costs


def _leaves(tree: Hierarchy) -> _check.Labels:
    """How many values the label of each value stands for; a row a level."""
    return np.array([np.bincount(codes)[codes] for codes in tree.codes])


def _bits(tree: Hierarchy, counts: _check.Labels) -> _check.Floats:
    """What it takes to tell each value from the others of its label; a row a level."""
    bits = np.zeros(tree.codes.shape)
    used = counts > 0
    for level, codes in enumerate(tree.codes):
        together = np.bincount(codes, weights=counts)[codes]
        bits[level, used] = np.log2(together[used] / counts[used])
    return bits
