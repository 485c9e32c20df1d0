"""A program of its own: decodes somebody's file into Arrow that it has validated whole.

`reading` runs it, a process a file, so that a file which breaks its decoder breaks nothing else. It
imports nothing of tokumei, has a bound on its memory, ends with its parent, and says one line of
JSON: what it found, or a sentence of file names, numbers of lines and counts.
"""

from __future__ import annotations

import csv
import ctypes
import importlib.util
import io
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
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
DIE_WITH_PARENT = 1  # of prctl
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
    _bounded(request["memory"])
    source = Path(request["source"])
    try:
        if request["format"] == "csv":
            with _beside("unseen").unseen("pandas"):
                table, delimiter = read_csv(_plain(source, request), request)
            _keep(request["target"], table.schema, iter([table]))
            return {"delimiter": delimiter}
        if request["format"] == "statistics":
            table = _of_statistics(source)
            _keep(request["target"], table.schema, iter([table]))
            return {"delimiter": None}
        if request["format"] == "parquet":
            import pyarrow.parquet as pq

            file = pq.ParquetFile(source)
            groups = map(file.read_row_group, range(file.num_row_groups))
            _keep(request["target"], file.schema_arrow, groups)
        else:
            _keep(request["target"], *_arrow(source))
    except MemoryError:
        return {"error": f"not enough memory to read {source.name}"}
    except Unusable as fault:
        return {"error": str(fault)}
    except Exception as error:
        damaged = "it is damaged or of another kind than its name says"
        why = (error.strerror if isinstance(error, OSError) else None) or damaged
        return {"error": f"cannot read {source.name}: {why}"}
    return {"delimiter": None}


def _keep(target: str, schema: Any, tables: Iterator[Any]) -> None:
    """Write what is valid to a new file that only its owner can read."""
    private = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with _Kept(private) as file, pa.ipc.new_stream(file, schema) as writer:
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
    if not plain_text.needed(source, encoding):
        return source
    made = Path(request["target"]).parent / "text" / source.name
    try:
        plain_text.write(source, made, encoding, request["memory"])
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


def _arrow(source: Path) -> tuple[Any, Iterator[Any]]:
    """An Arrow file, in the format with an index at its end or in that of a stream."""
    file = pa.OSFile(str(source))
    try:
        reader = pa.ipc.open_file(file)
    except pa.ArrowInvalid:
        file.seek(0)
        stream = pa.ipc.open_stream(file)
        return stream.schema, (pa.Table.from_batches([batch]) for batch in stream)
    batches = map(reader.get_batch, range(reader.num_record_batches))
    return reader.schema, (pa.Table.from_batches([batch]) for batch in batches)


def read_csv(source: Path, request: dict[str, Any]) -> tuple[Any, str]:
    """The table of a CSV file, all columns text, and the delimiter that it uses."""
    first, delimiter = _first_line(source, request["delimiter"])
    has_names = request["header"] is not False
    names = first if has_names else [f"column_{1 + place}" for place in range(len(first))]
    table = _parse(source, names, delimiter, has_names=has_names)
    if _ends_inside_quotes(source, table):
        msg = f"{source.name}: a quoted cell is still open at the end of the file"
        raise Unusable(msg)
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


def _parse(
    source: Path, names: list[str], delimiter: str, *, has_names: bool, threads: bool = True
) -> Any:
    from pyarrow import csv as arrow_csv

    ragged: list[int | None] = []

    def count(row: Any) -> str:
        ragged.append(row.number)
        return "skip"

    try:
        table = arrow_csv.read_csv(
            pa.OSFile(str(source)),  # a path would be taken for compressed by its ending
            read_options=arrow_csv.ReadOptions(
                use_threads=threads, block_size=MOST_ROW, column_names=None if has_names else names
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter,
                newlines_in_values=True,
                invalid_row_handler=count,
                # In a table of one column an empty line is an empty cell.
                ignore_empty_lines=len(names) > 1,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, TEXT), null_values=[], strings_can_be_null=False
            ),
        )
        found = table.column_names
    except MemoryError:
        raise
    except (pa.ArrowException, UnicodeError):
        raise Unusable(_why_not(source)) from None
    if ragged and threads:  # now rows know their number
        return _parse(source, names, delimiter, has_names=has_names, threads=False)
    if ragged:
        rows = f"{len(ragged)} row{'s' * (len(ragged) != 1)}"
        msg = (
            f"{source.name}: {rows} without exactly {len(names)} cells, "
            f"the first is record {ragged[0]}"
        )
        raise Unusable(msg)
    if found != names:
        raise Unusable(_unreadable_header(source))
    return table


def _why_not(source: Path) -> str:
    with source.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return f"{source.name}: line {number} is not UTF-8 text; {SAY_ENCODING}"
    most = f"{MOST_ROW >> 20} MiB"
    return f"{source.name} is not CSV that can be read, or has a row of more than {most}"


def _ends_inside_quotes(source: Path, table: Any) -> bool:
    # The parser takes the rest of the file as one cell where a quote is never closed.
    if not table.num_rows or not table.num_columns:
        return False
    last = table.column(table.num_columns - 1)[table.num_rows - 1].as_py()
    if "\n" not in last and "\r" not in last:
        return False
    with source.open("rb") as file:
        file.seek(max(0, source.stat().st_size - len(last.encode()) - 4096))
        end = file.read().rstrip(b"\r\n")
    return (len(end) - len(end.rstrip(b'"'))) % 2 == 0


def _bounded(memory: int) -> None:
    """No more memory than that, no image of it on the disk, and no life after the parent."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
            _, hard = resource.getrlimit(what)
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (bound, hard))
    if sys.platform == "linux":
        control: Callable[..., int] = ctypes.CDLL(None).prctl
        control(DIE_WITH_PARENT, signal.SIGKILL)


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
