"""Parquet and Arrow files as tables, one after the other.

Loaded by `decoder`, in the process that has a bound on its memory: imports nothing of tokumei.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa


def tables(
    source: Path,
    form: str,
    groups: Sequence[int] | None = None,
    columns: Sequence[str] | None = None,
) -> tuple[Any, Iterator[Any]]:
    """The schema of a file, and its tables: all, or some row groups and columns of it."""
    if form == "parquet":
        import pyarrow.parquet as pq

        file = pq.ParquetFile(source)
        wanted = range(file.num_row_groups) if groups is None else groups
        found = (file.read_row_group(group, columns=columns) for group in wanted)
        return _chosen(file.schema_arrow, columns), found
    held = pa.OSFile(str(source))
    try:
        reader = pa.ipc.open_file(held)
    except pa.ArrowInvalid:  # in the format of a stream
        held.seek(0)
        stream = pa.ipc.open_stream(held)
        return stream.schema, (pa.Table.from_batches([batch]) for batch in stream)
    wanted = range(reader.num_record_batches) if groups is None else groups
    batches = map(reader.get_batch, wanted)
    found = (
        pa.Table.from_batches([batch]).select(columns or reader.schema.names) for batch in batches
    )
    return _chosen(reader.schema, columns), found


def sound(sources: Sequence[str], left_out: Sequence[str], begun: str) -> None:
    """Decode files and keep nothing; the number of the one that is read is kept in a file."""
    for number, source in enumerate(sources):
        Path(begun).write_text(str(number), encoding="ascii")
        form = "parquet" if source.lower().endswith((".parquet", ".pq")) else "arrow"
        names = tables(Path(source), form)[0].names
        kept = [name for name in names if name not in left_out]
        for table in tables(Path(source), form, None, kept)[1]:
            table.validate(full=True)


def _chosen(schema: Any, columns: Sequence[str] | None) -> Any:
    """The fields of some columns, in that order."""
    return schema if columns is None else pa.schema([schema.field(name) for name in columns])
