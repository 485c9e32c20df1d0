"""Whether the release holds the records that were made, whole, and in the order asked for.

What a record is to hold is taken from the table as it was read; of columns that steps changed, from
what the steps say they publish, before it was put into a table.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Labels
from tokumei.release.errors import counted, named
from tokumei.release.gate import chance
from tokumei.release.gate.answers import Answer
from tokumei.release.gate.candidate import Candidate
from tokumei.release.gate.hashes import Hashes, total

NEIGHBOURS = 2.0  # so many rows stay beside one that they stood beside, after a shuffle


def whole(candidate: Candidate) -> Answer:
    """The records of the release are those that were made, each as often as it was."""
    before, after = candidate.hashes
    if total(before) == total(after):
        return True, f"{counted(len(after), 'record')}, each as it was made", {}
    apart = [
        column
        for column, kind in candidate.made_kinds.items()
        if not _same(candidate, {column: kind})
    ]
    if apart:
        return False, f"{_names(candidate, apart)} cells that are not those made for it", {}
    moved = [
        column
        for column in candidate.made_kinds
        if _same(candidate, {c: kind for c, kind in candidate.made_kinds.items() if c != column})
    ]
    found = (
        f"{_names(candidate, moved)} cells in rows of other records" if moved else "cells are mixed"
    )
    return False, found, {}


def _same(candidate: Candidate, kinds: dict[str, str]) -> bool:
    before, after = candidate.hashes_of(kinds)
    return total(before) == total(after)


def _names(candidate: Candidate, columns: list[str]) -> str:
    names = [candidate.names[int(column[1:])] for column in columns]
    return f"{named(names)} {'have' if len(names) > 1 else 'has'}"


def order(candidate: Candidate) -> Answer:
    """Rows stand in a new order; or in that of the input, where that was asked for."""
    before, after = (half[:, 0] for half in candidate.hashes)
    if len(before) != len(after):
        return False, "there are not as many rows", {}
    if not candidate.origin.shuffled:
        moved = int((before != after).sum())
        return moved == 0, f"{counted(moved, 'row')} moved, and none was to", {}
    if candidate.origin.scattered:
        return True, "rows were scattered with the noise", {}
    same = int((before == after).sum())
    known, rows, counts = np.unique(before, return_index=True, return_counts=True)
    if chance.no_shuffle(same, counts, counts):
        return False, f"{counted(same, 'row')} not moved, more than by chance", {}
    beside = _still_beside(known[counts == 1], rows[counts == 1], after)
    if chance.beyond(beside, NEIGHBOURS):
        return False, f"{counted(beside, 'row')} beside the same other, more than by chance", {}
    return True, "as after a shuffle", {}


def _still_beside(known: Hashes, rows: Labels, after: Hashes) -> int:
    """How many records that are there once stand beside one that they stood beside.

    `known` are their hashes, sorted, and `rows` where they stood.
    """
    if not len(known):
        return 0
    places = np.empty(len(known), dtype=np.int64)
    places[np.argsort(rows)] = np.arange(len(known))
    found = np.minimum(np.searchsorted(known, after), len(known) - 1)
    order = places[found[known[found] == after]]
    return int((np.abs(np.diff(order)) == 1).sum())
