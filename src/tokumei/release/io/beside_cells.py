"""What a file has beside its cells, as text: metadata, statistics, dictionaries, its raw bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

CSV = (".csv", ".tsv", ".txt")


def texts_beside(path: Path) -> Iterator[str]:
    """Every text that is in a Parquet or Arrow file and is no cell; of CSV there is none."""
    ending = path.suffix.lower()
    if ending in CSV:
        return
    if ending == ".parquet":
        yield from _of_parquet(path)
    elif ending in (".feather", ".arrow"):
        with pa.memory_map(str(path)) as source:
            yield from _of_table(pa.ipc.open_file(source).read_all())
    else:  # a compressed CSV: its head may name the file it was
        with path.open("rb") as file:
            yield file.read(64).decode("latin-1")


def _of_parquet(path: Path) -> Iterator[str]:
    about = pq.read_metadata(path)
    for number in range(about.num_row_groups):
        group = about.row_group(number)
        for column in range(group.num_columns):
            found = group.column(column).statistics
            if found is not None and found.has_min_max:
                yield str(found.min)
                yield str(found.max)
    names = [one.name for one in pq.read_schema(path) if pa.types.is_string(one.type)]
    yield from _of_table(pq.read_table(path, read_dictionary=names))


def _of_table(table: pa.Table) -> Iterator[str]:
    for key, value in (table.schema.metadata or {}).items():
        yield key.decode("latin-1")
        yield value.decode("latin-1")
    for column in table.columns:
        if pa.types.is_dictionary(column.type):
            for chunk in column.chunks:
                yield from map(str, chunk.dictionary.to_pylist())
