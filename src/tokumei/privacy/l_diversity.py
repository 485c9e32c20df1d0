"""l-diversity (Machanavajjhala et al. 2007): every group shows several sensitive values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei._check import Floats, Labels
from tokumei._check.options import Options, at_least, choice, option, positive, text

Diversity = Literal["distinct", "entropy", "recursive"]


@dataclass(frozen=True)
class LDiversity(Options):
    """Every group holds at least l well-represented values of a sensitive column.

    What that means is said by `kind`. "distinct": l different values (p-sensitivity is the same).
    "entropy": the entropy of the values in a group is that of l equally frequent ones, or more.
    "recursive": the most frequent value occurs less than c times as often as the l-th, the
    (l+1)-th and all rarer ones together, so that l - 2 values can be ruled out and it still holds.

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
    kind: Diversity = option(
        "distinct",
        rule=choice("distinct", "entropy", "recursive"),
        help="How diverse values count: distinct, entropy or recursive.",
        keyword="l_kind",
    )
    c: float = option(
        1.0,
        rule=positive,
        help="For recursive: how often the most frequent value may occur, see the guide.",
        keyword="l_c",
    )

    model: ClassVar[str] = "l-diversity"

    def reached(self, groups: Labels, codes: Labels | None) -> float:
        """What the worst group has: values; equally frequent ones; or the c that it would need."""
        if self.kind == "entropy":
            return math.exp(float(entropies(groups, codes).min()))
        if self.kind == "recursive":
            return float(needed_c(groups, codes, self.l).max())
        return least_distinct(groups, codes)

    def of_groups(self, groups: Labels, codes: Labels | None) -> Floats:
        """The same of each group."""
        if self.kind == "entropy":
            return np.exp(entropies(groups, codes))
        if self.kind == "recursive":
            return needed_c(groups, codes, self.l)
        return distinct_codes(groups, codes)

    def of_counts(self, group: Labels, counts: Labels) -> Floats:
        """The same from the pairs of a group and a value that occur, in the order of groups."""
        if self.kind == "entropy":
            return np.exp(_entropies(group, counts))
        if self.kind == "recursive":
            return _needed_c(group, counts, self.l)
        return np.asarray(np.bincount(group), dtype=np.float64)

    def holds(self, reached: float) -> bool:
        if self.kind == "recursive":
            return reached < self.c
        return reached >= self.l * (1.0 - 1e-12)  # entropies are rounded


def least_distinct(groups: Labels, codes: Labels | None) -> int:
    """The least number of different codes in any group."""
    return int(distinct_codes(groups, codes).min())


def distinct_codes(groups: Labels, codes: Labels | None) -> Floats:
    """The number of different codes in each group."""
    group, _ = _counts(groups, codes)
    found = np.bincount(group)
    return found[found > 0].astype(np.float64)


def entropies(groups: Labels, codes: Labels | None) -> Floats:
    """The entropy of the codes in each group, in nats."""
    return _entropies(*_counts(groups, codes))


def _entropies(group: Labels, counts: Labels) -> Floats:
    sizes = np.bincount(group, counts)
    shares = counts / sizes[group]
    found = np.bincount(group, -shares * np.log(shares))
    return np.asarray(found[sizes > 0], dtype=np.float64)


def needed_c(groups: Labels, codes: Labels | None, l: int) -> Floats:  # noqa: E741
    """In each group the most frequent code's count over that of the l-th and all rarer ones."""
    return _needed_c(*_counts(groups, codes), l)


def _needed_c(group: Labels, counts: Labels, l: int) -> Floats:  # noqa: E741
    order = np.lexsort((-counts, group))
    group, counts = group[order], counts[order]
    first = np.flatnonzero(np.diff(group, prepend=-1))
    place = np.arange(len(group)) - np.repeat(first, np.diff(first, append=len(group)))
    tails = np.bincount(group, np.where(place >= l - 1, counts, 0))[group[first]]
    with np.errstate(divide="ignore"):
        return np.asarray(counts[first] / tails, dtype=np.float64)


def _counts(groups: Labels, codes: Labels | None) -> tuple[Labels, Labels]:
    """The group and the number of records of every pair of a group and a code that occurs."""
    if codes is None:
        msg = "this model counts the values of a column"
        raise ValueError(msg)
    kinds = int(codes.max()) + 1
    pairs, counts = np.unique(groups * kinds + codes, return_counts=True)
    return pairs // kinds, counts
