"""A sample of records that depends on no order: those whose keyed hashes are least.

Each piece of a table keeps its own, and pieces are merged in any order to the same sample: a hash
that is among the least of all is among the least of its piece. Equal records are one, with how
often they are there; so a table of few different records is in its sample whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tokumei._check import Labels
from tokumei.batch.hashes import WORDS


@dataclass(frozen=True)
class Sample:
    """Different records, by ascending hash, and how often each is in the table."""

    most: int
    hashes: NDArray[np.uint64]
    counts: Labels
    records: Any

    @classmethod
    def of(cls, table: Any, hashes: NDArray[np.uint64], most: int) -> Sample:
        """The sample of one piece."""
        known, first, counts = _least(hashes, most)
        kept = slice(0, most)
        return cls(most, known[kept], counts[kept], table.take(pa.array(first[kept])))

    def merged(self, other: Sample) -> Sample:
        """The sample of both pieces."""
        known, first, counts = _different(
            np.concatenate([self.hashes, other.hashes]),
            np.concatenate([self.counts, other.counts]),
        )
        kept = slice(0, self.most)
        records = pa.concat_tables([self.records, other.records])
        return Sample(self.most, known[kept], counts[kept], records.take(pa.array(first[kept])))

    @property
    def whole(self) -> bool:
        """Whether every different record of the table is here."""
        return len(self.hashes) < self.most

    @property
    def row_bytes(self) -> float:
        """The bytes of a record, as they are written: in memory they go by what stood beside it."""
        batches = self.records.combine_chunks().to_batches()
        written = sum(int(pa.ipc.get_record_batch_size(batch)) for batch in batches)
        return written / max(len(self.records), 1)

    def different(self) -> float:
        """How many different records the table has: counted, or by how dense the least are."""
        if self.whole or not len(self.hashes):
            return float(len(self.hashes))
        return (len(self.hashes) - 1) / ((int(self.hashes[-1]) + 1) / WORDS)

    def drawn(self, rows: int) -> Any:
        """So many records or fewer, each as often as its share of the table asks."""
        total = int(self.counts.sum())
        if total <= rows:
            places = np.repeat(np.arange(len(self.counts)), self.counts)
        else:
            ends = np.cumsum(self.counts)
            at = (np.arange(rows) * 2 + 1) * total // (2 * rows)
            places = np.searchsorted(ends, at, side="right")
        return self.records.take(pa.array(places))


def _least(hashes: NDArray[np.uint64], most: int) -> tuple[NDArray[np.uint64], Labels, Labels]:
    """Different hashes, the least `most` of all among them; the first row of each, how often."""
    if len(hashes) > 2 * most:  # so few hold them, unless many are equal
        rows = np.flatnonzero(hashes < np.uint64(1.25 * most / len(hashes) * WORDS))
        known, first, counts = _different(hashes[rows])
        if len(known) >= most:
            return known, rows[first], counts
    return _different(hashes)


def _different(
    hashes: NDArray[np.uint64], counts: Labels | None = None
) -> tuple[NDArray[np.uint64], Labels, Labels]:
    """Different hashes, ascending, a row of each, and how many records all of its rows stand for.

    Which row does not matter: those of one hash are equal records.
    """
    order = np.argsort(hashes)
    ascending = hashes[order]
    starts = np.flatnonzero(np.concatenate([[True], ascending[1:] != ascending[:-1]]))
    if not len(hashes):
        return hashes, order, np.zeros(0, dtype=np.int64)
    if counts is None:
        of_each = np.diff(starts, append=len(hashes))
    else:
        of_each = np.add.reduceat(counts[order], starts)
    return ascending[starts], order[starts], of_each
