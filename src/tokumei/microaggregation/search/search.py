"""What is asked of a search for lower loss, and how long it searches."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import refine as _kernels
from tokumei.microaggregation.records import Records, Table
from tokumei.microaggregation.search.options import RefineOptions
from tokumei.microaggregation.search.rules import NO_RULES, Rules

# Perturbations a record at k up to 3, 4, 5 and above, and the temperatures at the start and at the
# end, in units of the local scale.
SMALL_K = (3, 4, 5)
PERTURBATIONS = {
    "fast": (0, 0, 0, 0),
    "balanced": (60, 40, 30, 22),
    "best": (2900, 1700, 1200, 240),
}
TEMPERATURES = ((0.3, 0.03), (0.5, 0.03), (0.2, 0.03), (0.5, 0.01))
# A perturbation looks at the pairs of two groups: at large k "balanced" makes fewer, so many over
# the square of k, with and without codes (python -m bench.effort).
OF_LARGE_K = 2200
OF_LARGE_K_WITH_CODES = 650
# "best" is for so many records; larger tables get fewer a record, by the square root.
RECORDS_OF_BEST = 1000
# Tables of more records are searched in blocks. They get as many perturbations in all as one of
# this size, and no fewer a record than this: what a million records need.
LARGE = 8192
LEAST_PERTURBATIONS = {"fast": 0, "balanced": 3, "best": 20}
# One of records with codes takes more than twice as long as one of numbers: "balanced" makes half
# as many.
SHARE_OF_CODES = 0.5
# Few perturbations are better spent at low temperatures.
FEW = 20
TEMPERATURES_OF_FEW = (0.2, 0.01)


@dataclass(frozen=True, slots=True)
class SearchTask:
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
        return self.cost == "squares" and self.exact

    @property
    def exact(self) -> bool:
        """Whether one attribute has a partition that is known to be the best."""
        return self.weights is None and not self.rules.asked

    def of(self, rows: _check.Labels) -> SearchTask:
        """The same, asked of some of the records."""
        some = self.rules.of(rows)
        some.check_all("a stratum")
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, weights=weights, rules=some)


def search(
    x: Table,
    labels: _check.Labels,
    k: int,
    task: SearchTask,
    run: _check.Run,
    end: _check.Deadline | None,
) -> _check.Labels:
    """Groups that cost no more than those given, which are as they should be."""
    if task.effort == "optimal":
        from tokumei.microaggregation.search.set_partitioning import optimum

        _check_plain(task, k)
        return optimum(x, labels, k, task.seed, run, end)
    out = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    options = RefineOptions(
        k,
        task.largest,
        task.cost == "absolute",
        *effort_for(task.effort, len(x), k, codes=isinstance(x, Records)),
        task.seed,
        task.weights,
        task.rules.distinct,
        task.rules.closeness,
    )
    # A kernel that is stopped leaves whole groups, no worse than those it was given.
    with contextlib.suppress(StopIteration):
        _kernels.refine(x, out, int(out.max()) + 1, options, run.until(end))
    return out


def _check_plain(task: SearchTask, k: int) -> None:
    if not task.plain or task.largest != 2 * k - 1:
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


def effort_for(
    effort: str | float, n: int, k: int, *, codes: bool = False
) -> tuple[float, float, float]:
    """Perturbations a record and both temperatures, for n records and groups of k."""
    place = sum(k > size for size in SMALL_K)
    if isinstance(effort, str):
        count = float(PERTURBATIONS[effort][place])
        if effort == "best":
            count *= min(1.0, math.sqrt(RECORDS_OF_BEST / n))
        if n > LARGE:
            count = min(count, max(count * LARGE / n, LEAST_PERTURBATIONS[effort]))
        if effort == "balanced":
            count = min(count, OF_LARGE_K / (k * k))
            if codes:
                count = min(count * SHARE_OF_CODES, OF_LARGE_K_WITH_CODES / (k * k))
    else:
        count = effort
    temperatures = TEMPERATURES_OF_FEW if n > LARGE and count <= FEW else TEMPERATURES[place]
    return (count, *temperatures)
