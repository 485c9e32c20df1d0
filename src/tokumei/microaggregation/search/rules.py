"""What every group must show besides its k records: checked, and in the form the search takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check.options import share
from tokumei.microaggregation.search.options import CloseRule, DistinctRule, from_zero
from tokumei.privacy import LDiversity, TCloseness
from tokumei.values.columns import column, of_rows


@dataclass(frozen=True, slots=True)
class Rules:
    """Values of sensitive variables and households, one code a record, and what is asked of
    them."""

    diversity: tuple[DistinctRule, ...] = ()
    closeness: tuple[CloseRule, ...] = ()
    households: DistinctRule | None = None

    @property
    def asked(self) -> bool:
        return bool(self.distinct or self.closeness)

    @property
    def distinct(self) -> tuple[DistinctRule, ...]:
        """The rules that count different values."""
        return (*self.diversity, *([] if self.households is None else [self.households]))

    def of(self, rows: _check.Labels) -> Rules:
        """The same rules for some of the records; distances are then from these records' values."""
        return Rules(
            tuple(rule.of(rows) for rule in self.diversity),
            tuple(rule.of(rows) for rule in self.closeness),
            None if self.households is None else self.households.of(rows),
        )

    def least_size(self, k: int) -> int:
        """The least size, k or more, at which well chosen records are a group, give or take one."""
        size = max(k, 1, *(rule.least for rule in self.distinct))
        for close in self.closeness:
            rows = len(close.codes)
            shares = np.bincount(close.codes) / rows
            nearest = _nearest_in_order if close.ordered else _nearest
            # Half a record more: all groups cannot have the same values.
            while size < rows and nearest(shares, size) + 0.5 / size > close.farthest:
                size += 1
        return size

    def check_all(self, place: str) -> None:
        """Refuse what not even one group of all records could show."""
        for rule in self.distinct:
            name = "households" if rule is self.households else "values of sensitive"
            if (found := len(np.unique(rule.codes))) < rule.least:
                msg = (
                    f"{rule.least} different {name} are asked for in each group, "
                    f"{place} has {found}"
                )
                raise ValueError(msg)


NO_RULES = Rules()


@dataclass(frozen=True, slots=True)
class Sensitive:
    """The values of one sensitive variable, and what is asked of them."""

    values: Any
    least: int | None = None
    farthest: float | None = None
    ordered: bool = False

    @classmethod
    def of(cls, model: Any, values: Any) -> Sensitive:
        """What the search asks of the values that a model speaks of, which it can respect."""
        if isinstance(model, LDiversity):
            return cls(values, least=model.l)
        return cls(values, farthest=model.t, ordered=model.kind == "ordered")


def respected(model: Any) -> bool:
    """Whether the search can respect a model: of all kinds of diversity it counts the values."""
    if isinstance(model, TCloseness):
        return model.kind != "hierarchical"
    return isinstance(model, LDiversity)


def rules(
    rows: int,
    sensitive: ArrayLike | Sequence[Sensitive] | None,
    l_diversity: int | None,
    t_closeness: float | None,
    t_kind: str,
    households: ArrayLike | None,
    min_households: int | None,
) -> Rules:
    """Rules from the arguments of a function, checked."""
    if (households is None) != (min_households is None):
        msg = "households goes with min_households: how many in each group"
        raise ValueError(msg)
    ordered = _check.one_of(t_kind, ("equal", "ordered"), "t_kind") == "ordered"
    diversity, closeness, of_households = [], [], None
    for one in _asked(sensitive, l_diversity, t_closeness, ordered):
        codes = _codes(one.values, rows, "sensitive", one.ordered)
        if one.least is not None:
            diversity.append(_distinct(codes, _check.at_least(one.least, 1, "l_diversity")))
        if one.farthest is not None:
            far = share(one.farthest, "t_closeness")
            closeness.append(CloseRule(codes, far, one.ordered))
    if households is not None and min_households is not None:
        codes = _codes(households, rows, "households", ordered=False)
        of_households = _distinct(codes, _check.at_least(min_households, 1, "min_households"))
    made = Rules(tuple(filter(None, diversity)), tuple(closeness), of_households)
    made.check_all("the table")
    return made


def _asked(
    sensitive: Any, l_diversity: int | None, t_closeness: float | None, ordered: bool
) -> Sequence[Sensitive]:
    """What is asked of each variable: a column of a table of two dimensions is one."""
    if isinstance(sensitive, tuple) and all(isinstance(one, Sensitive) for one in sensitive):
        return sensitive
    named = isinstance(sensitive, Mapping)
    if (sensitive is None or named) != (l_diversity is None and t_closeness is None):
        msg = "sensitive goes with l_diversity or t_closeness: what is asked of which values"
        raise ValueError(msg)
    if sensitive is None:
        return ()
    if isinstance(sensitive, Mapping):
        return [_promised(model, values) for model, values in sensitive.items()]
    several = isinstance(sensitive, np.ndarray) and sensitive.ndim == 2
    columns = list(sensitive.T) if several else [sensitive]
    return [Sensitive(values, l_diversity, t_closeness, ordered) for values in columns]


def _promised(model: Any, values: Any) -> Sensitive:
    if not respected(model) or getattr(model, "kind", "") in ("entropy", "recursive"):
        msg = f"sensitive holds a {type(model).__name__} that the search cannot promise"
        raise TypeError(msg)
    return Sensitive.of(model, values)


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
