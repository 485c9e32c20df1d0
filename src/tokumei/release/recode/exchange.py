"""Categories of a column exchanged by chance, as often as they were before (PRAM)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from tokumei.recode import invariant, pram, retention
from tokumei.release.errors import InputError
from tokumei.release.recode.columns import Recoded
from tokumei.release.recode.step import Recode

MOST_CATEGORIES = 500  # the chances of each for each are worked out without rounding


def exchanged(name: str, one: Recoded, step: Recode) -> tuple[Recoded, dict[str, Any]]:
    """The column with its categories exchanged, and what that did to it.

    `least_retention` is the chance that a record of the category that loses most keeps it; the
    rarest category has so many `records`, of which so many `kept` theirs.
    """
    had = [cell for cell in one.cells if cell is not None]
    counts = Counter(had)
    if not 2 <= len(counts) <= MOST_CATEGORIES:
        msg = (
            f"column {name!r} has {len(counts)} categories; pram exchanges those of columns that "
            f"have 2 to {MOST_CATEGORIES}, also after a share, a level or bins"
        )
        raise InputError(msg)
    stays = retention(sorted(counts), step.pram[name])
    chances = invariant(had, stays, alpha=step.pram_alpha, least_retention=step.pram_least)
    now = pram(had, chances)
    drawn = iter(now.tolist())
    cells = [None if cell is None else next(drawn) for cell in one.cells]
    same = np.array(had, dtype=object) == now
    rarest = min(sorted(counts), key=counts.__getitem__)
    of_rarest = np.array(had, dtype=object) == rarest
    return replace(one, cells=cells), {
        "changed": float(f"{1.0 - same.mean():.3g}"),
        "least_retention": float(f"{np.diag(chances.matrix).min():.3g}"),
        "rarest": {"records": counts[rarest], "kept": int(same[of_rarest].sum())},
    }
