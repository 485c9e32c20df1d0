"""Row order: the place of a released record tells which original it was.

The adversary has the original in its order, or sorted the other way round, and takes the released
record at the same place for the same person. Where that is so, a record is nearer to the one at its
place than to one at a random place; by chance it is so half of the time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Floats, Labels
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "the original and the order of its rows"
MOST = 20_000


def row_order(original: Records, release: Records, *, chance: np.random.Generator) -> Attack:
    """Compare records with those at their place, and at the same place from the end."""
    rows = sampled(len(original), chance)
    here = rows * len(release) // len(original)
    places = [release.rows(place) for place in (here, len(release) - 1 - here)]
    anywhere = release.rows(chance.integers(len(release), size=len(rows)))
    return compared(original.rows(rows), places, anywhere)


def sampled(records: int, chance: np.random.Generator) -> Labels:
    """Rows to be looked at, in their order."""
    rows: Labels = np.sort(chance.permutation(records)[:MOST])
    return rows


def compared(targets: Records, places: Sequence[Records], anywhere: Records) -> Attack:
    """The attack of the best of these places, beside that of random ones."""
    far = apart(targets, anywhere)
    return Attack(
        "row order",
        KNOWS,
        successes=max(_won(apart(targets, place), far) for place in places),
        attempts=len(targets),
        control_successes=0.5 * len(targets),
        control_attempts=len(targets),
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
