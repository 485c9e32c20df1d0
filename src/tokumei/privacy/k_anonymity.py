"""k-anonymity (Samarati & Sweeney 1998): every group has at least k records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tokumei._check import Floats, Labels, whole
from tokumei._check.options import Options, option


def _k(value: Any, name: str) -> int:
    if whole(value, name) < 2:
        msg = f"{name} must be at least 2, or nothing is masked; got {value}"
        raise ValueError(msg)
    return whole(value, name)


@dataclass(frozen=True)
class KAnonymity(Options):
    """Every combination of published quasi-identifiers belongs to at least k records.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> model = tk.privacy.KAnonymity(3)
    >>> model.holds(model.reached(np.array([0, 0, 1, 1, 1])))
    False
    """

    k: int = option(5, rule=_k, help="Least number of records that become alike.")

    model: ClassVar[str] = "k-anonymity"
    column: ClassVar[None] = None

    def reached(self, groups: Labels, codes: Labels | None = None) -> float:
        """The size of the smallest group."""
        return int(self.of_groups(groups, codes).min())

    def of_groups(self, groups: Labels, codes: Labels | None = None) -> Floats:
        """The size of each group."""
        sizes = np.bincount(groups)
        return sizes[sizes > 0].astype(np.float64)

    def holds(self, reached: float) -> bool:
        return reached >= self.k
