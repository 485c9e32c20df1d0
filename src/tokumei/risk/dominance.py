"""Dominance: numbers of a class whose sum one of its members nearly is."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Floats
from tokumei._check.options import share as a_share
from tokumei.risk.classes import Classes, chosen, classes_of
from tokumei.values import tables
from tokumei.values.columns import numbers


@dataclass(frozen=True)
class Dominance:
    """In how many classes one member dominates the sum of a column.

    It holds counts and shares.

    Attributes
    ----------
    column : hashable
        The column.
    classes : int
        How many classes there are whose sum is not 0.
    dominated : int
        Classes in which the largest contribution is more than `share` of the sum: (1, k)-dominance.
    estimable : int
        Classes in which the second contributor, who knows its own, can tell the largest to within
        `precision` of it: the p % rule.
    largest : float
        The largest share that one member has of the sum of its class.
    """

    column: Any
    classes: int
    dominated: int
    estimable: int
    largest: float

    def __str__(self) -> str:
        return (
            f"{self.column}: in {self.dominated:,} of {self.classes:,} classes one member "
            f"dominates the sum, in {self.estimable:,} it can be told; the largest share is "
            f"{self.largest:.1%}"
        )


def dominance(
    table: Any,
    quasi: Sequence[Hashable],
    values: Sequence[Hashable],
    *,
    share: float = 0.75,
    precision: float = 0.1,
) -> tuple[Dominance, ...]:
    """Count the classes whose sum, or mean, tells what one of its members has.

    Parameters
    ----------
    table : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    quasi : sequence
        The columns that others may know.
    values : sequence
        Columns of numbers whose sums or means are published; they count by their size, whatever
        their sign.
    share : float
        One member dominates where it has more than this share of its class's sum.
    precision : float
        The largest contribution must not be told to within this share of itself.

    Returns
    -------
    tuple of Dominance
        One for each column.

    Examples
    --------
    >>> import tokumei as tk
    >>> firms = {"trade": ["a", "a", "a", "b", "b"], "turnover": [900.0, 10.0, 20.0, 50.0, 60.0]}
    >>> print(*tk.risk.dominance(firms, ["trade"], ["turnover"]))
    turnover: in 1 of 2 classes one member dominates the sum, in 2 it can be told; the largest \
share is 96.8%
    """
    columns = tables.table(table, "table")
    classes = classes_of(chosen(columns, quasi))
    named = chosen(columns, values, "values")
    share, precision = a_share(share, "share"), a_share(precision, "precision")
    return tuple(
        dominance_of(classes, key, numbers(one, tables.label("table", key)), share, precision)
        for key, one in named.items()
    )


def dominance_of(
    classes: Classes, name: Any, values: Floats, share: float, precision: float
) -> Dominance:
    """The same of one column of finite numbers."""
    amounts = np.abs(values)
    order = np.lexsort((amounts, classes.labels))
    ends = np.cumsum(classes.sizes) - 1
    sums = np.bincount(classes.labels, amounts)
    first = amounts[order[ends]]
    second = np.where(classes.sizes > 1, amounts[order[np.maximum(ends - 1, 0)]], 0.0)
    some = sums > 0
    shares = first[some] / sums[some]
    rest = np.maximum(sums - first - second, 0.0)
    return Dominance(
        column=name,
        classes=int(some.sum()),
        dominated=int((shares > share).sum()),
        estimable=int((rest < precision * first)[some].sum()),
        largest=float(shares.max(initial=0.0)),
    )
