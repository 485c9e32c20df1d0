"""A CSV file of any size, batch by batch: the same rules as for one that is read at once.

Loaded by `decoder`, in the process that has a bound on its memory: imports nothing of tokumei.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv as arrow_csv


def batches(
    source: Path,
    options: dict[str, Any],
    finished: Callable[[Any], None],
    left_out: Sequence[str],
    is_data: Callable[[Any], bool] | None,
) -> Iterator[Any]:
    """Tables of the rows, but for some columns; the last rows are told to `finished`.

    Rows know their number where only one thread reads, which is so here.
    """
    options["read_options"].use_threads = False
    reader = arrow_csv.open_csv(pa.OSFile(str(source)), **options)
    kept = [at for at, name in enumerate(reader.schema.names) if name not in left_out]
    last = pa.table(reader.schema.empty_table().columns, names=reader.schema.names)
    yield last.select(kept)
    for batch in reader:
        table = pa.Table.from_batches([batch])
        if is_data is not None and is_data(table.columns):
            last = None
            break
        if batch.num_rows:
            last = table
            yield table.select(kept)
    finished(last)
