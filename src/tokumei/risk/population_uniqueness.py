"""How many people are unique in the population that a table was drawn from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei import _check
from tokumei._check import Floats
from tokumei.risk.classes import ClassSizes, class_sizes
from tokumei.risk.negative_binomial import shifted_negative_binomial
from tokumei.risk.pitman import pitman
from tokumei.risk.zayatz import zayatz

Model = Callable[[Floats, Floats, float], float | None]
MODELS: dict[str, Model] = {"pitman": pitman, "zayatz": zayatz, "snb": shifted_negative_binomial}
# Up to this sampling fraction Pitman's model is taken.
SMALL_FRACTION = 0.1
# An interval needs this share of the drawn samples to be estimable.
ENOUGH = 0.9


@dataclass(frozen=True)
class PopulationEstimate:
    """Population uniques by one model; None is not estimable."""

    model: str
    uniques: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.uniques is None:
            return f"{self.model}: not estimable"
        if self.low is None:
            return f"{self.model}: {self.uniques:,.0f}, interval not estimable"
        return f"{self.model}: {self.uniques:,.0f} [{self.low:,.0f}, {self.high:,.0f}]"


@dataclass(frozen=True)
class PopulationUniqueness:
    """How many people are unique in the population, by three models.

    Attributes
    ----------
    population : float
        How many people there are: the records over the sampling fraction.
    sample_uniques : int
        The records that are unique in the sample.
    estimates : tuple of PopulationEstimate
        What each model says, with an interval of 95 %.
    chosen : str or None
        The model that the rule of Dankar and others takes; None where it is not estimable.
    """

    population: float
    sample_uniques: int
    estimates: tuple[PopulationEstimate, ...]
    chosen: str | None

    @property
    def uniques(self) -> float | None:
        """The number of population uniques by the chosen model."""
        return next((one.uniques for one in self.estimates if one.model == self.chosen), None)

    @property
    def share(self) -> float | None:
        """The share of people that are unique in the population."""
        return None if self.uniques is None else self.uniques / self.population

    def __str__(self) -> str:
        told = "not estimable" if self.share is None else f"{self.share:.3%} ({self.chosen})"
        return (
            f"unique among {self.population:,.0f} people: {told}; {self.sample_uniques:,} sample "
            f"uniques\n  {'; '.join(map(str, self.estimates))}"
        )


def population_uniqueness(
    table: Any,
    quasi: Sequence[Hashable] | None = None,
    *,
    fraction: float,
    samples: int = 200,
    random_state: int | np.random.Generator | None = 0,
) -> PopulationUniqueness:
    """Estimate how many people are unique in the population that a table was drawn from.

    Pitman's model, the shifted negative binomial and Zayatz' are fitted to the sizes of the
    classes; which one is believed, a rule [1]_ says as ARX has it: up to a fraction of 0.1
    Pitman's, or Zayatz' where that is not estimable; above it the smaller one of Zayatz' and the
    negative binomial.

    Parameters
    ----------
    table : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    quasi : sequence, optional
        The columns that others may know; all by default. A missing cell is a value of its own.
    fraction : float
        The share of the population that is in the table, above 0 and below 1; it must be known.
    samples : int
        Class sizes are drawn so often for the intervals; 0 for none.
    random_state : int or numpy.random.Generator, optional
        For these draws; None takes entropy.

    Returns
    -------
    PopulationUniqueness

    Notes
    -----
    The intervals say how far chance moves an estimate if its model is right, by counts of classes
    that are drawn as Poisson numbers around those of the table. That a model is wrong they do not
    say: look at how far the models are apart.

    References
    ----------
    .. [1] F. K. Dankar, K. El Emam, A. Neisa, T. Roffey, Estimating the re-identification risk of
       clinical data sets, BMC Medical Informatics and Decision Making 12 (2012).

    Examples
    --------
    >>> import tokumei as tk
    >>> ages = {"age": [20, 20, 20, 31, 31, 42, 42, 53, 64, 75]}
    >>> found = tk.risk.population_uniqueness(ages, fraction=0.05, samples=0)
    >>> found.chosen, found.sample_uniques
    ('zayatz', 3)
    """
    fraction = _check.inside(fraction, 0.0, 1.0, "fraction")
    samples = _check.at_least(samples, 0, "samples")
    chance = _check.generator(random_state)
    return population_uniqueness_of(class_sizes(table, quasi), fraction, samples, chance)


def population_uniqueness_of(
    found: ClassSizes, fraction: float, samples: int, chance: np.random.Generator
) -> PopulationUniqueness:
    """The same of classes that were counted."""
    sizes = np.array(list(found.counts), dtype=np.float64)
    counts = np.array(list(found.counts.values()), dtype=np.float64)
    drawn = [chance.poisson(counts).astype(np.float64) for _ in range(samples)]
    estimates = {
        name: _estimate(name, model, sizes, counts, fraction, drawn)
        for name, model in MODELS.items()
    }
    return PopulationUniqueness(
        population=found.records / fraction,
        sample_uniques=found.uniques,
        estimates=tuple(estimates.values()),
        chosen=_chosen({name: one.uniques for name, one in estimates.items()}, fraction),
    )


def _chosen(uniques: dict[str, float | None], fraction: float) -> str | None:
    by_zayatz, by_snb = uniques["zayatz"], uniques["snb"]
    if fraction <= SMALL_FRACTION and uniques["pitman"] is not None:
        return "pitman"
    if by_zayatz is None:
        return None
    if fraction <= SMALL_FRACTION or by_snb is None or by_zayatz < by_snb:
        return "zayatz"
    return "snb"


def _estimate(
    name: str,
    model: Model,
    sizes: Floats,
    counts: Floats,
    fraction: float,
    drawn: Sequence[Floats],
) -> PopulationEstimate:
    if not (sizes == 1).any():
        return PopulationEstimate(name, 0.0, 0.0, 0.0)
    uniques = model(sizes, counts, fraction)
    if uniques is None or not drawn:
        return PopulationEstimate(name, uniques, None, None)
    records = float(sizes @ counts)
    known = []
    for these in drawn:
        some = these > 0
        if (one := model(sizes[some], these[some], fraction)) is not None:
            known.append(one * records / float(sizes @ these))
    if len(known) < ENOUGH * len(drawn):
        return PopulationEstimate(name, uniques, None, None)
    low, high = np.quantile(known, [0.025, 0.975])
    return PopulationEstimate(name, uniques, float(low), float(high))
