"""Files by their ending: CSV, also compressed, Parquet, Arrow; SPSS, Stata and SAS to read."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io import delimited, plain_text, reading, staging, statistics_files
from tokumei.release.sections import Source

ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    **dict.fromkeys(statistics_files.READERS, "statistics"),
}
READ_ONLY = ("statistics",)


@dataclass(frozen=True)
class Layout:
    """How a table lies in a file."""

    format: str
    delimiter: str = ","
    compression: str | None = None
    commas: tuple[str, ...] = ()  # columns of numbers that are written with a decimal comma


def layout_of(
    path: Path, delimiter: str | None = None, commas: tuple[str, ...] = (), *, read: bool = False
) -> Layout:
    """The layout that the ending of a file's name stands for."""
    compression = plain_text.COMPRESSIONS.get(path.suffix.lower())
    ending = Path(path.stem).suffix.lower() if compression else path.suffix.lower()
    usable = [each for each, form in ENDINGS.items() if read or form not in READ_ONLY]
    if ending not in usable or (compression and ENDINGS[ending] != "csv"):
        msg = (
            f"{path.name}: the name must end in one of {', '.join(usable)}, or in .csv.gz, .csv.zst"
        )
        raise InputError(msg)
    tab = "\t" if ending == ".tsv" else delimiter or ","
    return Layout(ENDINGS[ending], tab, compression, commas)


def check(source: Path, target: Path, delimiter: str | None) -> str | None:
    """Refuse files and options that cannot be used; the delimiter as one character."""
    if not source.suffix and not source.exists():
        msg = f"cannot read {source.name}: there is no file or folder of that name"
        raise InputError(msg)
    reads, _ = layout_of(source, read=True), layout_of(target)
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
    form = (layout or layout_of(path, read=True)).format
    return {"format": form, "sha256": sha256_of(path)}


def sha256_of(path: Path) -> str:
    """The hash of a file."""
    with as_input_error(f"cannot read {path.name}"), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_of_folder(path: Path) -> str:
    """One hash of all files of a folder, by their names."""
    with as_input_error(f"cannot read {path.name}"):
        found = {each.name: sha256_of(each) for each in path.iterdir()}
    return sha256_of_files(found)


def sha256_of_files(hashes: Mapping[str, str]) -> str:
    """The same, of files whose hashes are known."""
    return hashlib.sha256(json.dumps(dict(hashes), sort_keys=True).encode()).hexdigest()


def read(source: Path, folder: Path, how: Source) -> tuple[Any, str | None]:
    """The table of a file, decoded into that folder, and the delimiter it was found to use."""
    form = layout_of(source, read=True).format
    told = {"whether there is a header": how.header, "the encoding": how.encoding}
    for what, value in told.items():
        if form != "csv" and value is not None:
            msg = f"{what} is asked of CSV, and {source.name} is none"
            raise InputError(msg)
    return reading.decoded(source, form, folder, how)


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
    if layout.format == "csv" and layout.compression:
        with pa.CompressedOutputStream(_Through(file), layout.compression) as packed:
            delimited.write(table, packed, layout.delimiter, layout.commas)
    elif layout.format == "csv":
        delimited.write(table, file, layout.delimiter, layout.commas)
    elif layout.format == "parquet":
        pq.write_table(table.cast(_as_parquet_has_it(table.schema)), file)
    else:
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)


class _Through(io.RawIOBase):
    """What is written goes to another file, which stays open at the end."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self.file.write(data)


def _as_parquet_has_it(schema: Any) -> Any:
    """The types that come out of Parquet again: it has fewer, and names of its own in lists."""
    empty = io.BytesIO()
    pq.write_table(schema.empty_table(), empty)
    return pq.read_schema(empty)
