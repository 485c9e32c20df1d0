"""Differencing: who knows all but one of a class, and its mean, computes the last one.

The adversary knows the values of every other member of a class and that the class publishes its
mean: the mean times the size, less what it knows, is the value of the last. It is told where that
is within half a unit in the last place of the column as it was. A mean that was rounded to fewer
places bars it. Whose class a record is in is known only to who made the release.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tokumei._check import Floats, Labels
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "all other members of a class"
PLACES = range(-3, 10)  # decimal places that a column can have


def differencing(original: Records, release: Records, rows: Labels, column: Hashable) -> Attack:
    """Compute the values of one masked column of numbers; `rows` are the originals of records."""
    classes, _ = release.alike(list(release.cells))
    sizes = np.bincount(classes)
    truth, published = original.cells[column][rows], release.cells[column]
    present = np.isfinite(truth)
    sums = np.bincount(classes, np.where(present, truth, 0.0))
    computed = published * sizes[classes] - (sums[classes] - truth)
    shared = (sizes[classes] > 1) & present
    told = np.abs(computed - truth) < 0.5 * unit(truth[present])
    return Attack(
        f"differencing of {column}",
        KNOWS,
        successes=int((told & shared).sum()),
        attempts=int(shared.sum()),
    )


def unit(values: Floats) -> float:
    """The last decimal place in which values of a column differ from nothing."""
    for place in PLACES:
        if np.allclose(values, np.round(values, place), rtol=0.0, atol=10.0 ** -(place + 4)):
            return float(10.0**-place)
    return 10.0 ** -PLACES[-1]
