"""What every group must show besides its k records: checked, and in the form the search takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check.options import share
from tokumei.microaggregation.search.options import CloseRule, DistinctRule, from_zero
from tokumei.values.columns import column, of_rows


@dataclass(frozen=True, slots=True)
class Rules:
    """Values of a sensitive variable and households, one code a record, and what is asked of
    them."""

    diversity: DistinctRule | None = None
    closeness: CloseRule | None = None
    households: DistinctRule | None = None

    @property
    def asked(self) -> bool:
        return self != NO_RULES

    def of(self, rows: _check.Labels) -> Rules:
        """The same rules for some of the records; distances are then from these records' values."""
        return Rules(
            None if self.diversity is None else self.diversity.of(rows),
            None if self.closeness is None else self.closeness.of(rows),
            None if self.households is None else self.households.of(rows),
        )

    def least_size(self, k: int) -> int:
        """The least size, k or more, at which well chosen records are a group, give or take one."""
        asked = (rule.least for rule in (self.diversity, self.households) if rule is not None)
        size, close = max(k, *asked, 1), self.closeness
        if close is None:
            return size
        rows = len(close.codes)
        shares = np.bincount(close.codes) / rows
        nearest = _nearest_in_order if close.ordered else _nearest
        # Half a record more: all groups cannot have the same values.
        while size < rows and nearest(shares, size) + 0.5 / size > close.farthest:
            size += 1
        return size

    def check_all(self, place: str) -> None:
        """Refuse what not even one group of all records could show."""
        for rule, name in (
            (self.diversity, "values of sensitive"),
            (self.households, "households"),
        ):
            if rule is not None and (found := len(np.unique(rule.codes))) < rule.least:
                msg = (
                    f"{rule.least} different {name} are asked for in each group, "
                    f"{place} has {found}"
                )
                raise ValueError(msg)


NO_RULES = Rules()


def rules(
    rows: int,
    sensitive: ArrayLike | None,
    l_diversity: int | None,
    t_closeness: float | None,
    t_kind: str,
    households: ArrayLike | None,
    min_households: int | None,
) -> Rules:
    """Rules from the arguments of a function, checked."""
    if (sensitive is None) != (l_diversity is None and t_closeness is None):
        msg = "sensitive goes with l_diversity or t_closeness: what is asked of which values"
        raise ValueError(msg)
    if (households is None) != (min_households is None):
        msg = "households goes with min_households: how many in each group"
        raise ValueError(msg)
    ordered = _check.one_of(t_kind, ("equal", "ordered"), "t_kind") == "ordered"
    diversity = closeness = of_households = None
    if sensitive is not None:
        codes = _codes(sensitive, rows, "sensitive", ordered)
        if l_diversity is not None:
            diversity = _distinct(codes, _check.at_least(l_diversity, 1, "l_diversity"))
        if t_closeness is not None:
            closeness = CloseRule(codes, share(t_closeness, "t_closeness"), ordered)
    if households is not None and min_households is not None:
        codes = _codes(households, rows, "households", ordered=False)
        of_households = _distinct(codes, _check.at_least(min_households, 1, "min_households"))
    made = Rules(diversity, closeness, of_households)
    made.check_all("the table")
    return made


def _distinct(codes: _check.Labels, least: int) -> DistinctRule | None:
    # One value any group has.
    return None if least == 1 else DistinctRule(codes, least)


def _nearest(shares: _check.Floats, size: int) -> float:
    """How near to a distribution so many records can be: half the absolute differences."""
    counts = size * shares
    rest = counts - np.floor(counts)
    more = np.argsort(-rest, kind="stable")[: round(float(rest.sum()))]
    rest[more] -= 1
    return float(np.abs(rest).sum()) / (2 * size)


def _nearest_in_order(shares: _check.Floats, size: int) -> float:
    """The same by the earth mover's distance: the median of each of so many equal parts."""
    below = np.cumsum(shares)
    middles = np.searchsorted(below, (np.arange(size) + 0.5) / size)
    mine = np.cumsum(np.bincount(middles, minlength=len(shares))) / size
    return float(np.abs(mine - below).sum()) / max(len(shares) - 1, 1)


def _codes(values: ArrayLike, rows: int, name: str, ordered: bool) -> _check.Labels:
    read = column(values, name)
    codes, _ = of_rows(read, rows, name)
    if not ordered:
        return codes
    if read.kind not in ("numeric", "boolean"):
        msg = f"{name} must be numbers where t_kind is ordered, got a {read.kind} column"
        raise TypeError(msg)
    return from_zero(read.numbers)
