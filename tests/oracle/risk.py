"""What risk remains, by looking at all sets of columns and all pairs of records."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any


def minimal_uniques(
    rows: Sequence[Sequence[Any]], largest: int
) -> list[tuple[int, tuple[int, ...]]]:
    """Each record and set of columns in which it is alone, as it is in no proper subset.

    None is a missing cell: it is part of no set and equals no cell.
    """

    def alone(record: int, columns: tuple[int, ...]) -> bool:
        own = [rows[record][j] for j in columns]
        return None not in own and not any(
            [other[j] for j in columns] == own for i, other in enumerate(rows) if i != record
        )

    found: list[tuple[int, tuple[int, ...]]] = []
    for size in range(1, largest + 1):
        for columns in combinations(range(len(rows[0])), size):
            for record in range(len(rows)):
                has_smaller = any(i == record and set(part) <= set(columns) for i, part in found)
                if not has_smaller and alone(record, columns):
                    found.append((record, columns))
    return found


def records_with(cells, missing, predicate):
    """How many records a predicate holds for: every record is asked for every term."""
    told = {
        "equal": lambda cell, value: cell == value,
        "unequal": lambda cell, value: cell != value,
        "above": lambda cell, value: cell >= value,
        "below": lambda cell, value: cell <= value,
    }
    rows = range(len(next(iter(cells.values()))))
    return sum(
        all(
            missing(cells[name][row])
            if how == "missing"
            else not (how != "unequal" and missing(cells[name][row]))
            and told[how](cells[name][row], value)
            for name, how, value in predicate
        )
        for row in rows
    )
