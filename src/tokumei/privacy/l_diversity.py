"""l-diversity (Machanavajjhala et al. 2007): every group shows several sensitive values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei._check import Labels
from tokumei._check.options import Options, at_least, choice, option, text


@dataclass(frozen=True)
class LDiversity(Options):
    """Every group holds at least l different values of a sensitive column (distinct l-diversity).

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> model = tk.privacy.LDiversity("diagnosis", 2)
    >>> model.reached(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 2, 2, 2]))
    1
    """

    column: str = option(rule=text, help="The sensitive column.")
    l: int = option(  # noqa: E741 - the name of the literature
        2,
        rule=at_least(1),
        help="Least number of sensitive values in a group.",
        keyword="l_diversity",
    )
    kind: Literal["distinct"] = option(
        "distinct", rule=choice("distinct"), help="How diverse values count.", keyword="l_kind"
    )

    model: ClassVar[str] = "l-diversity"

    def reached(self, groups: Labels, codes: Labels | None) -> float:
        """The number of values in the group that has fewest."""
        return least_distinct(groups, codes)

    def holds(self, reached: float) -> bool:
        return reached >= self.l


def least_distinct(groups: Labels, codes: Labels | None) -> int:
    """The least number of different codes in any group."""
    if codes is None:
        msg = "this model counts the values of a column"
        raise ValueError(msg)
    kinds = int(codes.max()) + 1
    found = np.bincount(np.unique(groups * kinds + codes) // kinds)
    return int(found[found > 0].min())
