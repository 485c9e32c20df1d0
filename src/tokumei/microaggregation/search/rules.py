"""What every group must show besides its k records: checked, and in the form the search takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei import _check
from tokumei.values.columns import of_rows

_NOTHING = np.zeros(1, dtype=np.int64)


@dataclass(frozen=True)
class Rules:
    """Values of a sensitive variable and households, one code a record, and what is asked of
    them."""

    sensitive: _check.Labels | None = None
    least_values: int = 1
    farthest: float = -1.0  # negative: as far as may be
    ordered: bool = False
    households: _check.Labels | None = None
    least_households: int = 1

    @property
    def asked(self) -> bool:
        return self.sensitive is not None or self.households is not None

    def of(self, rows: _check.Labels) -> Rules:
        """The same rules for some of the records; distances are then from these records' values."""
        return Rules(
            None if self.sensitive is None else _from_zero(self.sensitive[rows]),
            self.least_values,
            self.farthest,
            self.ordered,
            None if self.households is None else _from_zero(self.households[rows]),
            self.least_households,
        )

    def least_size(self, k: int) -> int:
        """The least size, k or more, at which well chosen records are a group, give or take one."""
        size = max(k, self.least_values, self.least_households)
        if self.sensitive is None or self.farthest < 0:
            return size
        shares = np.bincount(self.sensitive) / len(self.sensitive)
        nearest = _nearest_in_order if self.ordered else _nearest
        # Half a record more: all groups cannot have the same values.
        while size < len(self.sensitive) and nearest(shares, size) + 0.5 / size > self.farthest:
            size += 1
        return size

    def check_all(self, place: str) -> None:
        """Refuses what not even one group of all records could show."""
        for codes, least, name in (
            (self.sensitive, self.least_values, "values of sensitive"),
            (self.households, self.least_households, "households"),
        ):
            found = 1 if codes is None else len(np.unique(codes))
            if found < least:
                msg = f"{least} different {name} are asked for in each group, {place} has {found}"
                raise ValueError(msg)

    def arguments(self) -> tuple[_check.Labels, int, int, float, bool, _check.Labels, int]:
        """As the kernel takes them."""
        sensitive = _NOTHING if self.sensitive is None else self.sensitive
        households = _NOTHING if self.households is None else self.households
        return (
            sensitive,
            int(sensitive.max()) + 1,
            self.least_values,
            self.farthest,
            self.ordered,
            households,
            self.least_households,
        )


def rules(
    rows: int,
    sensitive: ArrayLike | None,
    l_diversity: int | None,
    t_closeness: float | None,
    sensitive_ordered: bool,
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
    ordered = _check.flag(sensitive_ordered, "sensitive_ordered")
    made = Rules(
        None if sensitive is None else _codes(sensitive, rows, "sensitive", ordered),
        1 if l_diversity is None else _check.at_least(l_diversity, 1, "l_diversity"),
        -1.0 if t_closeness is None else _share(t_closeness, "t_closeness"),
        ordered,
        None if households is None else _codes(households, rows, "households", ordered=False),
        1 if min_households is None else _check.at_least(min_households, 1, "min_households"),
    )
    made.check_all("the table")
    return made


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


def _share(value: float, name: str) -> float:
    share = _check.number(value, name)
    if not 0.0 <= share <= 1.0:
        msg = f"{name} must be between 0 and 1, got {value}"
        raise ValueError(msg)
    return share


def _codes(values: ArrayLike, rows: int, name: str, ordered: bool) -> _check.Labels:
    codes, _ = of_rows(values, rows, name)
    if not ordered:
        return codes
    array = np.asarray(values)
    if array.dtype.kind not in "iufb":
        msg = f"{name} must be numbers where sensitive_ordered, got values of {array.dtype.name}"
        raise TypeError(msg)
    return _from_zero(array)


def _from_zero(values: NDArray[Any]) -> _check.Labels:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
