"""The information amount by its definition: a sum over pairs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei._kernels import numeric
from tokumei._kernels import pairs as _kernels
from tokumei.distances.columns import Integers
from tokumei.distances.distance import Prepared, PreparedNumbers
from tokumei.distances.strings import Texts, pack

# Pairs that are compared at once where each distance is computed for itself.
TILE = 2**18


def over_records(values: Prepared, power: float, run: _check.Run) -> float:
    """Compare record with record, equal ones too: no value is counted for another."""
    ones = np.ones(len(values))
    match values:
        case PreparedNumbers():
            return _kernels.sum_over_pairs(values.table, ones, values.p, power, run)
        case Texts():
            texts = [values.distinct.values[number] for number in values.numbers.tolist()]
            counts = np.ones(len(texts), dtype=np.int64)
            return of_strings(values, *pack(texts), counts, power, run)
    return over_rows(values, np.arange(len(values)), ones, power, run)


def over_distinct(values: Prepared, power: float, run: _check.Run) -> float:
    """Compare different records only, each pair as often as it occurs."""
    _, rows, counts = np.unique(values.numbers, return_index=True, return_counts=True)
    return over_rows(values, rows, counts.astype(np.float64), power, run)


def of_strings(
    values: Texts,
    letters: NDArray[np.uint32],
    starts: Integers,
    counts: Integers,
    power: float,
    run: _check.Run,
) -> float:
    """Compare strings with each other, each as often as it occurs."""
    return _kernels.sum_of_string_distances(
        values.kind, letters, starts, counts, power, values.normalized, run
    )


def over_rows(
    values: Prepared, rows: Integers, counts: _check.Floats, power: float, run: _check.Run
) -> float:
    """Compare the given rows in tiles: some of them with all that come after."""
    sums, begin, n = [], 0, len(rows)
    while begin < n - 1:
        end = min(begin + max(1, TILE // (n - begin)), n - 1)
        i, j = np.meshgrid(np.arange(begin, end), np.arange(begin + 1, n), indexing="ij")
        i, j = i[i < j], j[i < j]
        terms = values.apart(rows[i], rows[j], run) ** power * (counts[i] * counts[j])
        sums.append(numeric.exact_total(terms))
        begin = end
        run.tell(1.0 - (1.0 - begin / n) ** 2)
    return 2.0 * math.fsum(sums)
