"""CSV: every cell is text and stays as it is.

A cell comes out exactly as it went in, whatever it looks like: 007, 1.10, a date, nothing, a comma,
a line break. Written files quote only the cells that need it, end lines with a line feed and have
no byte-order mark.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from tokumei.release.errors import InputError, as_input_error, counted

DELIMITERS = (",", ";", "\t", "|")
MOST_HEADER = 1 << 20
MOST_ROW = 1 << 23
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


def read(source: Path, delimiter: str | None = None) -> tuple[Any, str]:
    """The table of a CSV file, all columns text, and the delimiter that it uses."""
    names, delimiter = _header(source, delimiter)
    table = _parse(source, names, delimiter)
    if _ends_inside_quotes(source, table):
        msg = f"{source.name}: a quoted cell is still open at the end of the file"
        raise InputError(msg)
    return table, delimiter


def _header(source: Path, delimiter: str | None) -> tuple[list[str], str]:
    with as_input_error(f"cannot read {source.name}"), source.open("rb") as file:
        start = file.read(MOST_HEADER)
    if not start.strip():
        msg = f"{source.name} is empty"
        raise InputError(msg)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        msg = f"{source.name} is UTF-16 text; save it as UTF-8"
        raise InputError(msg)
    # The last character may be cut in two here; the whole file is checked when it is parsed.
    text = start.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    lines = io.StringIO(text.lstrip("\r\n"), newline="")
    if delimiter is None:
        unquoted = re.sub(r'"[^"]*"', "", lines.readline())
        delimiter = max(DELIMITERS, key=unquoted.count)
        lines.seek(0)
    with as_input_error(f"{source.name}: the header line cannot be read"):
        return next(csv.reader(lines, delimiter=delimiter)), delimiter


def _parse(source: Path, names: list[str], delimiter: str, *, threads: bool = True) -> Any:
    ragged: list[int | None] = []

    def count(row: Any) -> str:
        ragged.append(row.number)
        return "skip"

    try:
        table = pa.csv.read_csv(
            source,
            read_options=pa.csv.ReadOptions(use_threads=threads, block_size=MOST_ROW),
            parse_options=pa.csv.ParseOptions(
                delimiter=delimiter,
                newlines_in_values=True,
                invalid_row_handler=count,
                # In a table of one column an empty line is an empty cell.
                ignore_empty_lines=len(names) > 1,
            ),
            convert_options=pa.csv.ConvertOptions(
                column_types=dict.fromkeys(names, TEXT), null_values=[], strings_can_be_null=False
            ),
        )
        found = table.column_names
    except (pa.ArrowException, UnicodeDecodeError):
        raise InputError(_why_not(source)) from None
    if ragged and threads:
        return _parse(source, names, delimiter, threads=False)  # now rows know their number
    if ragged:
        msg = (
            f"{source.name}: {counted(len(ragged), 'row')} without exactly {len(names)} cells, "
            f"the first is record {ragged[0]}"
        )
        raise InputError(msg)
    if found != names:
        msg = f"{source.name}: the header line cannot be read"
        raise InputError(msg)
    return table


def _why_not(source: Path) -> str:
    with as_input_error(f"cannot read {source.name}"), source.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return f"{source.name}: line {number} is not UTF-8 text; save the file as UTF-8"
    most = f"{MOST_ROW >> 20} MiB"
    return f"{source.name} is not CSV that can be read, or has a row of more than {most}"


def _ends_inside_quotes(source: Path, table: Any) -> bool:
    # The parser takes the rest of the file as one cell where a quote is never closed.
    if not table.num_rows or not table.num_columns:
        return False
    last = table.column(table.num_columns - 1)[table.num_rows - 1].as_py()
    if "\n" not in last and "\r" not in last:
        return False
    with as_input_error(f"cannot read {source.name}"), source.open("rb") as file:
        file.seek(max(0, source.stat().st_size - len(last.encode()) - 4096))
        end = file.read().rstrip(b"\r\n")
    return (len(end) - len(end.rstrip(b'"'))) % 2 == 0


def write(table: Any, file: BinaryIO, delimiter: str) -> None:
    """Write a table as CSV."""
    texts = as_text(table)
    header = pa.table([pa.array([name], TEXT) for name in table.column_names], texts.column_names)
    for part in (header, texts):
        for batch in part.to_batches(max_chunksize=ROWS_AT_A_TIME):
            file.write(_lines(batch, delimiter))


def as_text(table: Any) -> Any:
    """The table with every column as text, missing values as empty cells."""
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        try:
            columns.append(pc.fill_null(pc.cast(column, TEXT), ""))
        except pa.ArrowException:
            msg = f"column {name!r} holds {column.type}, which CSV cannot hold; write Parquet"
            raise InputError(msg) from None
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
