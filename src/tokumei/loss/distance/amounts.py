"""The information amount of prepared values, in the cheapest exact way for their kind."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei._kernels import pairs as _kernels
from tokumei.distances.categories import Discrete, Ordinal, Places
from tokumei.distances.columns import Integers
from tokumei.distances.distance import Prepared, PreparedCategories, PreparedNumbers
from tokumei.distances.product import PreparedRecords
from tokumei.distances.strings import Kind, Texts
from tokumei.distances.trees import Tree
from tokumei.loss.distance.double_sums import of_strings, over_distinct, over_records
from tokumei.loss.distance.weighted_records import of_weighted_parts, weighted_amount

METHODS = ("auto", "pairs")


def amount(
    values: Prepared,
    power: float,
    method: str,
    run: _check.Run,
    counts: _check.Floats | None = None,
) -> float:
    """Sum d(x_i, x_j)^power over all ordered pairs; method "pairs" takes no shortcut."""
    if counts is not None:
        total = weighted_amount(values, power, method, counts, run)
    else:
        total = (over_records if method == "pairs" else by_shortcut)(values, power, run)
    if not math.isfinite(total):
        msg = "the amount is beyond the largest double: scale the values down or lower the power"
        raise ValueError(msg)
    return total


def by_shortcut(values: Prepared, power: float, run: _check.Run) -> float:
    """The amount in the cheapest exact way."""
    match values:
        case PreparedNumbers():
            return of_numbers(values, power, run)
        case Texts():
            return of_texts(values, power, run)
        case PreparedRecords():
            return of_records(values, power, run)
        case Places(distance=Tree(parents=parents)) if power in (1.0, 2.0):
            at_nodes = at_places(values, len(parents))
            return _kernels.tree_distances(parents, at_nodes, int(power))
        case Places(distance=Ordinal(order=order)) if power in (1.0, 2.0):
            return of_steps(at_places(values, len(order)), int(power))
        case PreparedCategories(distance=Discrete()):
            counts = values.distinct.counts.tolist()
            return float(len(values) ** 2 - sum(count * count for count in counts))
    return over_distinct(values, power, run)


def of_numbers(values: PreparedNumbers, power: float, run: _check.Run) -> float:
    """Closed forms where they exist, then Manhattan by sorting, then pairs of distinct rows."""
    p, rows, columns = values.p, len(values), int(values.in_place.shape[1])
    if power == 2.0 and (p == 2.0 or columns == 1):
        return _kernels.euclidean_squares(values.in_place, run)
    table = values.table
    if power == 1.0 and (p == 1.0 or columns == 1):
        ones = np.ones(rows, dtype=np.int64)
        return math.fsum(
            _kernels.sum_of_absolute_differences(np.sort(column), ones) for column in table.T
        )
    if columns == 2 and p == np.inf and power in (1.0, 2.0):
        # max(|a|, |b|) = (|a + b| + |a - b|) / 2: Manhattan, turned by 45 degrees.
        x, y = (table - table.mean(axis=0)).T
        turned = np.asfortranarray(np.column_stack([x + y, x - y]))
        return of_numbers(PreparedNumbers(turned, 1.0), power, run) / (2.0 if power == 1.0 else 4.0)
    numbers, first_rows = values.distinct_rows()
    if len(first_rows) < rows:
        table = np.asfortranarray(table[first_rows])
    counts = np.bincount(numbers).astype(np.float64)
    if p == 1.0 and power == 2.0 and sorting_pays(*table.shape):
        return _kernels.manhattan_squares(table, counts, run)
    return _kernels.sum_over_pairs(table, counts, p, power, run)


def sorting_pays(rows: int, columns: int) -> bool:
    """Whether O(d^2 n log n) beats O(n^2 d) for Manhattan distances, by measurement."""
    return 1.65 * rows > 90 * (columns - 1) * math.log2(rows + 1) + 2400


def at_places(values: Places, places: int) -> Integers:
    """How many records stand at each place of a structure."""
    counts = np.zeros(places, dtype=np.int64)
    counts[values.places] = values.distinct.counts
    return counts


def of_steps(counts: Integers, power: int) -> float:
    """Categories in a row, neighbours 1/m apart, in whole numbers up to the last division."""
    times: list[int] = counts.tolist()
    if power == 1:
        # The step behind a category is taken by the pairs with one value on each side of it.
        below = np.cumsum(counts).tolist()
        crossed: int = sum(count * (below[-1] - count) for count in below)
        return 2 * crossed / len(times)
    first: int = sum(count * place for place, count in enumerate(times))
    second: int = sum(count * place * place for place, count in enumerate(times))
    return 2 * (sum(times) * second - first * first) / len(times) ** 2


def of_texts(values: Texts, power: float, run: _check.Run) -> float:
    """Distinct strings with counts; many strings of one length by position, for Hamming."""
    counts, length = values.distinct.counts, int(values.starts[1])
    by_position = values.kind == Kind.hamming and power in (1.0, 2.0)
    # Nanoseconds, about: of a position or pair of positions, and of comparing two strings.
    if by_position and 5 * length**power < len(counts) * (0.3 + 0.004 * length):
        letters = values.letters[: values.starts[-1]].reshape(len(counts), length)
        return of_positions(letters, counts, int(power))
    return of_strings(values, values.letters, values.starts, counts, power, run)


def of_positions(letters: NDArray[np.uint32], counts: Integers, power: int) -> float:
    """Hamming: the pairs that differ at a position, and for squares at each two positions."""
    codes = [np.unique(column, return_inverse=True)[1] for column in letters.T]
    same = [sum_of_squares(code, counts) for code in codes]
    everything = int(counts.sum()) ** 2
    if power == 1:
        return float(sum(everything - pairs for pairs in same))
    total = sum(everything - pairs for pairs in same)
    for t, code in enumerate(codes):
        for s in range(t):
            both = code * (int(codes[s].max()) + 1) + codes[s]
            total += 2 * (everything - same[s] - same[t] + sum_of_squares(both, counts))
    return float(total)


def sum_of_squares(codes: Integers, counts: Integers) -> int:
    """The number of ordered pairs of records with one code."""
    if int(codes.max()) > 4 * len(codes):
        codes = np.unique(codes, return_inverse=True)[1]
    times = np.bincount(codes, weights=counts).astype(np.int64)
    return int(np.dot(times, times))


def of_records(values: PreparedRecords, power: float, run: _check.Run) -> float:
    """Squares part by part; numbers alone as one scaled table; all else distinct records."""
    weights = np.zeros(0) if values.weights is None else values.weights
    if power == 2.0:
        return math.fsum(weights * of_parts(values, run))
    if all(isinstance(part, PreparedNumbers) and euclidean(part) for part in values.parts):
        tables = [part.in_place for part in values.parts if isinstance(part, PreparedNumbers)]
        scaled = [table * math.sqrt(w) for table, w in zip(tables, weights, strict=True)]
        return of_numbers(PreparedNumbers(np.asfortranarray(np.hstack(scaled)), 2.0), power, run)
    return over_distinct(values, power, run)


def euclidean(values: PreparedNumbers) -> bool:
    """Whether the distance is the Euclidean one, which all are on a line."""
    return values.p == 2.0 or values.in_place.shape[1] == 1


def of_parts(
    values: PreparedRecords, run: _check.Run, counts: _check.Floats | None = None
) -> _check.Floats:
    """The amount (power 2) of each column of records."""
    if counts is not None:
        return of_weighted_parts(values, counts, run)
    count = len(values.parts)
    return np.array([
        amount(part, 2.0, "auto", run.part(place / count, (place + 1) / count))
        for place, part in enumerate(values.parts)
    ])  # fmt: skip


def weigh_each_other(values: Prepared) -> TypeGuard[PreparedRecords]:
    """Whether these are records whose columns are to count one over their amounts."""
    return isinstance(values, PreparedRecords) and values.weights is None


def in_scale(*values: Prepared) -> tuple[list[Prepared], int]:
    """Numbers near zero divided by a power of two, exactly, so that no power of them vanishes.

    All are divided as the first one needs it. The power is 0 where the amount does not follow it.
    """
    first = values[0]
    if isinstance(first, PreparedRecords) and first.weights is None:
        parts = [in_scale(*each)[0] for each in zip(*map(_parts, values), strict=True)]
        columns = zip(values, zip(*parts, strict=True), strict=True)
        return [replace(one, parts=list(own)) for one, own in columns], 0  # type: ignore[type-var]
    exponent = _exponent(first)
    return [_divided(one, exponent) if exponent else one for one in values], exponent


def times_two_to_the(value: float, exponent: float) -> float:
    """A value times a power of two, which may be beyond the smallest double where it is not."""
    whole = math.floor(exponent)
    return math.ldexp(value * 2.0 ** (exponent - whole), whole)


def _parts(values: Prepared) -> list[Prepared]:
    return values.parts if isinstance(values, PreparedRecords) else []


def _exponent(values: Prepared) -> int:
    if isinstance(values, PreparedNumbers):
        return _check.exponent_of(values.in_place)
    if isinstance(values, PreparedRecords) and all(
        isinstance(part, PreparedNumbers) for part in values.parts
    ):
        every = [_exponent(part) for part in values.parts]
        return max(every) if all(every) else 0
    return 0


def _divided(values: Prepared, exponent: int) -> Prepared:
    if isinstance(values, PreparedRecords):
        return replace(values, parts=[_divided(part, exponent) for part in values.parts])
    if isinstance(values, PreparedNumbers):
        return PreparedNumbers(np.ldexp(values.in_place, -exponent), values.p)
    return values


def with_information_weights(
    values: Prepared, run: _check.Run, counts: _check.Floats | None = None
) -> Prepared:
    """Records whose columns each count one over their amount, or nothing where that is 0."""
    if not weigh_each_other(values):
        return values
    return replace(values, weights=one_over(of_parts(values, run, counts)))


def one_over(amounts: _check.Floats) -> _check.Floats:
    """Weights that make every amount 1; what has none gets none."""
    return np.divide(1.0, amounts, out=np.zeros_like(amounts), where=amounts > 0.0)
