"""t-closeness (Li, Li & Venkatasubramanian 2007): groups show about what the whole table shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei._check import Floats, Labels
from tokumei._check.options import Options, choice, option, share, text


@dataclass(frozen=True)
class TCloseness(Options):
    """The distribution of a sensitive column in every group is within t of the table's.

    The distance is the earth mover's: with kind "equal" all values are equally far from one
    another (half the sum of the differences of shares), with "ordered" neighbours are
    1 / (values - 1) apart.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> model = tk.privacy.TCloseness("income", 0.2, "ordered")
    >>> round(model.reached(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])), 3)
    0.25
    """

    column: str = option(rule=text, help="The sensitive column.")
    t: float = option(
        rule=share,
        help="Largest distance between a group's distribution of values and the table's.",
        keyword="t_closeness",
    )
    kind: Literal["equal", "ordered"] = option(
        "equal",
        rule=choice("equal", "ordered"),
        help="Whether values are equally far from one another or in an order.",
        keyword="t_kind",
    )

    model: ClassVar[str] = "t-closeness"

    def reached(self, groups: Labels, codes: Labels | None) -> float:
        """The largest distance of any group; codes are ranks where values are in an order."""
        if codes is None:
            msg = "this model compares the values of a column"
            raise ValueError(msg)
        far = _ordered(groups, codes) if self.kind == "ordered" else _equal(groups, codes)
        return float(far.max())

    def holds(self, reached: float) -> bool:
        return reached <= self.t + 1e-12  # shares are rounded


def _equal(groups: Labels, codes: Labels) -> Floats:
    """Half the absolute differences of shares; values that a group lacks count with their share."""
    group, code, shares, sizes = _shares(groups, codes)
    whole = np.bincount(codes) / len(codes)
    apart = np.bincount(group, np.abs(shares - whole[code]) - whole[code], len(sizes))
    return np.asarray((apart + 1.0)[sizes > 0] / 2.0, dtype=np.float64)


def _ordered(groups: Labels, codes: Labels) -> Floats:
    """The area between the two distribution functions over the ranks, 1 the widest possible.

    Between two values of a group its function is level at h; the table's function F rises there, so
    the area is split where F passes h.
    """
    counts = np.bincount(codes)
    if len(counts) < 2:
        return np.zeros(1)
    below = np.cumsum(counts) / len(codes)  # F at each rank
    area = np.concatenate([[0.0], np.cumsum(below)])
    group, code, shares, sizes = _shares(groups, codes)
    first = np.flatnonzero(np.diff(group, prepend=-1))
    heights = np.cumsum(shares)
    before = np.repeat(heights[first] - shares[first], np.diff(first, append=len(group)))
    heights = heights - before
    after = np.append(code[1:], len(counts))
    after[np.append(first[1:], len(group)) - 1] = len(counts)
    split = np.clip(np.searchsorted(below, heights, side="left"), code, after)
    under = heights * (split - code) - (area[split] - area[code])
    over = (area[after] - area[split]) - heights * (after - split)
    far = np.bincount(group, under + over, len(sizes))
    far[group[first]] += area[code[first]]  # ranks below the group's first value
    result: Floats = far[sizes > 0] / (len(counts) - 1)
    return result


def _shares(groups: Labels, codes: Labels) -> tuple[Labels, Labels, Floats, Labels]:
    """The group, the code and the share in the group of every pair that occurs, in that order."""
    kinds = int(codes.max()) + 1
    pairs, counts = np.unique(groups * kinds + codes, return_counts=True)
    sizes = np.bincount(groups)
    group = pairs // kinds
    return group, pairs % kinds, counts / sizes[group], sizes
