"""Distance linkage: the released record nearest to a person is taken for its own.

The adversary knows what others may know of everybody, as it was. It links each person to the
nearest released record; one that m released records equal is right once in m. Whether a link is
right is known only to who made the release.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Labels
from tokumei.risk.attacks.nearest import nearest_of
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "the columns that others may know, of everybody"


def distance_linkage(
    original: Records,
    release: Records,
    rows: Labels,
    *,
    attacks: int,
    chance: np.random.Generator,
) -> Attack:
    """Link released records, of which `rows` are the originals, by distance."""
    classes, first = release.alike(list(release.cells))
    sizes = np.bincount(classes)
    tried = chance.permutation(len(rows))[:attacks]
    found = nearest_of(original.rows(rows[tried]), release.rows(first), list(release.cells))
    right = found == classes[tried]
    return Attack(
        "distance linkage",
        KNOWS,
        successes=float((1.0 / sizes[found[right]]).sum()),
        attempts=len(tried),
        baseline_successes=len(tried) / len(rows),
        baseline_attempts=len(tried),
    )
