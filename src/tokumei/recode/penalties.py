"""What a generalised value costs: 0 where nothing was lost, 1 where all was.

A penalty takes a hierarchy, a level and the number of records of each value, and gives the cost of
each value at that level. It must not fall from one level to the next.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tokumei import _check
from tokumei.values.hierarchy import Hierarchy

Penalty = Callable[[Hierarchy, int, _check.Labels], _check.Floats]


def certainty(hierarchy: Hierarchy, level: int, counts: _check.Labels) -> _check.Floats:
    """The share of all values that a generalised one stands for (normalised certainty penalty)."""
    codes = hierarchy.codes[level]
    leaves = np.bincount(codes)[codes]
    return np.where(leaves > 1, leaves / len(codes), 0.0)


def information(hierarchy: Hierarchy, level: int, counts: _check.Labels) -> _check.Floats:
    """The share of a value's information, by its frequency, that is lost (non-uniform entropy)."""
    codes = hierarchy.codes[level]
    together = np.bincount(codes, weights=counts)[codes]
    whole = float(counts.sum())
    cost = np.zeros(len(codes))
    informative = (counts > 0) & (counts < whole)
    cost[informative] = np.log(together[informative] / counts[informative]) / np.log(
        whole / counts[informative]
    )
    return cost


def height(hierarchy: Hierarchy, level: int, counts: _check.Labels) -> _check.Floats:
    """The share of the levels that were climbed."""
    return np.full(len(counts), level / hierarchy.height if hierarchy.height else 0.0)


PENALTIES: dict[str, Penalty] = {
    "certainty": certainty,
    "information": information,
    "height": height,
}
