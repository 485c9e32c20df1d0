"""How far the loss of a masked table is at most above the least possible one, in per cent."""

from __future__ import annotations

import math

from tokumei import _check
from tokumei.bounds.lower_bound import lower_bound_of
from tokumei.microaggregation.records import Table


def above_least_percent(
    records: Table, loss: float, k: int, method: str, run: _check.Run
) -> float | None:
    """By how many per cent a loss (SSE/SST) is at most above the least; None if nothing is proven.

    The bound holds for all groups of at least k records, so for those, too, of which more is asked.
    """
    if loss == 0.0:
        return 0.0
    gap = lower_bound_of(records, k, method, run).gap(loss)
    return 100.0 * gap if math.isfinite(gap) else None
