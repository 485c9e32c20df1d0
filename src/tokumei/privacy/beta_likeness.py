"""beta-likeness (Cao & Karras 2012): no group makes a sensitive value much likelier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei._check import Floats, Labels
from tokumei._check.options import Options, choice, option, positive, text

Kind = Literal["basic", "enhanced"]


@dataclass(frozen=True)
class BetaLikeness(Options):
    """A value's share in a group is at most 1 + beta times its share in the table.

    With kind "enhanced" also at most 1 - ln p times that, p being its share in the table, so that
    what is frequent gains little. It is counted, not sought.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> model = tk.privacy.BetaLikeness("diagnosis", 1.0)
    >>> model.reached(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    1.0
    """

    column: str = option(rule=text, help="The sensitive column.")
    beta: float = option(
        rule=positive,
        help="Largest relative gain of a sensitive value's share in a group.",
        keyword="beta_likeness",
    )
    kind: Kind = option(
        "basic",
        rule=choice("basic", "enhanced"),
        help="basic, or enhanced: frequent values gain less.",
        keyword="beta_kind",
    )

    model: ClassVar[str] = "beta-likeness"

    def reached(self, groups: Labels, codes: Labels | None) -> float:
        """The largest gain of any value in any group; infinite where "enhanced" does not hold.

        Whether a gain stays below -ln p depends on the value, so it is asked here.
        """
        return float(self.of_groups(groups, codes).max())

    def of_groups(self, groups: Labels, codes: Labels | None) -> Floats:
        """The largest gain of any value in each group, or infinity."""
        if codes is None:
            msg = "this model compares the values of a column"
            raise ValueError(msg)
        kinds = int(codes.max()) + 1
        pairs, counts = np.unique(groups * kinds + codes, return_counts=True)
        whole = np.bincount(codes)[pairs % kinds] / len(codes)
        gains = counts / np.bincount(groups)[pairs // kinds] / whole - 1.0
        if self.kind == "enhanced":
            gains[gains > -np.log(whole) + 1e-12] = np.inf
        first = np.flatnonzero(np.diff(pairs // kinds, prepend=-1))
        return np.maximum.reduceat(gains, first)

    def holds(self, reached: float) -> bool:
        return reached <= self.beta + 1e-12  # shares are rounded
