"""Classes: records that agree in some columns, and how many there are of each size."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Labels, at_least
from tokumei.values import tables
from tokumei.values.column import Column
from tokumei.values.containers import distinct

# Keys of records are whole numbers below this.
MOST_KEYS = 2**62


@dataclass(frozen=True)
class ClassSizes:
    """How many records agree with how many others in all quasi-identifiers.

    It holds counts only.

    Attributes
    ----------
    records, classes : int
        How many records there are, and how many classes of records that agree.
    smallest, uniques : int
        The records of the smallest class, and the classes of one record.
    counts : dict
        The number of classes by their size.
    """

    records: int
    classes: int
    smallest: int
    uniques: int
    counts: dict[int, int]

    def below(self, k: int) -> int:
        """The number of records in classes of less than k."""
        k = at_least(k, 1, "k")
        return sum(size * count for size, count in self.counts.items() if size < k)

    def __str__(self) -> str:
        low = ", ".join(f"{self.below(k):,} below {k}" for k in (2, 3, 5, 10))
        return (
            f"{self.records:,} records in {self.classes:,} classes, the smallest of "
            f"{self.smallest:,}\n  records in classes {low}"
        )


def class_sizes(table: Any, quasi: Sequence[Hashable] | None = None) -> ClassSizes:
    """Count the classes of records that agree in all quasi-identifiers, by their size.

    Parameters
    ----------
    table : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    quasi : sequence, optional
        The columns that others may know; all by default. A missing cell is a value of its own.

    Returns
    -------
    ClassSizes

    Examples
    --------
    >>> import tokumei as tk
    >>> people = {"age": [31, 31, 47, 47, 52], "sex": ["f", "f", "m", "m", "f"]}
    >>> print(tk.risk.class_sizes(people))
    5 records in 3 classes, the smallest of 1
      records in classes 1 below 2, 5 below 3, 5 below 5, 5 below 10
    """
    return class_sizes_of(classes_of(chosen(tables.table(table, "table"), quasi)))


@dataclass(frozen=True, eq=False)
class Classes:
    """The class of each record, the first record of each class and its size."""

    labels: Labels
    first_rows: Labels
    sizes: Labels

    @property
    def of_records(self) -> Labels:
        """The size of the class of each record."""
        return self.sizes[self.labels]


def classes_of(columns: Mapping[Any, Column]) -> Classes:
    """The classes of records that agree in all these columns; missing cells agree."""
    keys, size = np.zeros(tables.records(columns), dtype=np.int64), 1
    for column in columns.values():
        codes = known_codes(column) + 1
        kinds = int(codes.max()) + 1
        if size * kinds >= MOST_KEYS:
            keys, rows = distinct(keys)
            size = len(rows)
        keys, size = keys * kinds + codes, size * kinds
    labels, rows = distinct(keys)
    return Classes(labels, rows, np.bincount(labels))


def class_sizes_of(classes: Classes) -> ClassSizes:
    """The sizes of classes, counted."""
    sizes, counts = np.unique(classes.sizes, return_counts=True)
    found = dict(zip(sizes.tolist(), counts.tolist(), strict=True))
    return ClassSizes(
        records=len(classes.labels),
        classes=len(classes.sizes),
        smallest=int(sizes[0]),
        uniques=found.get(1, 0),
        counts=found,
    )


def known_codes(column: Column) -> Labels:
    """The codes of a column, -1 for missing cells; a column without is one that cannot be told."""
    try:
        return column.codes
    except TypeError:
        msg = "table holds a column whose values cannot be told apart (they have no hash)"
        raise TypeError(msg) from None


def chosen(
    columns: Mapping[Any, Column], names: Sequence[Hashable] | None, argument: str = "quasi"
) -> dict[Any, Column]:
    """The columns of these names; all where there are none."""
    if names is None:
        return dict(columns)
    if isinstance(names, str | bytes) or not isinstance(names, Sequence | np.ndarray):
        msg = f"{argument} must be a list of column names, got {type(names).__name__}"
        raise TypeError(msg)
    if not len(names) or len(set(names)) < len(names):
        msg = f"{argument} must name at least one column, and each once"
        raise ValueError(msg)
    unknown = sum(name not in columns for name in names)
    if unknown:
        msg = f"{argument} names {unknown} columns that table does not have"
        raise ValueError(msg)
    return {name: columns[name] for name in names}
