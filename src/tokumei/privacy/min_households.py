"""Groups of several households: who lives together knows of one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei._check import Floats, Labels
from tokumei._check.options import Options, at_least, option, text
from tokumei.privacy.l_diversity import distinct_codes, least_distinct


@dataclass(frozen=True)
class MinHouseholds(Options):
    """Every group holds records of at least so many households, whose members may be parted.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> model = tk.privacy.MinHouseholds("household", 2)
    >>> model.reached(np.array([0, 0, 0]), np.array([7, 7, 8]))
    2
    """

    column: str = option(rule=text, help="The column of households.")
    count: int = option(
        2,
        rule=at_least(1),
        help="Least number of households in a group.",
        keyword="min_households",
    )

    model: ClassVar[str] = "min-households"

    def reached(self, groups: Labels, codes: Labels | None) -> float:
        """The number of households in the group that has fewest."""
        return least_distinct(groups, codes)

    def of_groups(self, groups: Labels, codes: Labels | None) -> Floats:
        """The number of households in each group."""
        return distinct_codes(groups, codes)

    def holds(self, reached: float) -> bool:
        return reached >= self.count
