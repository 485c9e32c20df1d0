"""What a class tells of its members: sensitive values that all or most of them share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Labels
from tokumei.privacy import TCloseness
from tokumei.risk.classes import Classes, chosen, classes_of, known_codes
from tokumei.values import tables
from tokumei.values.column import Column


@dataclass(frozen=True)
class Homogeneity:
    """What classes tell of one sensitive column.

    It holds counts and shares.

    Attributes
    ----------
    column : hashable
        The column.
    homogeneous, homogeneous_shared : int
        Records whose class holds one value only: all, and those in classes of two or more.
    l, entropy_l : float
        The fewest values of a class; the least exponential of a class's entropy.
    t : float
        The largest distance of a class from the table: the earth mover's with all values equally
        far apart.
    guessed, baseline : float
        The share of records of which the commonest value of their class is right, and the
        commonest of the table.
    """

    column: Any
    homogeneous: int
    homogeneous_shared: int
    l: int  # noqa: E741 - the name of the literature
    entropy_l: float
    t: float
    guessed: float
    baseline: float

    def __str__(self) -> str:
        return (
            f"{self.column}: {self.homogeneous:,} records in classes of one value "
            f"({self.homogeneous_shared:,} of them not alone); l = {self.l}, entropy l = "
            f"{self.entropy_l:.2f}, t = {self.t:.3f}; guessed {self.guessed:.2%}, without classes "
            f"{self.baseline:.2%}"
        )


def homogeneity(
    table: Any, quasi: Sequence[Hashable], sensitive: Sequence[Hashable]
) -> tuple[Homogeneity, ...]:
    """Measure what the classes of a table tell of sensitive columns.

    Parameters
    ----------
    table : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    quasi, sensitive : sequence
        The columns that others may know, and those that they should not learn. A missing cell is a
        value of its own.

    Returns
    -------
    tuple of Homogeneity
        One for each sensitive column.

    Examples
    --------
    >>> import tokumei as tk
    >>> people = {"age": [31, 31, 47, 47, 47], "ill": ["flu", "flu", "flu", "gout", "none"]}
    >>> print(*tk.risk.homogeneity(people, ["age"], ["ill"]))
    ill: 2 records in classes of one value (2 of them not alone); l = 1, entropy l = 1.00, \
t = 0.400; guessed 60.00%, without classes 60.00%
    """
    columns = tables.table(table, "table")
    classes = classes_of(chosen(columns, quasi))
    return homogeneity_of(classes, chosen(columns, sensitive, "sensitive"))


def homogeneity_of(classes: Classes, columns: Mapping[Any, Column]) -> tuple[Homogeneity, ...]:
    """The same of classes that are known."""
    return tuple(_of_column(classes, key, known_codes(one) + 1) for key, one in columns.items())


def _of_column(classes: Classes, name: Any, codes: Labels) -> Homogeneity:
    kinds, records = int(codes.max()) + 1, len(codes)
    pairs, counts = np.unique(classes.labels * kinds + codes, return_counts=True)
    group = pairs // kinds
    first = np.flatnonzero(np.diff(group, prepend=-1))
    values = np.diff(first, append=len(group))
    shares = counts / classes.sizes[group]
    entropies = np.add.reduceat(-shares * np.log(shares), first)
    alike = classes.sizes[values == 1]
    return Homogeneity(
        column=name,
        homogeneous=int(alike.sum()),
        homogeneous_shared=int(alike[alike > 1].sum()),
        l=int(values.min()),
        entropy_l=float(np.exp(entropies.min())),
        t=TCloseness(str(name), 0.0).reached(classes.labels, codes),
        guessed=float(np.maximum.reduceat(counts, first).sum() / records),
        baseline=float(np.bincount(codes).max() / records),
    )
