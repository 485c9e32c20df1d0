"""Groups of low reduced cost, which a better partition may be made of, by the pricing kernel."""

from __future__ import annotations

import numpy as np

from tokumei import _check
from tokumei.microaggregation.search.relaxation import Relaxation, negative_columns

# How far above its price a group may cost: shares of the prices of its records, one after the other
# until there are so many groups a record. No price counts as less than a share of the mean.
REACHES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6)
LEAST_PRICE = 0.02
ENOUGH = 60
# Sets looked at for a record and size, and groups kept of a record.
STEPS, KEPT = 20_000, 200


def add_near_columns(x: _check.Floats, k: int, relaxation: Relaxation, run: _check.Run) -> None:
    """Add groups that cost little more than their prices to the pool.

    How little is a share of the prices: in skewed data the gap of the whole partition is a hundred
    times what a group costs where records are close.
    """
    duals = relaxation.duals
    room = np.maximum(duals, LEAST_PRICE * duals.mean())
    for share, part in zip(REACHES, run.parts(len(REACHES)), strict=True):
        raised = duals + share * room
        found, _ = negative_columns(x, raised, k, STEPS, part, relaxation.subsets, KEPT)
        if len(found) > ENOUGH * len(x):
            break
    relaxation.pool.add(found)
