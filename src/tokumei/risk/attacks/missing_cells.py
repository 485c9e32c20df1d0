"""Counts of missing cells: a mean over the cells that are there tells which cell is not.

The adversary knows the cells of all other members of a class, and which of them are missing. Where
the published mean is that of the others alone, the last member's cell is missing. It says so of as
many people whose cell is missing as of others; by chance half of that is right. Whose class a
record is in is known only to who made the release.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tokumei._check import Labels
from tokumei.risk.attacks.differencing import unit
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "all other members of a class"


def missing_cells(original: Records, release: Records, rows: Labels, column: Hashable) -> Attack:
    """Tell missing cells of one masked column of numbers; `rows` are the originals of records."""
    classes, _ = release.alike(list(release.cells))
    truth, published = original.cells[column][rows], release.cells[column]
    absent = np.isnan(truth)
    there = np.bincount(classes, ~absent)[classes] - ~absent
    sums = np.bincount(classes, np.where(absent, 0.0, truth))[classes]
    told = (there > 0) & np.isfinite(published)
    others = (sums - np.where(absent, 0.0, truth))[told] / there[told]
    width = 0.5 * unit(published[told]) + 1e-9 * np.abs(others)
    claimed = np.abs(others - published[told]) <= width
    missing, known = absent[told], ~absent[told]
    tries = int(min(missing.sum(), known.sum()))
    right = 0.5 * (claimed[missing].mean() + (~claimed[known]).mean()) if tries else 0.0
    return Attack(
        f"missing cells of {column}",
        KNOWS,
        successes=float(right) * 2 * tries,
        attempts=2 * tries,
        control_successes=float(tries),
        control_attempts=2 * tries,
        note="half of them by chance",
    )
