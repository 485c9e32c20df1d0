"""Households, whose members may lie in any piece: brought together, and given fresh numbers.

A pass before routing puts every record into one of some buckets, by a keyed hash of its household.
A bucket is then a piece whose households are whole; they are routed by the mean of their members,
and released under random numbers that the secure generator draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Labels
from tokumei.batch import buckets, hashes, interruption
from tokumei.batch.buckets import Buckets
from tokumei.batch.pieces import Piece, Source
from tokumei.batch.plan import Plan
from tokumei.batch.stage import Stage
from tokumei.noise import generator

HALF = 31  # bits of a number that are drawn at once


def gather(stage: Stage, plan: Plan, source: Source, piece: Piece) -> dict[str, Any]:
    """Put the records of a piece into buckets."""
    done = stage.facts(buckets.place_of(piece.number))
    if done is not None:
        return done
    asked = plan.asked
    interruption.go_on()
    table = asked.read(source, piece)
    names = [asked.household]
    ids = asked.as_read(table.select(names), names)
    found = hashes.of_records(ids, stage.key("households"))
    with stage.whole_folder(buckets.place_of(piece.number)) as folder:
        into = buckets.buckets_of(found, plan.buckets)
        buckets.write(stage, folder, table, into, plan.buckets)
        return stage.write_facts(folder, {"rows": len(table)})


@dataclass(frozen=True)
class Homes(Buckets):
    """The buckets of a data set as its pieces, in each of which households are whole."""

    count: int = 0

    @property
    def pieces(self) -> list[Piece]:
        return [Piece(bucket, f"households {bucket}") for bucket in range(self.count)]

    def read(self, piece: Piece, columns: Sequence[str]) -> Any:
        """The records of a bucket, in an order and with numbers that depend on what they are."""
        table = self.held(piece.number)
        if table is None:
            return pa.table({name: pa.array([], pa.int64()) for name in columns})
        table = table.select(list(columns))
        names = [self.asked.household]
        ids = self.asked.as_read(table.select(names), names)
        key = self.stage.key("households")
        of_homes = hashes.of_records(ids, key)
        order = np.lexsort([hashes.of_records(table, key), of_homes])
        table, of_homes = table.take(pa.array(order)), of_homes[order]
        codes = self.asked.homes_of(table)
        first = np.unique(codes, return_index=True)[1]
        # Households by the hash of their name; where two have one hash, by that of a record.
        rank = np.argsort(np.argsort(first))
        numbers = self._numbers(len(first), piece.number)[rank][codes]
        place = table.schema.get_field_index(self.asked.household)
        return table.set_column(place, self.asked.household, pa.array(numbers))

    def _numbers(self, count: int, bucket: int) -> Labels:
        """Different random numbers of 62 bits."""
        for attempt in range(100):
            halves = []
            for half in ("high", "low"):
                words = self.stage.words(f"number households, {bucket}, {attempt}, {half}")
                halves.append(generator.places(words, count, 1 << HALF, interruption.run()))
            found: Labels = halves[0] << HALF | halves[1]
            if len(np.unique(found)) == count:
                return found
        raise AssertionError
