"""A program of its own: decodes somebody's file into Arrow that it has validated whole.

`reading` runs it, a process a file, so that a file which breaks its decoder breaks nothing else. It
imports nothing of tokumei, has a bound on its memory, ends with its parent, and says one line of
JSON: what it found, or a sentence of file names, numbers of lines and counts.
"""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__" and json.loads(sys.argv[1])["format"] != "statistics":
    # Arrow decodes files without it, and is loaded in a third of the time.
    sys.modules["numpy"] = None  # type: ignore[assignment]

import pyarrow as pa

DELIMITERS = (",", ";", "\t", "|")
MOST_HEADER = 1 << 20
MOST_ROW = 1 << 23
TEXT = pa.large_string()
LOOKS_LIKE_DATA = (
    "its first line looks like data, not like names of columns; say --no-header (header=False) "
    "if it is data, --header (header=True) if it is not"
)

SAY_ENCODING = (
    "say what it is, such as --encoding windows-1252 (encoding='windows-1252') for Western Europe"
)


class Unusable(Exception):
    """Why a file cannot be used, in a sentence."""


def main(request: dict[str, Any]) -> dict[str, Any]:
    """What was found of the file; its cells are then in the target, and valid."""
    _beside("bounded").bounded(request["memory"])
    source = Path(request["source"])
    try:
        if request["format"] == "csv":
            with _beside("unseen").unseen("pandas"):
                plain = _plain(source, request)
                if "left_out" in request:
                    return _keep_batches(plain, request)
                table, delimiter = read_csv(plain, request)
            _keep(request["target"], table.schema, iter([table]))
            return {"delimiter": delimiter}
        if request["format"] == "statistics":
            table = _of_statistics(source)
            _keep(request["target"], table.schema, iter([table]))
            return {"delimiter": None}
        if request["format"] == "sound":
            asked = request["sources"], request["left_out"], request["target"]
            _beside("columnar").sound(*asked)
            return {"delimiter": None}
        wanted = request.get("groups"), request.get("columns")
        _keep(request["target"], *_beside("columnar").tables(source, request["format"], *wanted))
    except MemoryError:
        return {"error": f"not enough memory to read {source.name}"}
    except Unusable as fault:
        return {"error": str(fault)}
    except Exception as error:
        damaged = "it is damaged or of another kind than its name says"
        why = (error.strerror if isinstance(error, OSError) else None) or damaged
        return {"error": f"cannot read {source.name}: {why}"}
    return {"delimiter": None}


def _keep_batches(source: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Keep a CSV file batch by batch; its names, and the delimiter that it uses."""
    first, delimiter = _first_line(source, request["delimiter"])
    ragged: list[int | None] = []
    has_names = request["header"] is not False
    names = _names(first, has_names)

    def is_data(columns: Any) -> bool:
        return bool(_beside("first_line").is_data(first, columns, request["numbers"]))

    def finished(last: Any) -> None:
        if ragged:
            raise Unusable(_ragged(source, ragged, len(names)))
        if last is None:
            msg = f"{source.name}: {LOOKS_LIKE_DATA}"
            raise Unusable(msg)
        _check_end(source, last)

    options = _options(names, delimiter, ragged, has_names=has_names)
    looked = is_data if request["header"] is None else None
    try:
        tables = _beside("csv_batches").batches(
            source, options, finished, request["left_out"], looked
        )
        _keep(request["target"], next(tables).schema, tables, pa.ipc.new_file)
    except (pa.ArrowException, UnicodeError):
        raise Unusable(_why_not(source)) from None
    return {"delimiter": delimiter, "names": names}


def _keep(target: str, schema: Any, tables: Iterator[Any], new: Any = pa.ipc.new_stream) -> None:
    """Write what is valid to a new file that only its owner can read."""
    private = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with _Kept(private) as file, new(file, schema) as writer:
        for table in tables:
            table.validate(full=True)
            writer.write_table(table)


class _Kept(io.FileIO):
    """A file whose faults are told from those of the file that is read."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "wb")

    def write(self, data: Any) -> int:
        try:
            return int(super().write(data))
        except OSError as error:
            msg = f"cannot write in the folder of the target: {error.strerror}"
            raise Unusable(msg) from None


def _beside(name: str) -> Any:
    """A module in the folder of this one, which is in no package here."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _plain(source: Path, request: dict[str, Any]) -> Path:
    """A file of the same text in UTF-8: itself, or one that is made of it in the private folder."""
    plain_text, encoding = _beside("plain_text"), request["encoding"]
    with source.open("rb") as file:
        start = file.read(2)
    if not plain_text.needed(start, source, encoding):
        return source
    made = Path(request["target"]).parent / "text" / source.name
    try:
        plain_text.write(source, made, encoding, request.get("text", request["memory"]))
    except UnicodeError:
        msg = f"{source.name} is not {encoding or 'UTF-16'} text; say which it is by --encoding"
        raise Unusable(msg) from None
    return made


def _of_statistics(source: Path) -> Any:
    try:
        return _beside("statistics_files").table_of(source)
    except ImportError as error:
        msg = f"{source.name} needs {error.name}: pip install 'tokumei[statistics]'"
        raise Unusable(msg) from None


def read_csv(source: Path, request: dict[str, Any]) -> tuple[Any, str]:
    """The table of a CSV file, all columns text, and the delimiter that it uses."""
    first, delimiter = _first_line(source, request["delimiter"])
    has_names = request["header"] is not False
    table = _parse(source, _names(first, has_names), delimiter, has_names=has_names)
    _check_end(source, table)
    if request["header"] is None and _beside("first_line").is_data(
        first, table.columns, request["numbers"]
    ):
        msg = f"{source.name}: {LOOKS_LIKE_DATA}"
        raise Unusable(msg)
    return table, delimiter


def _first_line(source: Path, delimiter: str | None) -> tuple[list[str], str]:
    with source.open("rb") as file:
        start = file.read(MOST_HEADER)
    if not start.strip():
        msg = f"{source.name} is empty"
        raise Unusable(msg)
    # The last character may be cut in two here; the whole file is checked when it is parsed.
    text = start.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    lines = io.StringIO(text.lstrip("\r\n"), newline="")
    if delimiter is None:
        unquoted = re.sub(r'"[^"]*"', "", lines.readline())
        delimiter = max(DELIMITERS, key=unquoted.count)
        lines.seek(0)
    try:
        return next(csv.reader(lines, delimiter=delimiter)), delimiter
    except (csv.Error, StopIteration):
        raise Unusable(_unreadable_header(source)) from None


def _unreadable_header(source: Path) -> str:
    return f"{source.name}: the header line cannot be read"


def _names(first: list[str], has_names: bool) -> list[str]:
    return first if has_names else [f"column_{1 + place}" for place in range(len(first))]


def _options(
    names: list[str], delimiter: str, ragged: list[int | None], *, has_names: bool
) -> dict[str, Any]:
    """How Arrow parses; the rows of another length are counted."""
    from pyarrow import csv as arrow_csv

    def count(row: Any) -> str:
        ragged.append(row.number)
        return "skip"

    return {
        "read_options": arrow_csv.ReadOptions(
            block_size=MOST_ROW, column_names=None if has_names else names
        ),
        "parse_options": arrow_csv.ParseOptions(
            delimiter=delimiter,
            newlines_in_values=True,
            invalid_row_handler=count,
            # In a table of one column an empty line is an empty cell.
            ignore_empty_lines=len(names) > 1,
        ),
        "convert_options": arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, TEXT), null_values=[], strings_can_be_null=False
        ),
    }


def _parse(
    source: Path, names: list[str], delimiter: str, *, has_names: bool, threads: bool = True
) -> Any:
    from pyarrow import csv as arrow_csv

    ragged: list[int | None] = []
    options = _options(names, delimiter, ragged, has_names=has_names)
    options["read_options"].use_threads = threads
    try:
        # A path would be taken for compressed by its ending.
        table = arrow_csv.read_csv(pa.OSFile(str(source)), **options)
        found = table.column_names
    except MemoryError:
        raise
    except (pa.ArrowException, UnicodeError):
        raise Unusable(_why_not(source)) from None
    if ragged and threads:  # now rows know their number
        return _parse(source, names, delimiter, has_names=has_names, threads=False)
    if ragged:
        raise Unusable(_ragged(source, ragged, len(names)))
    if found != names:
        raise Unusable(_unreadable_header(source))
    return table


def _ragged(source: Path, ragged: list[int | None], cells: int) -> str:
    rows = f"{len(ragged)} row{'s' * (len(ragged) != 1)}"
    return f"{source.name}: {rows} without exactly {cells} cells, the first is record {ragged[0]}"


def _why_not(source: Path) -> str:
    with source.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return f"{source.name}: line {number} is not UTF-8 text; {SAY_ENCODING}"
    most = f"{MOST_ROW >> 20} MiB"
    return f"{source.name} is not CSV that can be read, or has a row of more than {most}"


def _check_end(source: Path, table: Any) -> None:
    # The parser takes the rest of the file as one cell where a quote is never closed.
    if not table.num_rows or not table.num_columns:
        return
    last = table.column(table.num_columns - 1)[table.num_rows - 1].as_py()
    if "\n" not in last and "\r" not in last:
        return
    with source.open("rb") as file:
        file.seek(max(0, source.stat().st_size - len(last.encode()) - 4096))
        end = file.read().rstrip(b"\r\n")
    if (len(end) - len(end.rstrip(b'"'))) % 2 == 0:
        msg = f"{source.name}: a quoted cell is still open at the end of the file"
        raise Unusable(msg)


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
