"""What is asked of a search for lower loss, and how long it searches."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import refine as _kernels
from tokumei.microaggregation.search.options import RefineOptions
from tokumei.microaggregation.search.rules import NO_RULES, Rules

# Shakes a record at k up to 3, 4, 5 and above, and the warmth at the beginning and at the end, in
# units of the local scale. A shake takes longer at larger k.
SMALL_K = (3, 4, 5)
TRIALS = {"fast": (0, 0, 0, 0), "balanced": (60, 40, 30, 22), "best": (2900, 1700, 1200, 240)}
WARMTH = ((0.3, 0.03), (0.5, 0.03), (0.2, 0.03), (0.5, 0.01))
# "best" is for so many records; larger tables get fewer shakes a record, by the square root.
RECORDS_OF_BEST = 1000
# Tables of more records are searched in blocks. They get as many shakes in all as one of this size,
# and no fewer a record than this: what a million records need.
LARGE = 8192
LEAST_TRIALS = {"fast": 0, "balanced": 3, "best": 20}
# Few shakes are better spent coolly.
FEW = 20
WARMTH_OF_FEW = (0.2, 0.01)


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked of a search, checked."""

    effort: str | float
    cost: str
    largest: int
    weights: _check.Floats | None = None
    rules: Rules = NO_RULES
    seed: int = 0

    @property
    def plain(self) -> bool:
        """Whether nothing is asked but small squares and k."""
        return self.cost == "squares" and self.weights is None and not self.rules.asked

    def of(self, rows: _check.Labels) -> Search:
        """The same, asked of some of the records."""
        some = self.rules.of(rows)
        some.check_all("a stratum")
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, weights=weights, rules=some)


def search(
    x: _check.Floats,
    labels: _check.Labels,
    k: int,
    wish: Search,
    run: _check.Run,
    end: float | None,
) -> _check.Labels:
    """Groups that cost no more than those given, which are as they should be."""
    if wish.effort == "optimal":
        from tokumei.microaggregation.search.optimal import optimum

        _check_plain(wish, k)
        return optimum(x, labels, k, wish.seed, run, end)
    out = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    options = RefineOptions(
        k,
        wish.largest,
        wish.cost == "absolute",
        *effort_for(wish.effort, len(x), k),
        wish.seed,
        wish.weights,
        wish.rules.diversity,
        wish.rules.closeness,
        wish.rules.households,
    )
    # A kernel that is stopped leaves whole groups, no worse than those it was given.
    with contextlib.suppress(StopIteration):
        _kernels.refine(x, out, int(out.max()) + 1, options, run.until(end))
    return out


def _check_plain(wish: Search, k: int) -> None:
    if not wish.plain or wish.largest != 2 * k - 1:
        msg = 'effort="optimal" knows no other cost, weights or rules than squares and k'
        raise ValueError(msg)


def weights_for(record_weights: ArrayLike | None, n: int, cost: str) -> _check.Floats | None:
    """Weights of the records that make a difference."""
    if record_weights is None:
        return None
    if cost != "squares":
        msg = f"record_weights go with cost='squares', got cost={cost!r}"
        raise ValueError(msg)
    return unless_alike(_check.positive(record_weights, n, "record_weights"))


def unless_alike(weights: _check.Floats) -> _check.Floats | None:
    """Weights that are all alike are none."""
    return None if (weights == weights[0]).all() else weights


def checked_effort(effort: str | float) -> str | float:
    """A word or a number of shakes a record."""
    if isinstance(effort, str):
        return _check.one_of(effort, (*TRIALS, "optimal"), "effort")
    trials = _check.number(effort, "effort")
    if not 0 <= trials <= 1e6:
        msg = f"effort must be between 0 and 1000000 shakes a record, got {effort}"
        raise ValueError(msg)
    return trials


def effort_for(effort: str | float, n: int, k: int) -> tuple[float, float, float]:
    """Shakes a record and the warmth at both ends, for a table of n records and groups of k."""
    place = sum(k > size for size in SMALL_K)
    if isinstance(effort, str):
        trials = float(TRIALS[effort][place])
        if effort == "best":
            trials *= min(1.0, math.sqrt(RECORDS_OF_BEST / n))
        if n > LARGE:
            trials = max(trials * LARGE / n, LEAST_TRIALS[effort])
    else:
        trials = effort
    warmth = WARMTH_OF_FEW if n > LARGE and trials <= FEW else WARMTH[place]
    return (trials, *warmth)
