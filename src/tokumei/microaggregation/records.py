"""Records of numbers and category codes, as every method takes them.

The squared distance of two records has one term an attribute: first the numbers, each the square of
its difference, then the codes, each twice the attribute's weight where they differ. That is the
squared distance of points: a category is a corner of a simplex whose edges all have the length
sqrt(2 weight), so records have means and sums of squares, and these need counts only. With c
records of a category among n records, and S the sum of all c squared,

- a record of that category is ``weight (1 + S / n^2 - 2 c / n)`` from their mean, squared;
- their squared distances to the mean add up to ``weight (n - S / n)``.

A code below zero is a missing cell in the middle of the simplex: half as far, squared, from every
category as they from one another. It counts for n, but not for S; its ``1 - 2 c / n`` is 0. Corners
as coordinates, as many as there are categories, are `coordinates`: the definition in numbers, for
what proves bounds and knows nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.microaggregation.standardize import standardize_of

Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Numbers (n, p), codes (n, m) and a weight for each column of codes; both column-major.

    There is at least one column of numbers. Codes are whole numbers from 0 on, few of which do not
    occur; those below 0 are missing cells.
    """

    numbers: _check.Floats
    codes: Codes
    weights: _check.Floats

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def shape(self) -> tuple[int, int]:
        """How many records and attributes there are."""
        return len(self.numbers), self.numbers.shape[1] + self.codes.shape[1]

    def of(self, rows: _check.Labels) -> Records:
        """Some of the records."""
        numbers, codes = np.asfortranarray(self.numbers[rows]), np.asfortranarray(self.codes[rows])
        # What counts categories takes no longer than these records are many.
        for column in codes.T:
            if len(column) and column.max() >= 4 * len(column):
                used, places = np.unique(column, return_inverse=True)
                column[:] = places - int(used[0] < 0)
        return Records(numbers, codes, self.weights)


# A table of numbers, or records of both.
Table: TypeAlias = _check.Floats | Records


def of_rows(x: Table, rows: _check.Labels) -> Table:
    """Some of the records of a table of either kind."""
    return x.of(rows) if isinstance(x, Records) else np.asfortranarray(x[rows])


def in_scale(x: Table) -> Table:
    """The records times a power of two, exactly, where squares of all their terms would vanish."""
    if not isinstance(x, Records):
        return _check.in_scale(x)
    ends = [x.numbers.min(), x.numbers.max(), np.sqrt(x.weights.max(initial=0.0))]
    exponent = _check.exponent_of(np.array(ends))
    if not exponent:
        return x
    weights = np.ldexp(x.weights, -2 * exponent)
    return Records(np.ldexp(x.numbers, -exponent), x.codes, weights)


def coordinates(x: Table, most: int | None = None) -> _check.Floats:
    """The records as points: a category is a corner of a simplex, missing is the origin.

    With `most` only those of so many categories of an attribute are there, the most frequent ones:
    distances are then no larger.
    """
    if not isinstance(x, Records):
        return x
    blocks = [x.numbers]
    for codes, weight in zip(x.codes.T, x.weights, strict=True):
        used, counts = np.unique(codes[codes >= 0], return_counts=True)
        if most is not None and len(used) > most:
            used = np.sort(used[np.argsort(-counts, kind="stable")[:most]])
        blocks.append(np.where(codes[:, None] == used, np.sqrt(weight), 0.0))
    return np.asfortranarray(np.hstack(blocks))


def on_axes(x: Table) -> _check.Floats:
    """The records with one number an attribute, for orders along axes.

    A category is its rank by frequency, the most frequent first (of equals the lower code), a
    missing cell comes before all, and ranks are brought to the variance of the attribute.
    """
    if not isinstance(x, Records):
        return x
    n, numbers = x.numbers.shape
    out = np.empty(x.shape, order="F")
    out[:, :numbers] = x.numbers
    for j, (codes, weight) in enumerate(zip(x.codes.T, x.weights.tolist(), strict=True), numbers):
        places = np.maximum(codes, -1) + 1
        every = np.bincount(places)
        counts = every[1:]
        ranks = np.zeros(len(every))
        ranks[1:][(-counts).argsort(kind="stable")] = np.arange(1.0, len(every))
        # All of a category are alike: what is said of records is said of ranks.
        apart = ranks - float(every @ ranks) / n
        spread = math.sqrt(float((apart * apart * every).sum()) / n)
        variance = weight * (int(counts.sum()) * n - int(counts @ counts)) / (n * n)
        ranks = (ranks / spread if spread > 0 else ranks) * math.sqrt(variance)
        ranks.take(places, out=out[:, j], mode="clip")
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """What one attribute brings: columns of numbers, or of codes with one weight."""

    numbers: _check.Floats | None = None
    codes: Codes | None = None
    weight: float = 1.0


def numeric(values: _check.Floats, missing: str, run: _check.Run) -> Embedded:
    """A number or a rank, standardized, NaN being missing.

    Missing values take the mean's place ("impute"), or are a second column, 0 or 1, standardized
    too ("category"); both columns together have variance 1.
    """
    absent = np.isnan(values)
    if absent.all():
        return Embedded()
    if not absent.any():
        return Embedded(standardize_of(values[:, None], run))
    columns = np.zeros((len(values), 1))
    columns[~absent, 0] = standardize_of(values[~absent][:, None], run)[:, 0]
    if missing == "category":
        unknown = standardize_of(absent[:, None].astype(float), run)
        columns = np.column_stack([columns, unknown])
    total = float(columns.var(axis=0).sum())
    return Embedded(columns / np.sqrt(total) if total > 0 else columns)


def nominal(codes: _check.Labels, missing: str) -> Embedded:
    """A category, negative codes being missing: a category of their own, or in the middle."""
    if missing == "category":
        codes = np.where(codes < 0, codes.max() + 1, codes)
    return _unit_variance([codes])


def tree(codes: _check.Labels, ways: Sequence[_check.Labels], missing: str) -> Embedded:
    """A node of a tree; ``ways[v]`` are the nodes from v up to the child of the root.

    The squared distance of two nodes is the number of edges on the path between them: on each level
    of the tree the node above is a category, and none where the node itself is higher up. A missing
    cell is the root, or a child of the root of its own.
    """
    return _unit_variance(list(levels_of(ways, missing)[codes].T))


def levels_of(ways: Sequence[_check.Labels], missing: str) -> _check.Labels:
    """For each node, and in the last row for a missing cell, the nodes above it level by level."""
    depth = max(map(len, ways))
    levels = np.full((len(ways) + 1, depth + 1), -1, dtype=np.int64)
    for node, way in enumerate(ways):
        levels[node, : len(way)] = way[::-1]
    if missing == "category":
        levels[-1, 0] = len(ways)
    return levels


def _unit_variance(columns: list[_check.Labels]) -> Embedded:
    """Columns of codes from 0 that vary, weighted so that their variances sum to 1."""
    kept, total = [], 0
    for column in columns:
        used, codes = np.unique(column, return_inverse=True)
        if len(used) < 2:
            continue
        codes = codes - int(used[0] < 0)
        counts = np.bincount(codes[codes >= 0]).tolist()
        n = len(codes)
        total += n * sum(counts) - sum(count * count for count in counts)
        kept.append(codes.astype(np.int32))
    if not kept:
        return Embedded()
    n = len(kept[0])
    return Embedded(codes=np.column_stack(kept), weight=n * n / total)


def join(attributes: Sequence[Embedded], rows: int, weights: _check.Floats | None = None) -> Table:
    """The records of all attributes, each times its weight: numbers first, then codes if any."""
    scales = np.ones(len(attributes)) if weights is None else weights
    numbers, codes, of_codes = [], [np.empty((rows, 0), dtype=np.int32)], []
    for attribute, scale in zip(attributes, scales, strict=True):
        if attribute.numbers is not None:
            numbers.append(attribute.numbers * np.sqrt(scale))
        if attribute.codes is not None and scale > 0:
            codes.append(attribute.codes)
            of_codes += [attribute.weight * scale] * attribute.codes.shape[1]
    # Attributes that do not vary bring no column; a table has one of numbers all the same.
    first = np.asfortranarray(np.hstack(numbers) if numbers else np.zeros((rows, 1)))
    return (
        first
        if len(codes) == 1
        else Records(first, np.asfortranarray(np.hstack(codes)), np.array(of_codes))
    )


def sse_of(x: Table, labels: _check.Labels, groups: int, run: _check.Run) -> float:
    """The sum of squared distances of the records to the means of their groups."""
    if not isinstance(x, Records):
        return _kernels.sse(x, labels, groups, run)
    sizes = np.bincount(labels, minlength=groups)
    parts = [_kernels.sse(x.numbers, labels, groups, run)]
    for codes, weight in zip(x.codes.T, x.weights, strict=True):
        there = codes >= 0
        group = labels[there]
        span = int(codes.max()) + 1
        cells, counts = np.unique(group * span + codes[there], return_counts=True)
        # Whole numbers for each size of a group: nothing is rounded before it is divided.
        of_size = np.zeros(int(sizes.max()) + 1, dtype=np.int64)
        np.add.at(of_size, sizes[cells // span], counts * counts)
        used = np.flatnonzero(of_size)
        shares = (of_size[used] / used).tolist()
        parts.append(weight * math.fsum([float(there.sum()), *(-share for share in shares)]))
    return math.fsum(parts)


def sst_of(x: Table, run: _check.Run) -> float:
    """The same of one group that holds all records."""
    return sse_of(x, np.zeros(len(x), dtype=np.int64), 1, run)
