"""Records put where their cells say, so that what chance adds to them is the same in every layout.

A pass before they are changed brings equal records together: each piece tells its different records
with how often they are there, in buckets by a keyed hash of the whole record. A bucket is then put
in the order of that hash, equal records beside each other, each as often as the table has it, and
goes out in pieces. The draws of a piece go by the places in it: equal records have draws of their
own, and which of them has which draw makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tokumei._check import Labels
from tokumei.batch import buckets, hashes, interruption
from tokumei.batch.buckets import Buckets
from tokumei.batch.pieces import Piece, Source
from tokumei.batch.rowwise import RowPlan
from tokumei.batch.stage import Stage

OFTEN = "tokumei often"


def gather(stage: Stage, plan: RowPlan, source: Source, piece: Piece) -> dict[str, Any]:
    """Put the different records of a piece into buckets; how many records each bucket has of it."""
    done = stage.facts(buckets.place_of(piece.number))
    if done is not None:
        return done
    interruption.go_on()
    table = plan.asked.read(source, piece)
    one, other = _hashed(table, stage)
    order = np.argsort(one, kind="stable")
    new = np.ones(len(table), dtype=bool)
    new[1:] = (one[order][1:] != one[order][:-1]) | (other[order][1:] != other[order][:-1])
    starts = np.flatnonzero(new)
    often = np.diff(starts, append=len(table)).astype(np.int64)
    first = order[starts]
    table = table.take(pa.array(first)).append_column(OFTEN, pa.array(often))
    into = buckets.buckets_of(one[first], plan.buckets)
    rows = np.bincount(into, often, plan.buckets).astype(np.int64)
    with stage.whole_folder(buckets.place_of(piece.number)) as folder:
        buckets.write(stage, folder, table, into, plan.buckets)
        return stage.write_facts(folder, {"rows": int(rows.sum()), "buckets": rows.tolist()})


def _hashed(table: Any, stage: Stage) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Two keyed hashes of each record: of n records two that differ have both alike with a chance
    of n^2 / 2^129."""
    keys = stage.key("equals"), stage.key("equals, once more")
    return hashes.of_records(table, keys[0]), hashes.of_records(table, keys[1])


@dataclass(frozen=True)
class Equals(Buckets):
    """Buckets in the order of their records' hashes, in pieces of at most so many records."""

    rows: tuple[int, ...] = ()  # by bucket
    most: int = 1

    @classmethod
    def of(
        cls, stage: Stage, plan: RowPlan, source: Source, found: Sequence[Mapping[str, Any]]
    ) -> Equals:
        """From what was found of each piece when it was gathered."""
        rows = np.sum([one["buckets"] for one in found if one["rows"]], axis=0)
        given = tuple(piece.number for piece in source.pieces)
        kept = tuple(map(int, rows))
        return cls(stage, plan.asked, given, source.types, rows=kept, most=plan.most)

    @property
    def pieces(self) -> list[Piece]:
        """Each with its part of a bucket; a bucket of many equal records has several."""
        parts = [
            (bucket, part)
            for bucket, rows in enumerate(self.rows)
            for part in range(-(-rows // self.most))
        ]
        return [Piece(n, f"bucket {b}", (part,)) for n, (b, part) in enumerate(parts)]

    def read(self, piece: Piece, columns: Sequence[str]) -> Any:
        """Records in an order that depends on what they are."""
        bucket = int(piece.name.rpartition(" ")[2])
        table = self.held(bucket)
        often: Labels = np.asarray(table.column(OFTEN)).astype(np.int64)
        table = table.drop_columns(OFTEN)
        order = np.lexsort(_hashed(table, self.stage))
        ends = np.cumsum(often[order])
        first = piece.groups[0] * self.most
        places = np.arange(first, min(first + self.most, int(ends[-1])))
        rows = order[np.searchsorted(ends, places, side="right")]
        return table.take(pa.array(rows)).select(list(columns))
