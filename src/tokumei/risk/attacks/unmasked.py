"""Linkage through unmasked columns: what was released as it is leads back to the original.

The adversary knows the original values of the columns that were not masked, of every person. A
released record is one of those that agree with it there, and the adversary takes one of them at
random: right once in the size of the class. Counted for every record, so nothing is estimated.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.classes import classes_of
from tokumei.values.column import Column

KNOWS = "the unmasked columns of everybody"
NAME = "linkage through unmasked columns"


def unmasked(columns: Mapping[Any, Column]) -> Attack:
    """Link every record through these columns jointly."""
    if not columns:
        return Attack(NAME, KNOWS, 0, 0, note="no column was released as it is")
    rows = len(next(iter(columns.values())))
    return Attack(NAME, KNOWS, links(columns), rows, columns=worst_first(columns))


def links(columns: Mapping[Any, Column]) -> int:
    """How many links are right on average: one for each class of equal records."""
    return len(classes_of(columns).sizes)


def worst_first(columns: Mapping[Any, Column]) -> tuple[Hashable, ...]:
    """The columns by how many values tell records apart; those that tell nothing are left out."""
    counts = {name: links({name: one}) for name, one in columns.items()}
    return tuple(sorted((n for n in counts if counts[n] > 1), key=lambda name: -counts[name]))
