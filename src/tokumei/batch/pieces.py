"""A data set in pieces: row groups of files in a folder, or what a callable makes, piece by piece.

All files have the same columns and types; one that differs is named, with the column. Folders
called ``name=value`` are columns (hive partitions). Names that begin with "_" or "." are no data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tokumei._check.cached import cached_property
from tokumei.batch import folders, hashes
from tokumei.batch.storage import Where
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io.frames import without_dictionary


@dataclass(frozen=True)
class Piece:
    """What one task reads: some row groups of one file, or one call of a callable."""

    number: int
    name: str
    groups: tuple[int, ...] = ()
    rows: int = 0
    starts: tuple[int, ...] = ()  # of CSV: records of the file before each batch, and at the end

    @property
    def called(self) -> str:
        """How a message names it."""
        if self.starts:
            return f"{self.name}, records {self.starts[0] + 1} to {self.starts[-1]}"
        if not self.groups:
            return self.name
        first, last = self.groups[0], self.groups[-1]
        which = f"row group {first}" if first == last else f"row groups {first} to {last}"
        return f"{self.name}, {which}"

    def parts(self) -> list[Piece]:
        """Its row groups one by one, where it has several."""
        if len(self.groups) < 2:
            return []
        return [
            replace(self, groups=(group,), starts=self.starts[at : at + 2])
            for at, group in enumerate(self.groups)
        ]


class Source(Protocol):
    """A data set that is read in pieces, any of them any number of times."""

    @property
    def pieces(self) -> Sequence[Piece]: ...

    @property
    def types(self) -> dict[str, Any]:
        """The columns, and their types without dictionaries."""

    def read(self, piece: Piece, columns: Sequence[str]) -> Any:
        """Some columns of a piece, an Arrow table without dictionaries."""

    def fingerprint(self) -> list[Any]:
        """What tells, without reading it all, that it is still the same."""


@dataclass(frozen=True)
class Generated:
    """Pieces that a callable makes: ``make(number)`` is an Arrow table, the same at each call."""

    make: Callable[[int], Any]
    count: int

    @property
    def pieces(self) -> list[Piece]:
        return [Piece(number, f"piece {number}") for number in range(self.count)]

    @property
    def types(self) -> dict[str, Any]:
        return dict(self._first[0])

    @cached_property
    def _first(self) -> tuple[list[tuple[str, Any]], int]:
        """The columns of the first piece, and its hash: pieces are dear to make."""
        table = self._made(0)
        kinds = [(str(field.name), value_type(field.type)) for field in table.schema]
        return kinds, _hash_of(table)

    def _made(self, number: int) -> Any:
        with as_input_error(f"piece {number} cannot be made"):
            return self.make(number)

    def read(self, piece: Piece, columns: Sequence[str]) -> Any:
        made = self._made(piece.number)
        with as_input_error(f"{piece.called} cannot be made"):
            return plain(made.select(list(columns)))

    def fingerprint(self) -> list[Any]:
        """How many pieces there are, and what the first and the last one hold."""
        last = _hash_of(self._made(self.count - 1)) if self.count > 1 else self._first[1]
        columns = [[name, str(kind)] for name, kind in self._first[0]]
        return ["generated", self.count, columns, self._first[1], last]


@dataclass(frozen=True)
class Folder:
    """The files of a folder, in the order of their names."""

    where: Where
    paths: tuple[str, ...]  # within the folder
    keys: dict[str, dict[str, Any]]  # of hive partitions, by file
    schema: Any
    pieces: tuple[Piece, ...] = field(repr=False)

    @classmethod
    def of(cls, where: Where, most: int = folders.MOST_BYTES) -> Folder:
        """The folder looked through: the footer of each file is read, and compared.

        A piece has at most so many bytes, and a small share of all, or one row group.
        """
        paths = tuple(sorted(folders.data_files(where)))
        keys = folders.partitions(paths)
        groups_of: dict[str, list[tuple[int, int]]] = {}
        schema, first = None, ""
        for name in paths:
            found, groups_of[name] = _looked_at(where, name)
            if schema is None:
                schema, first = found, name
            folders.same(schema, first, found, name)
        total = sum(size for groups in groups_of.values() for _, size in groups)
        most = min(most, total // folders.LEAST_PIECES)
        pieces: list[Piece] = []
        for name, groups in groups_of.items():
            for some, rows in folders.packed(groups, most):
                pieces.append(Piece(len(pieces), name, some, rows))
        doubled = set(schema.names) & set(next(iter(keys.values())))  # type: ignore[union-attr]
        if doubled:
            msg = f"{where.called}: column {min(doubled)!r} is in the files and in names of folders"
            raise InputError(msg)
        return cls(where, paths, keys, schema, tuple(pieces))

    @property
    def types(self) -> dict[str, Any]:
        inside = {field.name: value_type(field.type) for field in self.schema}
        keys = self.keys[self.paths[0]]
        return inside | {name: pa.scalar(value).type for name, value in keys.items()}

    def read(self, piece: Piece, columns: Sequence[str]) -> Any:
        keys = self.keys[piece.name]
        inside = [name for name in columns if name not in keys]
        with as_input_error(f"cannot read {piece.called}"):
            table = _read(self.where, piece, inside)
            table.validate(full=True)
        table = folders.with_partitions(table, keys, columns)
        return plain(table.select(list(columns)))

    def fingerprint(self) -> list[Any]:
        return folders.states(self.where, self.paths)


def _looked_at(where: Where, name: str) -> tuple[Any, list[tuple[int, int]]]:
    """The schema of a file, and the rows and bytes of each of its row groups."""
    folders.refuse_empty(where, name)
    with as_input_error(f"cannot read {name}"):
        try:
            if folders.form_of(name) == "parquet":
                with where.opened(name) as handle, pq.ParquetFile(handle) as file:
                    groups = [file.metadata.row_group(g) for g in range(file.num_row_groups)]
                    return file.schema_arrow, [(g.num_rows, g.total_byte_size) for g in groups]
            with where.looked_into(name) as handle:
                reader = pa.ipc.open_file(handle)
                batches = [reader.get_batch(b) for b in range(reader.num_record_batches)]
                return reader.schema, [(b.num_rows, b.nbytes) for b in batches]
        except pa.ArrowException:
            msg = f"cannot read {name}: it is damaged or of another kind than its name says"
            raise InputError(msg) from None


def _read(where: Where, piece: Piece, columns: Sequence[str]) -> Any:
    groups = list(piece.groups)
    with where.opened(piece.name) as handle:
        if folders.form_of(piece.name) == "parquet":
            with pq.ParquetFile(handle) as file:
                return file.read_row_groups(groups, columns=list(columns), use_threads=False)
        reader = pa.ipc.open_file(handle)
        batches = [reader.get_batch(group) for group in groups]
        return pa.Table.from_batches(batches, reader.schema).select(list(columns))


def value_type(kind: Any) -> Any:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _hash_of(table: Any) -> int:
    """A hash of the cells of a piece, the same in each process."""
    found = hashes.of_records(plain(table), bytes(32))
    places = np.arange(1, len(found) + 1, dtype=np.uint64)
    return int((found * places).sum(dtype=np.uint64))


def plain(table: Any) -> Any:
    """One array a column, no dictionaries, and no notes."""
    columns = [_in_one(without_dictionary(column)) for column in table.columns]
    return pa.table(columns, names=table.column_names)


def _in_one(column: Any) -> Any:
    """The chunks of a column as one; that of a single one is not copied."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
