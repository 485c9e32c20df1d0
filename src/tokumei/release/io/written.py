"""What was written, as the gate sees it: the names of its columns, its cells in DuckDB, its traces.

DuckDB reads CSV and Parquet from the file itself; Arrow files, which it cannot open, and tables in
memory are lent to it. There the columns are c0, c1..., so that no name of the data becomes SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from tokumei._check.cached import cached_property
from tokumei.release.io import canonical
from tokumei.release.io.decoder import MOST_ROW
from tokumei.release.io.files import Layout, read_arrow
from tokumei.release.io.frames import Frame, columns_of, row_labels
from tokumei.release.io.lending import as_in_csv, lendable
from tokumei.release.schema import Schema

Ask = Callable[[str], list[tuple[Any, ...]]]

# The number of a column, which Parquet itself adds.
HARMLESS = {b"PARQUET:field_id"}


class Written(Protocol):
    """What the gate asks of a release."""

    def names(self, ask: Ask) -> list[str]:
        """The columns as they are called there."""

    def cells(self, connection: duckdb.DuckDBPyConnection) -> str:
        """What SQL selects the columns c0, c1... from."""

    def traces(self) -> list[str]:
        """What is there beside names and cells: row labels, metadata."""

    def as_written(self, column: Any) -> Any:
        """An Arrow column as its cells are written there, in a type of DuckDB's."""


def written_file(path: Path, layout: Layout, schema: Schema) -> Written:
    """A release in a file."""
    if layout.format == "csv":
        return _Csv(path, layout, schema.released())
    if layout.format == "parquet":
        return _Parquet(path)
    return _Arrow(path, schema.released())


@dataclass(frozen=True)
class _Csv:
    path: Path
    layout: Layout
    released: Sequence[str]

    def _read(self, *, header: bool) -> str:
        columns = ", ".join(f"c{number}: 'VARCHAR'" for number in range(len(self.released)))
        return (
            f"read_csv({_literal(self.path)}, columns = {{{columns}}}, header = {header}, "
            f"delim = {_literal(self.layout.delimiter)}, quote = '\"', escape = '\"', "
            "all_varchar = true, "
            "auto_detect = false, hive_partitioning = false, "
            f"compression = {_literal(self.layout.compression or 'none')}, "
            f"max_line_size = {2 * MOST_ROW}, buffer_size = {4 * MOST_ROW})"
        )

    def names(self, ask: Ask) -> list[str]:
        return list(ask(f"SELECT * FROM {self._read(header=False)} LIMIT 1")[0])

    def cells(self, connection: duckdb.DuckDBPyConnection) -> str:
        numbers = [
            f"replace(c{place}, ',', '.') AS c{place}"
            for place, name in enumerate(self.released)
            if name in self.layout.commas
        ]
        read = self._read(header=True)
        return f"(SELECT * REPLACE ({', '.join(numbers)}) FROM {read})" if numbers else read

    def traces(self) -> list[str]:
        return []

    def as_written(self, column: Any) -> Any:
        return as_in_csv(lendable(column))


@dataclass(frozen=True)
class _Parquet:
    path: Path

    def names(self, ask: Ask) -> list[str]:
        # A schema is a tree, written depth first; each node says how many children it has.
        nodes = ask(f"SELECT name, num_children FROM parquet_schema({_literal(self.path)})")
        names, at = [], 1
        for _ in range(nodes[0][1]):
            names.append(nodes[at][0])
            open_nodes = 1
            while open_nodes:
                open_nodes += (nodes[at][1] or 0) - 1
                at += 1
        return names

    def cells(self, connection: duckdb.DuckDBPyConnection) -> str:
        width = len(pq.read_schema(self.path))
        columns = ", ".join(f"c{number}" for number in range(width))
        return f"read_parquet({_literal(self.path)}, hive_partitioning = false) AS t({columns})"

    def traces(self) -> list[str]:
        table = pq.ParquetFile(self.path).read()
        if not _metadata(table.schema) and not canonical.is_file_of(self.path, table, "parquet"):
            return ["a file that is not the one its cells make"]
        return _metadata(table.schema)

    def as_written(self, column: Any) -> Any:
        return lendable(column)


@dataclass(frozen=True)
class _Arrow:
    path: Path
    released: Sequence[str]

    @cached_property
    def table(self) -> Any:
        return read_arrow(self.path)

    def names(self, ask: Ask) -> list[str]:
        return list(self.table.column_names)

    def cells(self, connection: duckdb.DuckDBPyConnection) -> str:
        return _lend(connection, self.table.column_names, self.table.select(list(self.released)))

    def traces(self) -> list[str]:
        found = _metadata(self.table.schema)
        if not found and not canonical.is_file_of(self.path, self.table, "arrow"):
            return ["a file that is not the one its cells make"]
        return found

    def as_written(self, column: Any) -> Any:
        return lendable(column)


@dataclass(frozen=True)
class InMemory:
    """A release as a dataframe."""

    frame: Frame
    released: Sequence[str]

    def names(self, ask: Ask) -> list[str]:
        return list(self.frame.columns)

    def cells(self, connection: duckdb.DuckDBPyConnection) -> str:
        return _lend(connection, self.frame.columns, columns_of(self.frame, self.released))

    def traces(self) -> list[str]:
        native = self.frame.to_native()
        found = _metadata(native.schema) if isinstance(native, pa.Table) else row_labels(native)
        held = canonical.holding_more(self.frame)
        return [*found, *(f"more than cells in column {name!r}" for name in held)]

    def as_written(self, column: Any) -> Any:
        return lendable(column)


def _lend(connection: duckdb.DuckDBPyConnection, names: Sequence[str], table: Any) -> str:
    places = {name: f"c{number}" for number, name in enumerate(names)}
    cells = [lendable(column) for column in table.columns]
    connection.register("lent", pa.table(cells, names=[places[n] for n in table.column_names]))
    return "lent"


def _metadata(schema: Any) -> list[str]:
    keys = set(schema.metadata or ())
    for field in schema:
        keys.update(field.metadata or ())
    return sorted(key.decode(errors="replace") for key in keys - HARMLESS)


def _literal(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"
