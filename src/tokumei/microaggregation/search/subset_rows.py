"""Odd sets of records of whose groups no partition has two: inequalities for the linear relaxation.

Two groups that each hold most of an odd set have a record in common, so the shares of all such
groups are 1 together, at most. Where the relaxation breaks that, the row cuts its solution off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.microaggregation.search.column_pool import ColumnPool

# A share is a fraction if it is this far from 0 and 1, and a row is broken if it is by this much.
FRACTION, BROKEN = 1e-6, 0.02


@dataclass(frozen=True, eq=False)
class SubsetRows:
    """Sets, one a row filled up with -1, and the price of each."""

    sets: _check.Labels
    prices: _check.Floats

    @classmethod
    def none(cls, widest: int) -> SubsetRows:
        """No sets, of at most so many records."""
        return cls(np.empty((0, widest), dtype=np.int64, order="F"), np.empty(0))

    def __len__(self) -> int:
        return len(self.prices)

    def of(self, which: Any) -> SubsetRows:
        """Some of them."""
        return SubsetRows(np.asfortranarray(self.sets[which]), self.prices[which])

    def priced(self, prices: _check.Floats) -> SubsetRows:
        """The same sets at other prices."""
        return SubsetRows(self.sets, prices)

    def joined(self, sets: _check.Labels) -> SubsetRows:
        """These, and others for nothing; what is among these already is left out."""
        known = {row.tobytes() for row in np.ascontiguousarray(self.sets)}
        new = [row for row in np.ascontiguousarray(sets) if row.tobytes() not in known]
        if not new:
            return self
        return SubsetRows(
            np.asfortranarray(np.vstack([self.sets, new])),
            np.concatenate([self.prices, np.zeros(len(new))]),
        )

    def tolls(self, pool: ColumnPool) -> _check.Floats:
        """The prices that each group of a pool pays."""
        if not len(self):
            return np.zeros(len(pool))
        tolls: _check.Floats = self.held(pool).T @ self.prices
        return tolls

    def held(self, pool: ColumnPool) -> Any:
        """Sets by groups: 1 where a group of the pool holds most of a set."""
        from scipy.sparse import csr_array

        groups = pool.membership()
        present = self.sets >= 0
        sizes = present.sum(axis=1)
        ends = np.concatenate([[0], np.cumsum(sizes)])
        members = csr_array(
            (np.ones(ends[-1]), np.ascontiguousarray(self.sets)[present], ends),
            shape=(len(self), groups.shape[0]),
        )
        counts = (members @ groups).tocsr()
        most = np.repeat(sizes // 2 + 1, np.diff(counts.indptr))
        counts.data = (counts.data >= most).astype(float)
        counts.eliminate_zeros()
        return counts


NO_ROWS = SubsetRows.none(3)


def broken_rows(
    pool: ColumnPool, shares: _check.Floats, rows: int, widest: int, most: int
) -> _check.Labels:
    """Sets whose rows the shares of a pool's groups break by most, at most so many."""
    among = np.flatnonzero((shares > FRACTION) & (shares < 1 - FRACTION))
    parts = shares[among]
    groups = pool.groups[among]
    records = np.unique(groups[groups >= 0])
    place = np.full(rows + 1, -1)
    place[records] = np.arange(len(records))
    inside = np.zeros((len(records), len(among)), dtype=bool)
    for column in range(groups.shape[1]):
        has = groups[:, column] >= 0
        inside[place[groups[has, column]], np.flatnonzero(has)] = True
    found: dict[tuple[int, ...], float] = {}
    for record in range(len(records)):
        _triples(record, inside, parts, found)
        for size in range(5, widest + 1, 2):
            _larger(record, inside, parts, size, found)
    best = sorted(found, key=lambda one: (-found[one], one))
    sets = np.full((len(best), widest), -1, dtype=np.int64)
    for number, one in enumerate(best):
        sets[number, : len(one)] = records[list(one)]
    return _spread(sets, rows, most)


def _triples(
    record: int, inside: Any, parts: _check.Floats, found: dict[tuple[int, ...], float]
) -> None:
    """All broken triples with a record as the first."""
    near = _near(record, inside, record + 1)
    if len(near) < 2:
        return
    some = np.flatnonzero(inside[near].any(axis=0) | inside[record])
    own = inside[record, some].astype(float) * parts[some]
    local = inside[np.ix_(near, some)].astype(float)
    pairs = (local * parts[some]) @ local.T
    with_own = local @ own
    triples = (local * own) @ local.T
    value = pairs + with_own[:, None] + with_own[None, :] - 2 * triples
    for a, b in np.argwhere(np.triu(value, 1) > 1 + BROKEN):
        found[(record, int(near[a]), int(near[b]))] = float(value[a, b]) - 1


def _larger(
    record: int,
    inside: Any,
    parts: _check.Floats,
    size: int,
    found: dict[tuple[int, ...], float],
) -> None:
    """A set of that size with a record, climbed to by one exchange after another."""
    near = _near(record, inside, 0)
    if len(near) < size - 1:
        return
    near = np.concatenate([[record], near])
    some = np.flatnonzero(inside[near].any(axis=0))
    local, weights, most = inside[np.ix_(near, some)], parts[some], size // 2 + 1
    together = (local[1:] * (weights * local[0])).sum(axis=1)
    chosen = [0, *(1 + np.argsort(-together, kind="stable")[: size - 1])]
    value = weights[local[chosen].sum(axis=0) >= most].sum()
    for _ in range(12):
        best, change = value, None
        for out in chosen[1:]:
            counts = local[chosen].sum(axis=0) - local[out]
            gains = local @ (weights * (counts == most - 1))
            gains[chosen] = -1.0
            into = int(np.argmax(gains))
            total = weights[counts >= most].sum() + gains[into]
            if total > best + 1e-9:
                best, change = total, (out, into)
        if change is None:
            break
        value = best
        chosen = [one for one in chosen if one != change[0]] + [change[1]]
    if value > 1 + BROKEN:
        found[tuple(sorted(int(near[one]) for one in chosen))] = float(value) - 1


def _near(record: int, inside: Any, first: int) -> Any:
    """The records that share fractions of groups with one, of those from a number on."""
    shared = inside[first:, inside[record]].any(axis=1)
    near = np.flatnonzero(shared) + first
    return near[near != record]


def _spread(sets: _check.Labels, rows: int, most: int) -> _check.Labels:
    """The first of the sets, but not many of one record."""
    count = np.zeros(rows, dtype=np.int64)
    taken = []
    for number, row in enumerate(sets):
        members = row[row >= 0]
        if count[members].max() >= 6:
            continue
        count[members] += 1
        taken.append(number)
        if len(taken) == most:
            break
    return sets[taken]
