"""Row order: the place of a released record tells which original it was.

The adversary has the original in its order, or sorted the other way round, and takes the released
record at the same place for the same person. Where that is so, a record is nearer to the one at its
place than to one at a random place; by chance it is so half of the time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Floats, Labels
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "the original and the order of its rows"
MOST = 20_000


def row_order(original: Records, release: Records, *, chance: np.random.Generator) -> Attack:
    """Compare records with those at their place, and at the same place from the end."""
    rows: Labels = np.sort(chance.permutation(len(original))[:MOST])
    here = rows * len(release) // len(original)
    targets = original.rows(rows)
    elsewhere = apart(targets, release.rows(chance.integers(len(release), size=len(rows))))
    wins = [
        _won(apart(targets, release.rows(place)), elsewhere)
        for place in (here, len(release) - 1 - here)
    ]
    return Attack(
        "row order",
        KNOWS,
        successes=max(wins),
        attempts=len(rows),
        control_successes=0.5 * len(rows),
        control_attempts=len(rows),
        note="half of them by chance",
    )


def _won(near: Floats, far: Floats) -> float:
    tied: NDArray[np.bool_] = near == far
    return float((near < far).sum() + 0.5 * tied.sum())


def apart(one: Records, other: Records) -> Floats:
    """Gower's distances of records at the same places."""
    total = np.zeros(len(one))
    for name, cells in one.cells.items():
        theirs = other.cells[name]
        if not one.numeric(name):
            total += cells != theirs
            continue
        differ = np.abs(cells - theirs) / one.scale[name]
        missing = np.isnan(cells) != np.isnan(theirs)
        total += np.where(np.isnan(differ), missing.astype(float), differ)
    return total
