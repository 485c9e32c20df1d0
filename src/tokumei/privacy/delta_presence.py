"""delta-presence (Nergiz, Atzori & Clifton 2007): whether somebody is in the table stays unsure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tokumei._check import Floats, Labels
from tokumei._check.options import Options, option, share
from tokumei.privacy.population import of_population, sizes_in


@dataclass(frozen=True)
class DeltaPresence(Options):
    """Of the population's records in a group, a share from `least` to `most` is in the release.

    The population has the quasi-identifiers of the release, coded alike. A group that it does not
    know, or that has more records in the release, has a share above 1 and breaks every bound.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> model = tk.privacy.DeltaPresence(0.5, population="population.csv")
    >>> model.reached(np.array([0, 0, 1]), np.array([0, 0, 0, 1, 1, -1]))
    0.6666666666666666
    """

    most: float = option(
        rule=share,
        help="Largest share of a group's population that may be in the release.",
        keyword="presence",
    )
    least: float = option(
        0.0,
        rule=share,
        help="Smallest share of a group's population that is in the release.",
        keyword="presence_least",
    )
    population: Any = of_population()

    model: ClassVar[str] = "delta-presence"
    column: ClassVar[None] = None

    def reached(self, groups: Labels, codes: Labels | None) -> float:
        """The share that is farthest outside, or nearest to the bounds: the largest one where no
        group is below `least`, else the smallest.
        """
        shares = self.of_groups(groups, codes)
        if np.isinf(shares).any():
            return float("inf")
        return float(shares.min() if shares.min() < self.least else shares.max())

    def of_groups(self, groups: Labels, codes: Labels | None) -> Floats:
        """The share of each group; infinite where the population has none like it."""
        here, there = sizes_in(groups, codes)
        with np.errstate(divide="ignore"):
            return np.asarray(here / there, dtype=np.float64)

    def holds(self, reached: float) -> bool:
        return self.least <= reached <= self.most
