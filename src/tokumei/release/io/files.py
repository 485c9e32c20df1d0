"""Files by their ending: CSV, Parquet, Arrow."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io import delimited, reading, staging

ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}


@dataclass(frozen=True)
class Layout:
    """How a table lies in a file."""

    format: str
    delimiter: str = ","


def layout_of(path: Path, delimiter: str | None = None) -> Layout:
    """The layout that the ending of a file's name stands for."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        msg = f"{path.name}: the name must end in one of {', '.join(ENDINGS)}"
        raise InputError(msg)
    return Layout(ENDINGS[ending], "\t" if ending == ".tsv" else delimiter or ",")


def check(source: Path, target: Path, delimiter: str | None) -> str | None:
    """Refuse files and options that cannot be used; the delimiter as one character."""
    reads, _ = layout_of(source), layout_of(target)
    if delimiter is not None and reads.format != "csv":
        msg = f"a delimiter says how CSV is read, and {source.name} is none"
        raise InputError(msg)
    with as_input_error(f"cannot read {source.name}"):
        reading.regular(source)
        source.open("rb").close()
    beside = (staging.audit_of, staging.record_of, staging.refusal_of)
    for path in (target, *(place(target) for place in beside)):
        with as_input_error(f"cannot write {path.name}"):
            if path.exists() and not path.is_file():
                msg = f"cannot write {path.name}: something that is no file has this name"
                raise InputError(msg)
            if path.exists() and path.samefile(source):
                msg = f"source and target are the same file, {source.name}"
                raise InputError(msg)
    return delimited.delimiter_of(delimiter)


def describe(path: Path, layout: Layout | None = None) -> dict[str, Any]:
    """What the audit says of a file."""
    return {"format": (layout or layout_of(path)).format, "sha256": sha256_of(path)}


def sha256_of(path: Path) -> str:
    """The hash of a file."""
    with as_input_error(f"cannot read {path.name}"), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read(
    source: Path, folder: Path, delimiter: str | None = None, header: bool | None = None
) -> tuple[Any, str | None]:
    """The table of a file, decoded into that folder, and the delimiter it was found to use."""
    form = layout_of(source).format
    if form != "csv" and header is not None:
        msg = f"whether there is a header is asked of CSV, and {source.name} is none"
        raise InputError(msg)
    return reading.decoded(source, form, folder, delimiter=delimiter, header=header)


def read_arrow(source: Path) -> Any:
    """The table of an Arrow file, in the format with an index at its end or in that of a stream."""
    with pa.OSFile(str(source)) as file:
        try:
            return pa.ipc.open_file(file).read_all()
        except pa.ArrowInvalid:
            file.seek(0)
            return pa.ipc.open_stream(file).read_all()


def write(table: Any, file: BinaryIO, layout: Layout) -> None:
    """Write a table, with statistics and dictionaries of what is written and no other metadata."""
    if layout.format == "csv":
        delimited.write(table, file, layout.delimiter)
    elif layout.format == "parquet":
        pq.write_table(table.cast(_as_parquet_has_it(table.schema)), file)
    else:
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)


def _as_parquet_has_it(schema: Any) -> Any:
    """The types that come out of Parquet again: it has fewer, and names of its own in lists."""
    empty = io.BytesIO()
    pq.write_table(schema.empty_table(), empty)
    return pq.read_schema(empty)
