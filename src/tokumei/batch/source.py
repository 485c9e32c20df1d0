"""From what is given to what is read: a folder decoded where it must be, texts read in one way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokumei._check import Run
from tokumei.batch import delimited, folders, interruption, texts
from tokumei.batch.delimited import CsvFolder, Decoded
from tokumei.batch.pieces import Folder, Piece, Source
from tokumei.batch.stage import Stage
from tokumei.batch.storage import Where
from tokumei.batch.texts import Reading, Seen
from tokumei.batch.workers import Workers, told
from tokumei.release.errors import InputError
from tokumei.release.io import one_notation
from tokumei.release.job import Job
from tokumei.release.schema import REST, checked_names


def read_as(table: Any, name: str, how: Reading) -> Any:
    """A column of a piece; what is wrong with its cells is said with its name."""
    try:
        return how.read(table.column(name))
    except InputError as error:
        words = f" ({', '.join(how.notation.missing)} taken for missing)"
        msg = f"column {name!r} has {error}{words * bool(how.notation.missing)}"
        raise InputError(msg) from None


def opened(where: Where, most: int) -> Folder | CsvFolder:
    """The folder looked through."""
    return CsvFolder.of(where) if folders.is_csv(where) else Folder.of(where, most)


def left_out_of(job: Job) -> list[str]:
    """The columns that are said to leave: what is not released is not even read."""
    named = [names for names in (job.schema.identifier, job.schema.drop) if names != REST]
    return [name for names in named for name in names]


def decoded(
    stage: Stage, folder: CsvFolder, job: Job, most: int, hands: Workers, run: Run
) -> Decoded:
    """The files of a folder of CSV decoded, in any order."""
    gone = left_out_of(job)
    arguments = [(stage, folder, at, job.source, gone) for at in range(len(folder.paths))]
    found: dict[int, dict[str, Any]] = {}
    for number, facts in told(hands, delimited.decode, arguments, run):
        checked_names(facts["names"])
        found[number] = facts
    return Decoded.of(stage, folder, [found[at] for at in range(len(folder.paths))], most)


def in_one_notation(
    source: Source, names: Sequence[str], job: Job, hands: Workers, run: Run
) -> dict[str, Reading]:
    """How columns that are worked on are read: those of texts, and all where words say so."""
    types = source.types
    of_text = [name for name in names if one_notation.holds_text(types[name])]
    readings = {}
    if job.source.na is not None:
        readings = {
            name: Reading("numeric", job.source.na) for name in names if name not in of_text
        }
    if not of_text:
        return readings
    seen: dict[str, Seen] = {}
    arguments = [(source, piece, of_text, job.source.na) for piece in source.pieces]
    for _, found in told(hands, looked_at, arguments, run):
        for name, one in found.items():
            seen[name] = seen[name].merged(one) if name in seen else one
    for name, one in seen.items():
        kind = _said_of(name, job)
        try:
            readings[name] = one.reading(kind, job.source.na, job.source.decimal)
        except InputError as error:
            msg = f"column {name!r} has {error}"
            raise InputError(msg) from None
    return readings


def _said_of(name: str, job: Job) -> str | None:
    """The kind of a column, where the job says it."""
    if name in job.schema.trees or name in job.schema.orders:
        return "nominal"
    if any(name in step.categorical() for step in job.steps):
        return "nominal"
    return job.schema.kinds.get(name)


def looked_at(
    source: Source, piece: Piece, names: Sequence[str], words: Sequence[str] | None
) -> dict[str, Seen]:
    """What the texts of a piece say."""
    interruption.go_on()
    table = source.read(piece, names)
    interruption.go_on()
    return {name: texts.seen_of(table.column(name), words) for name in names}
