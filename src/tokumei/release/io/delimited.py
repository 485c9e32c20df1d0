"""CSV: every cell is text and stays as it is.

A cell comes out exactly as it went in, whatever it looks like: 007, 1.10, a date, nothing, a comma,
a line break. Written files quote only the cells that need it, end lines with a line feed and have
no byte-order mark.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from tokumei.release.errors import InputError

ROWS_AT_A_TIME = 1 << 16
TEXT = pa.large_string()


def delimiter_of(given: str | None) -> str | None:
    """A delimiter as an option gives it: one character, or the word tab."""
    if given in ("tab", "\\t"):
        return "\t"
    if given is not None and (len(given) != 1 or not given.isascii() or given in '"\r\n\0'):
        msg = "the delimiter must be one character, or the word tab"
        raise InputError(msg)
    return given


def write(table: Any, file: Any, delimiter: str, commas: Collection[str] = ()) -> None:
    """Write a table as CSV; numbers of the columns in `commas` have a decimal comma."""
    texts = as_text(table, commas)
    header = pa.table([pa.array([name], TEXT) for name in table.column_names], texts.column_names)
    for part in (header, texts):
        for batch in part.to_batches(max_chunksize=ROWS_AT_A_TIME):
            file.write(_lines(batch, delimiter))


def as_text(table: Any, commas: Collection[str] = ()) -> Any:
    """The table with every column as text, missing values as empty cells."""
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        try:
            text = pc.fill_null(pc.cast(column, TEXT), "")
        except pa.ArrowException:
            msg = f"column {name!r} holds {column.type}, which CSV cannot hold; write Parquet"
            raise InputError(msg) from None
        columns.append(pc.replace_substring(text, ".", ",") if name in commas else text)
    return pa.table(columns, [f"c{number}" for number in range(len(columns))])


def _lines(batch: Any, delimiter: str) -> memoryview:
    cells = [_quoted(cell, delimiter, alone=batch.num_columns == 1) for cell in batch.columns]
    rows = pc.binary_join_element_wise(*cells, pa.scalar(delimiter, TEXT))
    lines = pc.binary_join_element_wise(rows, pa.scalar("", TEXT), pa.scalar("\n", TEXT))
    # The characters of the lines lie one after the other: that is the file.
    _, offsets, characters = lines.buffers()
    first, end = np.frombuffer(offsets, np.int64)[[lines.offset, lines.offset + len(lines)]]
    return memoryview(characters)[first:end]


def _quoted(cells: Any, delimiter: str, *, alone: bool) -> Any:
    needs = pc.match_substring_regex(cells, f'["\r\n\\x{{{ord(delimiter):x}}}]')
    if alone:
        needs = pc.or_(needs, pc.equal(cells, ""))
    if not pc.any(needs).as_py():
        return cells
    quote = pa.scalar('"', TEXT)
    doubled = pc.replace_substring(cells, '"', '""')
    quoted = pc.binary_join_element_wise(quote, doubled, quote, pa.scalar("", TEXT))
    return pc.if_else(needs, quoted, cells)
