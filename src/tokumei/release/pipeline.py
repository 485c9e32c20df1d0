"""The way of every release, whatever is done to the table: read, make, write, judge, publish."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from tokumei.release import audit
from tokumei.release.errors import InputError, Refused
from tokumei.release.io import files, frames, staging
from tokumei.release.io.written import InMemory, written_file
from tokumei.release.job import Job
from tokumei.release.release import Audit, Release
from tokumei.release.schema import Schema


class Draft(Protocol):
    """A table that nobody has judged yet."""

    @property
    def roles(self) -> Schema: ...

    @property
    def released(self) -> frames.Frame: ...


def from_frame(table: object, job: Job) -> Release:
    """From a dataframe to a dataframe."""
    draft: Draft = job.step.draft(job, frames.frame_of(table), {"format": "memory"})
    written = InMemory(draft.released, _counted(job, draft.roles))
    record = _passed(job.step.audit(draft, written, {"format": "memory"}, None))
    return Release(draft.released.to_native(), record)


def from_file(job: Job) -> Release:
    """From the file of the job's source to that of its output."""
    source, target = _places(job)
    delimiter = files.check(source, target, job.source.delimiter)
    with staging.staging(target) as folder:
        staged = folder / "release"
        try:
            table, found = files.read(source, delimiter)
            layout = files.layout_of(target, found)
            draft: Draft = job.step.draft(job, frames.frame_of(table), files.describe(source))
            with staging.created(staged, target) as file:
                files.write(draft.released.to_native(), file, layout)
            written = written_file(staged, layout, draft.roles)
            output = files.describe(staged, layout)
            record = _passed(job.step.audit(draft, written, output, folder / "spill"))
        except Refused as refusal:
            staging.publish_audit(audit.text(refusal.audit), folder, target)
            raise
        staging.publish(staged, audit.text(record), target)
    return Release(target, record)


def _places(job: Job) -> tuple[Path, Path]:
    if job.source.path is None or job.output.path is None:
        msg = "the job names no file to read, or none to write"
        raise InputError(msg)
    return Path(job.source.path), Path(job.output.path)


def _counted(job: Job, roles: Schema) -> list[str]:
    """The columns of a release that the gate counts by."""
    spoken_of = [column for model in job.privacy if (column := getattr(model, "column", None))]
    return list(dict.fromkeys(roles.counted() + spoken_of))


def _passed(record: Audit) -> Audit:
    if record["verdict"] != "released":
        raise audit.refused(record)
    return record
