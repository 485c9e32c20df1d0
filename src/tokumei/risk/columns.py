"""Columns that point to a record by themselves, or tell what a quasi-identifier was."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Labels
from tokumei._check.options import share
from tokumei.risk.classes import chosen, known_codes
from tokumei.values import tables
from tokumei.values.column import Column

# Fewer pairs of records that agree in a column say nothing of what it determines.
FEWEST_PAIRS = 20


@dataclass(frozen=True)
class ColumnRisk:
    """What one column gives away by itself.

    It holds counts, shares and names of columns.

    Attributes
    ----------
    column : hashable
        The column.
    distinct : int
        How many values it has; a missing cell is one.
    unique : float
        The share of records that are alone with their value.
    nearly_unique : bool
        Whether that is more than asked.
    determines : dict
        The quasi-identifiers that it tells, and how well: the chance that two records with the same
        value agree there, from 0, as good as any two records, to 1, always.
    """

    column: Any
    distinct: int
    unique: float
    nearly_unique: bool
    determines: dict[Any, float]

    def __str__(self) -> str:
        tells = "".join(f"; tells {name} ({how:.3f})" for name, how in self.determines.items())
        alone = "nearly unique, " if self.nearly_unique else ""
        return f"{self.column}: {alone}{self.unique:.2%} of records alone with their value{tells}"


def columns(
    table: Any,
    quasi: Sequence[Hashable] = (),
    *,
    nearly_unique: float = 0.5,
    determines: float = 0.95,
) -> tuple[ColumnRisk, ...]:
    """Find the columns that point to a record, or determine a quasi-identifier.

    Masking a column is in vain where another one tells what it was.

    Parameters
    ----------
    table : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    quasi : sequence
        The columns that are masked or that others may know.
    nearly_unique : float
        A column is nearly unique where more than this share of records is alone with its value.
    determines : float
        How well a column must tell a quasi-identifier to be named, 0 to 1.

    Returns
    -------
    tuple of ColumnRisk
        One for each column of the table.

    Examples
    --------
    >>> import tokumei as tk
    >>> grades = [number % 5 for number in range(100)]
    >>> people = {"level": grades, "school": ["abcde"[grade] for grade in grades]}
    >>> print(*tk.risk.columns(people, ["school"]), sep="\\n")
    level: 0.00% of records alone with their value; tells school (1.000)
    school: 0.00% of records alone with their value
    """
    named = tables.table(table, "table")
    masked = chosen(named, quasi) if len(quasi) else {}
    return columns_of(
        named, masked, share(nearly_unique, "nearly_unique"), share(determines, "determines")
    )


def columns_of(
    named: Mapping[Any, Column], quasi: Mapping[Any, Column], alone: float, tells: float
) -> tuple[ColumnRisk, ...]:
    """The same of columns that were read."""
    targets = {key: known_codes(one) + 1 for key, one in quasi.items()}
    found = []
    for key, one in named.items():
        codes = known_codes(one) + 1
        sizes = np.bincount(codes)
        unique = float((sizes == 1).sum() / len(codes))
        how_well = {
            target: agreement(codes, other) for target, other in targets.items() if target != key
        }
        found.append(
            ColumnRisk(
                column=key,
                distinct=int((sizes > 0).sum()),
                unique=unique,
                nearly_unique=unique > alone,
                determines={name: how for name, how in how_well.items() if how >= tells},
            )
        )
    return tuple(found)


def agreement(codes: Labels, target: Labels) -> float:
    """How much likelier two records agree in the target where they agree in these codes, of 0 to 1.

    Pairs of different records are counted, so a value of few records is not told by chance.
    """
    kinds = int(target.max()) + 1
    pairs, within = _pairs(codes), _pairs(np.unique(codes * kinds + target, return_inverse=True)[1])
    if pairs < FEWEST_PAIRS:
        return 0.0
    expected = _pairs(target) / (len(target) * (len(target) - 1) / 2)
    return 0.0 if expected >= 1.0 else float((within / pairs - expected) / (1.0 - expected))


def _pairs(codes: Labels) -> float:
    sizes = np.bincount(codes).astype(np.float64)
    return float((sizes * (sizes - 1) / 2).sum())
