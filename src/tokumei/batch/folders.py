"""The files of a folder that are one data set: which they are, and whether they are alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import pyarrow as pa

from tokumei.batch.storage import Where
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io import files, plain_text
from tokumei.release.io.plain import told

MOST_ROWS, MOST_BYTES = 1 << 22, 1 << 28  # of a piece
LEAST_PIECES = 16  # of a table, so that threads end together; unless its row groups are larger
FORMATS = ("parquet", "arrow", "csv")
ENDINGS = [
    *(ending for ending, form in files.ENDINGS.items() if form in FORMATS),
    *(f".csv{ending}" for ending in plain_text.COMPRESSIONS),
]


def form_of(name: str) -> str:
    """The format that the name of a file stands for; "" for none of a data set."""
    path = PurePosixPath(name)
    compressed = path.suffix.lower() in plain_text.COMPRESSIONS
    form = files.ENDINGS.get(Path(path.stem if compressed else path.name).suffix.lower(), "")
    return "" if compressed and form != "csv" else form


def data_files(where: Where) -> Iterator[str]:
    """The names of the files of a data set, which are all of Parquet and Arrow or all of CSV."""
    with as_input_error(f"cannot read {where.called}"):
        found = where.names()
    first: tuple[str, bool] | None = None
    for name in sorted(found, key=lambda name: name.split("/")):
        if any(part.startswith(("_", ".")) for part in name.split("/")):
            continue
        where.check(name)
        if form_of(name) not in FORMATS:
            msg = f"{name}: a data set is of files that end in one of {', '.join(ENDINGS)}"
            raise InputError(msg)
        first = first or (name, form_of(name) == "csv")
        if (form_of(name) == "csv") != first[1]:
            msg = f"{name} and {first[0]}: files of CSV and of other kinds are no one data set"
            raise InputError(msg)
        yield name
    if not first:
        msg = f"{where.called} holds no data: its files must end in one of {', '.join(ENDINGS)}"
        raise InputError(msg)


def is_csv(where: Where) -> bool:
    """Whether a folder holds CSV."""
    return form_of(next(data_files(where))) == "csv"


def size(where: Where, name: str) -> int:
    """The bytes of a file."""
    with as_input_error(f"cannot read {name}"):
        return where.size(name)


def refuse_empty(where: Where, name: str) -> None:
    """Refuse a file that holds nothing, not even names of columns."""
    if not size(where, name):
        msg = f"{name} is empty"
        raise InputError(msg)


def packed(groups: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Neighbouring row groups in one piece while they are small; groups without rows in none."""
    most = min(most, MOST_BYTES)
    some: list[int] = []
    rows = size = 0
    for number, (more_rows, more) in enumerate(groups):
        if some and (rows + more_rows > MOST_ROWS or size + more > most):
            yield tuple(some), rows
            some, rows, size = [], 0, 0
        if more_rows:
            some.append(number)
            rows, size = rows + more_rows, size + more
    if some:
        yield tuple(some), rows


def same(schema: Any, first: str, found: Any, name: str) -> None:
    """Refuse a file whose columns are not those of the first one."""
    for field_ in schema:
        if field_.name not in found.names:
            msg = f"{name} has no column {field_.name!r}, which {first} has"
            raise InputError(msg)
    for field_ in found:
        if field_.name not in schema.names:
            msg = f"{name} has a column {field_.name!r}, which {first} has not"
            raise InputError(msg)
        had = schema.field(field_.name)
        if had.type != field_.type:
            types = f"{told(field_.type)} in {name} and {told(had.type)} in {first}"
            msg = f"column {field_.name!r} is {types}"
            raise InputError(msg)


def partitions(paths: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The values of hive partitions of each file: whole numbers where all of a name are."""
    found: dict[str, dict[str, Any]] = {}
    for name in paths:
        pairs = [part.partition("=") for part in Path(name).parts[:-1]]
        found[name] = {unquote(key): unquote(value) for key, mark, value in pairs if mark}
    known = list(found.values())
    for name, keys in found.items():
        if keys.keys() != known[0].keys():
            msg = f"{name} lies in other partitions than {paths[0]}"
            raise InputError(msg)
    for key in known[0]:
        if all(each[key].isascii() and each[key].isdigit() for each in known):
            for each in known:
                each[key] = int(each[key])
    return found


def with_partitions(table: Any, keys: Mapping[str, Any], columns: Sequence[str]) -> Any:
    """A table with those of the columns that names of folders say."""
    for name, value in keys.items():
        if name in columns:
            table = table.append_column(name, pa.repeat(value, len(table)))
    return table


def states(where: Where, names: Sequence[str]) -> list[Any]:
    """What tells, without reading them, that files are still the same."""
    found = []
    for name in names:
        with as_input_error(f"cannot read {name}"):
            found.append(where.state(name))
    return found
