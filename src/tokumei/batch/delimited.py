"""A folder of CSV files, decoded once into the private folder, batch by batch.

A child decodes each file under a bound on its memory, by the rules for a single file: encodings,
compression, delimiters, header lines. Cells stay texts; columns that are not released are not kept.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa

from tokumei.batch import folders, interruption
from tokumei.batch.pieces import Piece, plain
from tokumei.batch.stage import Stage
from tokumei.batch.storage import Where
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io import reading
from tokumei.release.io.delimited import delimiter_of
from tokumei.release.sections import Source as Asked

MEMORY = 3 << 29  # bytes of addresses that a child may take, its libraries included
DECODED, CELLS = "decoded", "cells.arrow"


@dataclass(frozen=True)
class CsvFolder:
    """The CSV files of a folder, in the order of their names."""

    where: Where
    paths: tuple[str, ...]
    keys: dict[str, dict[str, Any]]  # of hive partitions, by file

    @classmethod
    def of(cls, where: Where) -> CsvFolder:
        paths = tuple(sorted(folders.data_files(where)))
        for name in paths:
            folders.refuse_empty(where, name)
        return cls(where, paths, folders.partitions(paths))

    def fingerprint(self) -> list[Any]:
        return folders.states(self.where, self.paths)


@dataclass(frozen=True)
class Decoded:
    """The same, decoded: pieces are batches of records."""

    stage: Stage
    folder: CsvFolder
    columns: tuple[str, ...]
    pieces: tuple[Piece, ...] = field(repr=False)

    @classmethod
    def of(
        cls, stage: Stage, folder: CsvFolder, found: Sequence[dict[str, Any]], most: int
    ) -> Decoded:
        """From what was found of each file when it was decoded."""
        pieces: list[Piece] = []
        first = _schema(found[0]["names"])
        for name, facts in zip(folder.paths, found, strict=True):
            folders.same(first, folder.paths[0], _schema(facts["names"]), name)
            groups = [(rows, size) for rows, size in facts["batches"]]
            ends = [0]
            for rows, _ in groups:
                ends.append(ends[-1] + rows)
            for some, rows in folders.packed(groups, most):
                starts = (*(ends[group] for group in some), ends[some[-1] + 1])
                pieces.append(Piece(len(pieces), name, some, rows, starts))
        doubled = set(first.names) & set(folder.keys[folder.paths[0]])
        if doubled:
            msg = f"column {min(doubled)!r} is in the files and in names of folders"
            raise InputError(msg)
        return cls(stage, folder, tuple(first.names), tuple(pieces))

    @property
    def where(self) -> Where:
        return self.folder.where

    @property
    def types(self) -> dict[str, Any]:
        keys = self.folder.keys[self.folder.paths[0]]
        inside = dict.fromkeys(self.columns, pa.large_string())
        return inside | {name: pa.scalar(value).type for name, value in keys.items()}

    def read(self, piece: Piece, columns: Sequence[str]) -> Any:
        keys = self.folder.keys[piece.name]
        inside = [name for name in columns if name not in keys]
        path = self.stage.path / _place(self.folder.paths.index(piece.name)) / CELLS
        with as_input_error(f"cannot read {piece.called}"), pa.OSFile(str(path)) as opened:
            reader = pa.ipc.open_file(opened)
            batches = [reader.get_batch(group) for group in piece.groups]
            table = pa.Table.from_batches(batches, reader.schema).select(inside)
        return plain(folders.with_partitions(table, keys, columns).select(list(columns)))

    def fingerprint(self) -> list[Any]:
        return self.folder.fingerprint()

    def sizes(self) -> list[int]:
        """The bytes of the cells that lie there, by the last piece of their file."""
        last = {piece.name: piece.number for piece in self.pieces}
        found = [0] * len(self.pieces)
        for number, name in enumerate(self.folder.paths):
            path = self.stage.path / _place(number) / CELLS
            if name in last and path.exists():
                found[last[name]] = path.stat().st_size
        return found

    def consumed(self, name: str) -> None:
        """Take away the cells of a file that are routed."""
        place = _place(self.folder.paths.index(name))
        (self.stage.path / place / CELLS).unlink(missing_ok=True)


def decode(
    stage: Stage, folder: CsvFolder, number: int, how: Asked, left_out: Sequence[str]
) -> dict[str, Any]:
    """Decode one file; its columns, and the records and bytes of each batch."""
    return stage.once(_place(number), lambda: _decoded(stage, folder, number, how, left_out))


def _place(number: int) -> str:
    return f"{DECODED}/file-{number:06d}"


def _decoded(
    stage: Stage, folder: CsvFolder, number: int, how: Asked, left_out: Sequence[str]
) -> None:
    name = folder.paths[number]
    folder.where.check(name)
    with stage.whole_folder(_place(number)) as made:
        target = made / CELLS
        source = folder.where.at_hand(name, made / "fetched")
        tabs = PurePosixPath(name).suffix.lower() == ".tsv"
        request = reading.csv_of(how) | {
            "format": "csv",
            "memory": MEMORY,
            "text": shutil.disk_usage(made).free,
            "left_out": list(left_out),
            "delimiter": "\t" if tabs else delimiter_of(how.delimiter),
        }
        told = reading.told_by_child(source, target, request, interruption.go_on, lambda: name)
        for given in ("fetched", "text"):
            shutil.rmtree(made / given, ignore_errors=True)
        with as_input_error(f"cannot read {name}"), pa.memory_map(str(target)) as opened:
            reader = pa.ipc.open_file(opened)
            batches = [reader.get_batch(at) for at in range(reader.num_record_batches)]
            for batch in batches:
                batch.validate(full=True)
            sizes = [[batch.num_rows, batch.nbytes] for batch in batches]
            stage.write_facts(made, {"names": told["names"], "batches": sizes})


def _schema(names: Sequence[str]) -> Any:
    return pa.schema([pa.field(name, pa.large_string()) for name in names])
