"""Records of all pieces brought together in buckets, by a keyed hash, each of which can be read.

A bucket is a piece in its turn, which holds the same records for every layout of the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tokumei.batch import interruption
from tokumei.batch.asked import Asked
from tokumei.batch.stage import Stage

PLACE = "gathered"


def place_of(piece: int) -> str:
    """Where the records of a piece are, by their buckets."""
    return f"{PLACE}/piece-{piece:06d}"


def file_of(folder: Path, bucket: int) -> Path:
    return folder / f"bucket-{bucket:05d}.arrow"


def buckets_of(found: NDArray[np.uint64], count: int) -> NDArray[np.int64]:
    """The bucket of each record, by its keyed hash."""
    return (found % np.uint64(count)).astype(np.int64)


def write(stage: Stage, folder: Path, table: Any, buckets: NDArray[np.int64], count: int) -> None:
    """Write the records of a piece by their buckets, in the order in which they stand."""
    order = np.argsort(buckets, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(buckets, minlength=count))])
    for bucket in range(count):
        rows = order[ends[bucket] : ends[bucket + 1]]
        if not len(rows):
            continue
        interruption.go_on()
        with stage.new_table(file_of(folder, bucket), table.schema) as file:
            file.write_table(table.take(pa.array(rows)))


@dataclass(frozen=True)
class Buckets:
    """The buckets of a data set; what is read of them has been read once before."""

    stage: Stage
    asked: Asked
    given: tuple[int, ...]  # pieces that were gathered
    types: dict[str, Any]
    settled: bool = True

    def held(self, bucket: int) -> Any:
        """The records of a bucket from all pieces; None where there is none."""
        readers = map(self.stage.open_table, self._files(bucket))
        tables = [reader.read_all() for reader in readers]
        return pa.concat_tables(tables).combine_chunks() if tables else None

    def _files(self, bucket: int) -> Iterator[Path]:
        found = (file_of(self.stage.path / place_of(each), bucket) for each in self.given)
        return (path for path in found if path.exists())

    def fingerprint(self) -> list[Any]:
        return [list(self.given)]

    def consumed(self, name: str) -> None:
        """Take away a bucket that is not read again."""
        for path in self._files(int(name.rpartition(" ")[2])):
            path.unlink(missing_ok=True)
