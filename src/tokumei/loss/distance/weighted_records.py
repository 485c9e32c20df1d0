"""The information amount where each record stands for several: a pair counts as the product."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import pairs as _kernels
from tokumei.distances.categories import Discrete
from tokumei.distances.distance import Prepared, PreparedCategories, PreparedNumbers
from tokumei.distances.product import PreparedRecords
from tokumei.loss.distance.double_sums import over_rows
from tokumei.loss.tables.counts import weighed


def counts_of(record_weights: ArrayLike | None, rows: int, estimate: bool) -> _check.Floats | None:
    """How often each record counts, checked; None where each counts once."""
    if record_weights is not None and estimate:
        msg = "record_weights go with exact amounts, not with estimate=True"
        raise ValueError(msg)
    return weighed(record_weights, rows)


def weighted_amount(
    values: Prepared, power: float, method: str, counts: _check.Floats, run: _check.Run
) -> float:
    """The amount of records that count so often; pairs of equal values count nothing."""
    if method == "pairs":
        return over_rows(values, np.arange(len(values)), counts, power, run)
    match values:
        case PreparedNumbers():
            table, p = values.table, values.p
            if power == 2.0 and (p == 2.0 or table.shape[1] == 1):
                return _squares(table, counts)
            return _kernels.sum_over_pairs(table, counts, p, power, run)
        case PreparedCategories(distance=Discrete()):
            held = np.bincount(values.numbers, counts)
            return math.fsum(held * (math.fsum(held) - held))
        case PreparedRecords() if power == 2.0 and values.weights is not None:
            return math.fsum(values.weights * of_weighted_parts(values, counts, run))
    _, rows, at = np.unique(values.numbers, return_index=True, return_inverse=True)
    return over_rows(values, rows, np.bincount(at, counts).astype(np.float64), power, run)


def of_weighted_parts(
    values: PreparedRecords, counts: _check.Floats, run: _check.Run
) -> _check.Floats:
    """The amount of each column, squared distances."""
    return np.array([weighted_amount(part, 2.0, "auto", counts, run) for part in values.parts])


def _squares(table: _check.Floats, counts: _check.Floats) -> float:
    """Squared differences of all pairs: twice the weight times the squares around the mean."""
    total = math.fsum(counts)
    found = []
    for column in table.T:
        rest = column - math.fsum(counts * column) / total
        rest = rest - math.fsum(counts * rest) / total
        found.append(math.fsum(counts * rest * rest))
    return 2.0 * total * math.fsum(found)
