"""Groups at the borders of blocks, formed again across them.

A cut parts records that belong together, and a path has an end in every block: what that costs is
in few groups. Each block leaves over the groups that may be among those; costs are counted by bins,
which add up over blocks in any order, and say which groups are the dearest of the whole table.
Those of neighbouring blocks are grouped again by MDAV, and the dearest of these once more, of the
whole table together. A second round is kept where it is cheaper than the first, so that none makes
a table worse.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei.batch import blocks
from tokumei.batch.blocks import GROUP, Formed
from tokumei.batch.plan import Plan

SHARE = 0.02  # of all groups
LIKELY = 0.2  # of the groups of a block, at most so many of which may be among them
FINE = 44  # bits of a cost that do not count for its bin: 256 bins between a number and its double
MOST_HELD = 1 << 20  # records of the whole table that are grouped once more
METHOD: Final = "mdav"


def dearest(costs: Floats, share: float) -> Labels:
    """The groups that cost most, so many of all; of equal costs the first ones."""
    count = math.ceil(share * len(costs))
    if not count:
        return np.zeros(0, dtype=np.int64)
    least = np.partition(costs, len(costs) - count)[len(costs) - count]
    likely = np.flatnonzero((costs >= least) & (costs > 0))  # few, of which only ties are too many
    found: Labels = likely[np.argsort(-costs[likely], kind="stable")[:count]]
    return found


@dataclass(frozen=True)
class Dear:
    """Which groups are the dearest: those of bins above one, and so many of that one's."""

    place: int
    share: float


def counted(costs: Floats) -> Counter[int]:
    """How many groups cost how much, by bins of like size on a scale of ratios."""
    places, often = np.unique(_bins(costs), return_counts=True)
    return Counter(dict(zip(places.tolist(), often.tolist(), strict=True)))


def dear_of(costs: Mapping[int, int]) -> Dear:
    """The dearest groups of a table whose costs were counted; none of those that cost nothing."""
    left = math.ceil(SHARE * sum(costs.values()))
    for place in sorted(costs, reverse=True):
        if place <= 0 or costs[place] >= left:
            return Dear(max(place, 0), left / costs[place] if place > 0 else 0.0)
        left -= costs[place]
    return Dear(0, 0.0)


def among(costs: Floats, dear: Dear) -> Labels:
    """Those of some groups that are among the dearest; of the last bin the first ones."""
    bins = _bins(costs)
    last = np.flatnonzero(bins == dear.place)
    found = [np.flatnonzero(bins > dear.place), last[: math.ceil(dear.share * len(last))]]
    return np.sort(np.concatenate(found))


def _bins(costs: Floats) -> Labels:
    return np.asarray(costs + 0.0).view(np.int64) >> FINE


def held_share(plan: Plan) -> float:
    """The share of all groups that are formed once more in one task."""
    return min(SHARE, MOST_HELD / max(plan.rows, 1))


def rest_of(block: Formed, left: Labels, first: int) -> Any:
    """The records of these groups, with the numbers of their groups from `first` on."""
    place = np.full(len(block.costs), -1, dtype=np.int64)
    place[left] = np.arange(len(left)) + first
    numbers = place[block.labels]
    rows = np.flatnonzero(numbers >= 0)
    return block.table.take(pa.array(rows)).append_column(GROUP, pa.array(numbers[rows]))


def again(plan: Plan, rests: Sequence[Any], key: bytes, run: _check.Run | None = None) -> Formed:
    """Records that were left over, grouped together; or as they were, where that is cheaper."""
    table = pa.concat_tables(rests).combine_chunks()
    numbers = np.asarray(table.column(GROUP)).astype(np.int64)
    table = table.drop_columns(GROUP)
    if len(table) <= blocks_of_groups(plan) or not plan.shows(table):
        return before(plan, table, numbers)
    found = blocks.formed(plan, table, key, METHOD, run, across=True)
    old = before(plan, table, numbers)
    return found if math.fsum(found.costs) < math.fsum(old.costs) else old


def before(plan: Plan, table: Any, numbers: Labels) -> Formed:
    """The groups that the records had."""
    labels = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return blocks.as_grouped(plan, table, labels)


def blocks_of_groups(plan: Plan) -> int:
    """Fewer records than that are not worth a second round."""
    return 4 * plan.asked.k
