"""Replay: who knows the method does it again, and finds each person by its place in its class.

The adversary has what others may know of everybody, in the order of the original, and knows method,
k and every option (transparency; Nin, Herranz & Torra 2008). It masks the originals itself and
looks for each record's class in the release; the j-th record of a class it takes for the j-th of
the class that it made, from the front or from the end. Where rows are shuffled that is right as
often as any record of the class: the control. Whose records they are is known only to who made the
release.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Labels
from tokumei.risk.attacks.nearest import nearest_of
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "the original in its order, the method and all its options"


def replay(replayed: Records, release: Records, rows: Labels) -> Attack:
    """Link by order within classes; `replayed` is masked again, row by row as the original."""
    names = list(release.cells)
    classes, first = release.alike(names)
    sizes = np.bincount(classes)
    own, one_of_each = replayed.alike(names)
    likeliest = nearest_of(replayed.rows(one_of_each), release.rows(first), names)[own]
    forwards = np.arange(len(likeliest))
    found = max(
        _right(likeliest[order], classes, rows, order) for order in (forwards, forwards[::-1])
    )
    return Attack(
        "replay",
        KNOWS,
        successes=found,
        attempts=len(likeliest),
        control_successes=float((1.0 / sizes[likeliest]).sum()),
        control_attempts=len(likeliest),
        note="the control takes any record of the class",
    )


def _right(likeliest: Labels, classes: Labels, rows: Labels, order: Labels) -> int:
    """How many originals, in this order, are the record at their place in their class."""
    of_release = np.argsort(classes, kind="stable")
    starts = np.searchsorted(classes[of_release], np.arange(int(classes.max()) + 2))
    of_originals = np.argsort(likeliest, kind="stable")
    mine = likeliest[of_originals]
    place = np.arange(len(mine)) - np.searchsorted(mine, mine)
    there = place < (starts[mine + 1] - starts[mine])
    linked = of_release[(starts[mine] + place)[there]]
    return int((rows[linked] == order[of_originals[there]]).sum())
