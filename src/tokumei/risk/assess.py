"""Every measure of what remains, of one table that is read once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei import _check
from tokumei._check.options import share
from tokumei.privacy import Model
from tokumei.risk.classes import ClassSizes, chosen, class_sizes_of, classes_of, known_codes
from tokumei.risk.columns import ColumnRisk, columns_of
from tokumei.risk.dominance import Dominance, dominance_of
from tokumei.risk.homogeneity import Homogeneity, homogeneity_of
from tokumei.risk.individual import IndividualRisk, individual_of, weights_of
from tokumei.risk.models import ModelRisk, models_of
from tokumei.risk.population_uniqueness import PopulationUniqueness, population_uniqueness_of
from tokumei.risk.reidentification import Reidentification, reidentification_of
from tokumei.risk.special_uniques import SpecialUniques, special_uniques_of
from tokumei.values import tables
from tokumei.values.columns import numbers

SAMPLES = 200


@dataclass(frozen=True)
class Assessment:
    """Every measure of what risk remains in a table; None where it was not asked for.

    It holds counts, shares and names of columns, and prints as text.
    """

    classes: ClassSizes
    reidentification: Reidentification
    special_uniques: SpecialUniques
    individual: IndividualRisk | None
    population: PopulationUniqueness | None
    homogeneity: tuple[Homogeneity, ...]
    dominance: tuple[Dominance, ...]
    columns: tuple[ColumnRisk, ...]
    models: tuple[ModelRisk, ...]

    def __str__(self) -> str:
        telling = [one for one in self.columns if one.nearly_unique or one.determines]
        parts: list[tuple[str, Sequence[Any]]] = [
            ("Classes", [self.classes]),
            ("Links", [self.reidentification]),
            ("Special uniques", [self.special_uniques]),
            ("Survey", [] if self.individual is None else [self.individual]),
            ("Population", [] if self.population is None else [self.population]),
            ("Sensitive columns", self.homogeneity),
            ("Dominance", self.dominance),
            ("Models", self.models),
            ("Columns that tell by themselves", telling),
        ]
        return "\n".join(
            f"{title}\n  " + "\n".join(map(str, lines)).replace("\n", "\n  ")
            for title, lines in parts
            if lines
        )


def assess(
    table: Any,
    *,
    quasi: Sequence[Hashable],
    sensitive: Sequence[Hashable] = (),
    privacy: Sequence[Model] = (),
    weight: Hashable | None = None,
    household: Hashable | None = None,
    fraction: float | None = None,
    largest: int = 3,
    threshold: float = 0.09,
    random_state: int | None = 0,
    callback: _check.Callback | None = None,
) -> Assessment:
    """Measure what risk remains in a table, in every way of this module.

    Parameters
    ----------
    table : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    quasi : sequence
        The columns that others may know.
    sensitive : sequence
        The columns that they should not learn: what classes tell of them, and for numbers whether
        one member dominates its class.
    privacy : sequence of models
        Models of `tokumei.privacy`, such as ``LDiversity("ill", 2)``: what classes show of each.
    weight, household : name, optional
        The columns of survey weights and of households, for individual and household risk.
    fraction : float, optional
        The sampling fraction, for uniqueness in the population; without it nothing is said of that.
    largest : int
        Special uniques of up to so many columns are looked for.
    threshold : float
        A record is at risk where a link to it is right with more than this probability.
    random_state : int, optional
        For the intervals of population uniqueness; None takes entropy.
    callback : callable, optional
        Called now and then with the share of the search for special uniques done, 0 to 1.

    Returns
    -------
    Assessment

    Examples
    --------
    >>> import tokumei as tk
    >>> people = {"age": [31, 31, 47, 47], "sex": list("ffmm"), "ill": list("aaab")}
    >>> found = tk.risk.assess(people, quasi=["age", "sex"], sensitive=["ill"])
    >>> found.classes.smallest, found.special_uniques.special, found.homogeneity[0].homogeneous
    (2, 0, 2)
    """
    columns = tables.table(table, "table")
    keys = chosen(columns, quasi)
    told = chosen(columns, sensitive, "sensitive") if len(sensitive) else {}
    largest = min(_check.at_least(largest, 1, "largest"), len(keys))
    threshold = share(threshold, "threshold")
    if household is not None and weight is None:
        msg = "household needs weight: its risk is that of its members, by their weights"
        raise ValueError(msg)
    if fraction is not None:
        fraction = _check.inside(fraction, 0.0, 1.0, "fraction")
    chance, run = _check.generator(random_state), _check.run(1, callback)
    weights = None if weight is None else weights_of(chosen(columns, [weight], "weight")[weight])
    members = None
    if household is not None:
        members = known_codes(chosen(columns, [household], "household")[household])
    classes = classes_of(keys)
    sizes = class_sizes_of(classes)
    return Assessment(
        classes=sizes,
        reidentification=reidentification_of(classes, None, threshold),
        special_uniques=special_uniques_of(keys, classes, largest, "elliot", fraction, run),
        individual=None if weights is None else individual_of(classes, weights, members),
        population=None
        if fraction is None
        else population_uniqueness_of(sizes, fraction, SAMPLES, chance),
        homogeneity=homogeneity_of(classes, told),
        dominance=tuple(
            dominance_of(classes, key, numbers(one, tables.label("table", key)), 0.75, 0.1)
            for key, one in told.items()
            if one.kind == "numeric" and not one.missing.any()
        ),
        columns=columns_of(columns, keys, 0.5, 0.95),
        models=models_of(columns, classes, privacy),
    )
