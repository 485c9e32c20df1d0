"""k-map (Sweeney 2002): every group of the release is k records or more of the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tokumei._check import Floats, Labels
from tokumei._check.options import Options, at_least, option
from tokumei.privacy.population import of_population, sizes_in


@dataclass(frozen=True)
class KMap(Options):
    """Every combination of released quasi-identifiers belongs to k records of the population.

    The population has the quasi-identifiers of the release, under the same names and coded alike:
    a release of other codes has groups that it does not know, and they count 0.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> model = tk.privacy.KMap(3, "population.csv")
    >>> model.reached(np.array([0, 0, 1]), np.array([0, 0, 0, 1, 1, -1]))
    2
    """

    k: int = option(
        rule=at_least(1),
        help="Least number of records of the population in a group.",
        keyword="k_map",
    )
    population: Any = of_population()

    model: ClassVar[str] = "k-map"
    column: ClassVar[None] = None

    def reached(self, groups: Labels, codes: Labels | None) -> float:
        """The least number; `codes` is the group of each record of the population, or -1."""
        return int(self.of_groups(groups, codes).min())

    def of_groups(self, groups: Labels, codes: Labels | None) -> Floats:
        """The number of each group; 0 where the population has none like it."""
        return sizes_in(groups, codes)[1].astype(np.float64)

    def holds(self, reached: float) -> bool:
        return reached >= self.k
