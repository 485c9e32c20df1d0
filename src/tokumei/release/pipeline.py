"""The way of every release, whatever is done to the table: read, make, write, judge, publish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tokumei.release import audit
from tokumei.release.errors import Refused
from tokumei.release.io import files, frames, staging
from tokumei.release.io.written import InMemory, Written, written_file
from tokumei.release.schema import Schema


@dataclass(frozen=True)
class Release:
    """A checked release: the table, of the caller's kind, and the audit of its making."""

    table: Any
    audit: dict[str, Any]


class Made(Protocol):
    """A table that nobody has looked at yet."""

    @property
    def roles(self) -> Schema: ...

    @property
    def released(self) -> frames.Frame: ...


Thing = TypeVar("Thing", bound=Made)
# The table and what is known of its source -> what was made of it.
Make = Callable[[frames.Frame, dict[str, Any]], Thing]
# What was made, what can be read back, what is known of it, where to spill -> the record.
Judge = Callable[[Thing, Written, dict[str, Any], Path | None], dict[str, Any]]


def from_frame(table: object, make: Make[Thing], judge: Judge[Thing]) -> Release:
    """From a dataframe to a dataframe."""
    made = make(frames.frame_of(table), {"format": "memory"})
    written = InMemory(made.released, made.roles.counted())
    record = _passed(judge(made, written, {"format": "memory"}, None))
    return Release(made.released.to_native(), record)


def from_file(
    source: Path, target: Path, delimiter: str | None, make: Make[Thing], judge: Judge[Thing]
) -> Release:
    """From a file to a file."""
    delimiter = files.check(source, target, delimiter)
    with staging.staging(target) as folder:
        staged = folder / "release"
        try:
            table, found = files.read(source, delimiter)
            layout = files.layout_of(target, found)
            made = make(frames.frame_of(table), files.describe(source))
            with staging.created(staged, target) as file:
                files.write(made.released.to_native(), file, layout)
            written = written_file(staged, layout, made.roles)
            output = files.describe(staged, layout)
            record = _passed(judge(made, written, output, folder / "spill"))
        except Refused as refusal:
            staging.publish_audit(audit.text(refusal.audit), folder, target)
            raise
        staging.publish(staged, audit.text(record), target)
    return Release(target, record)


def _passed(record: dict[str, Any]) -> dict[str, Any]:
    if record["verdict"] != "released":
        raise refused(record)
    return record


def refused(record: dict[str, Any]) -> Refused:
    """What is raised where a check failed."""
    return Refused(audit.failures(record), record)
