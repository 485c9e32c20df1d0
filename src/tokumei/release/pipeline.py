"""The way of every release, whatever is done to the table: read, make, write, judge, publish."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from tokumei._check.options import keyword_of, options_of
from tokumei.release import audit, schema
from tokumei.release.errors import InputError, Refused
from tokumei.release.gate.answers import Check
from tokumei.release.gate.checks import unassigned
from tokumei.release.gate.found import examine as found
from tokumei.release.gate.origin import Origin
from tokumei.release.histograms import histograms_of
from tokumei.release.io import delimited, files, frames, staging, table_kinds
from tokumei.release.io.written import InMemory, Written, written_file
from tokumei.release.job import Job, Step
from tokumei.release.losses import losses_of
from tokumei.release.phases import counted, phase
from tokumei.release.release import Audit, Release
from tokumei.release.report import pages as reports
from tokumei.release.schema import Columns, Schema


class Draft(Protocol):
    """A table as a step left it, that nobody has judged yet."""

    @property
    def frame(self) -> frames.Frame: ...

    @property
    def columns(self) -> Columns:
        """What its columns are, for the next step."""

    @property
    def settled(self) -> Step:
        """The step for other records: what it found out of these is said."""

    @property
    def made(self) -> Mapping[str, Any]:
        """The cells of the columns that it changed, Arrow columns, before they are in its frame."""

    def examine(self, written: Written, origin: Origin, spill: Path | None) -> list[Check]:
        """Every check of what was written, after this step as the last."""

    def achieved(self) -> dict[str, Any]:
        """What the step reached."""


@dataclass(frozen=True)
class Attempt:
    """What all steps of a job left: the table to publish, if the gate lets it pass."""

    job: Job
    roles: Schema
    source: Mapping[str, Any]
    read: frames.Frame
    drafts: Sequence[Draft]
    numbered: Mapping[str, Any]
    released: frames.Frame

    @property
    def origin(self) -> Origin:
        """What the release is to be judged by."""
        made = dict(self.numbered)
        for draft in self.drafts:
            made |= draft.made
        scattered = self.job.steps[-1].shuffles
        return Origin(self.read, made, not self.job.output.keep_order, scattered)

    def achieved(self) -> dict[str, Any]:
        """What all steps reached."""
        achieved: dict[str, Any] = {}
        for draft in self.drafts:
            achieved |= draft.achieved()
        return achieved

    def losses(self) -> dict[str, dict[str, Any]]:
        """What each column lost that steps changed; nothing of rows that are scattered."""
        if self.job.steps[-1].shuffles:
            return {}
        names = self.roles.of(self.job.role)
        return losses_of(self.read, self.drafts[-1].frame, names, self.job.schema)

    def histograms(self) -> dict[str, dict[str, Any]]:
        """How the columns that steps changed were spread before and after, for the record."""
        names = self.roles.of(self.job.role)
        return histograms_of(self.read, self.drafts[-1].frame, names, self.job.schema)

    def passed(self, written: Written, output: dict[str, Any], spill: Path | None) -> Audit:
        """The private record of what was written, or `Refused`."""
        with phase("checking"):
            checks = self.drafts[-1].examine(written, self.origin, spill)
        if all(check.passed for check in checks):
            with phase("attacking"):
                again = replace(self.job, steps=tuple(draft.settled for draft in self.drafts))
                checks += found.examine(again, self.roles, self.read, self.released, remade)
        with phase("measuring losses"):
            shown = {"losses": self.losses(), "histograms": self.histograms()}
        achieved = self.achieved() | shown
        record = audit.record(
            self.job, self.roles, self.source, checks, output=output, achieved=achieved
        )
        if record["verdict"] != "released":
            raise audit.refused(record)
        return record


def from_frame(table: object, job: Job) -> Release:
    """From a dataframe to a dataframe."""
    table, given_back = table_kinds.collected(table)
    made = make(job, frames.frame_of(table), {"format": "memory"})
    written = InMemory(made.released, made.roles.released())
    record = made.passed(written, {"format": "memory"}, None)
    return Release(given_back(made.released.to_native()), audit.public(record), record)


def from_file(job: Job) -> Release:
    """From the file of the job's source to that of its output."""
    source, target = places(job)
    if job.output.files is not None:
        msg = "files is asked of a folder; one file is written as its name ends"
        raise InputError(msg)
    how = replace(job.source, delimiter=files.check(source, target, job.source.delimiter))
    reports.check(job.report)
    with staging.staging(target) as folder, counted() as times:
        staged = folder / "release"
        try:
            with phase("reading"):
                table, found = files.read(source, folder, how)
            made = make(job, frames.frame_of(table), files.describe(source))
            layout = files.layout_of(target, found, _with_commas(made))
            with phase("writing"), staging.created(staged, target) as file:
                files.write(made.released.to_native(), file, layout)
            written = written_file(staged, layout, made.roles)
            record = made.passed(written, files.describe(staged, layout), folder / "spill")
        except Refused as refusal:
            staging.publish_refusal(folder, target, audit.text(refusal.audit))
            reports.keep(refusal.audit, job.report)
            raise
        shown = audit.public(record)
        record["run"]["seconds"] = times.rounded()
        staging.publish(folder, target, staged, audit.sealed(shown), audit.sealed(record))
    reports.keep(record, job.report)
    return Release(target, shown, record)


def records_of(job: Job, folder: Path) -> frames.Frame:
    """The records of the job's source, decoded into a folder."""
    if job.source.path is None:
        msg = "the job names no file to read"
        raise InputError(msg)
    how = replace(job.source, delimiter=delimited.delimiter_of(job.source.delimiter))
    return frames.frame_of(files.read(Path(job.source.path), folder, how)[0])


def make(job: Job, frame: frames.Frame, source: Mapping[str, Any]) -> Attempt:
    """One step of the job after another; what is not released leaves after the last."""
    job.check()
    roles = schema.assign(frame.columns, _wanted(job), needed=job.role)
    source = {**source, "rows": len(frame), "columns": len(frame.columns)}
    if roles.unassigned:
        check = unassigned(roles.unassigned, job.role)
        raise audit.refused(audit.record(job, roles, source, [check]))
    if not len(frame):
        msg = "the table has no rows"
        raise InputError(msg)
    check_names(job, roles)
    categories = job.schema.categorical().union(*(step.categorical() for step in job.steps))
    used = _worked_on(job, roles)
    as_it_was = frame
    frame, notations = frames.in_one_notation(frame, used, job.source, categories)
    roles = replace(roles, notations=notations)
    # What is only read and passed on comes out as it went in.
    passed_on = [as_it_was[name] for name in notations if roles.roles[name] != job.role]
    drafts: list[Draft] = []
    current, read = job, frame.with_columns(passed_on)
    for step, part in zip(job.steps, job.run.parts(len(job.steps)), strict=True):
        with phase(step.do):
            draft: Draft = step.draft(replace(current, run=part), roles, frame)
        current, frame = replace(current, schema=draft.columns), draft.frame
        drafts.append(draft)
    frame = frame.with_columns(one for one in passed_on if one.name in frame.columns)
    shuffle = not (job.output.keep_order or job.steps[-1].shuffles)
    homes = roles.of("household")
    for name in homes:
        frame = frames.renumbered(frame, name)
    numbered = {name: frames.columns_of(frame, homes).column(name) for name in homes}
    released = frames.released(frame, roles.released(), shuffle=shuffle)
    return Attempt(job, roles, source, read, drafts, numbered, released)


def remade(job: Job, frame: frames.Frame) -> frames.Frame:
    """What the steps of a job make of other records, which nobody will see."""
    return make(job, frame, {}).released


def _wanted(job: Job) -> dict[str, Any]:
    """The names listed for each role, by the schema and by the steps."""
    of_steps: dict[str, list[str]] = {}
    for step in job.steps:
        for role, names in step.named().items():
            of_steps.setdefault(role, []).extend(names)
    return job.schema.wanted(**of_steps)


def _worked_on(job: Job, roles: Schema) -> list[str]:
    """The columns whose cells are read, not only passed on."""
    strata = [name for step in job.steps for name in getattr(step, "strata", ())]
    used = {*roles.of(job.role), *roles.of("weight"), *roles.of("household"), *strata}
    return [name for name in roles.roles if name in used]


def _with_commas(made: Attempt) -> tuple[str, ...]:
    """Columns of numbers that were written with a decimal comma, and are numbers still."""
    numbers = made.released.schema
    commas = [name for name, one in made.roles.notations.items() if one.comma and name in numbers]
    return tuple(name for name in commas if numbers[name].is_numeric())


def check_names(job: Job, roles: Schema) -> None:
    """Refuse options that name columns of another role than that which the job changes."""
    for option, names in _by_column(job):
        for name in names:
            if roles.roles.get(name) != job.role:
                msg = f"{option} names {name!r}, which is not {schema.CALLED[job.role]}"
                raise InputError(msg)
    for name, kind in job.schema.kinds.items():
        if kind == "tree" and name not in job.schema.trees:
            msg = f"column {name!r} is to be a tree, but no tree is given for it"
            raise InputError(msg)


def _by_column(job: Job) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every option that says something of columns by their names."""
    for options in (job.schema, *job.steps):
        for each in options_of(type(options)):
            value = getattr(options, each.name)
            if isinstance(value, Mapping):
                yield keyword_of(each), value


def places(job: Job) -> tuple[Path, Path]:
    """The files that a job reads and writes."""
    if job.source.path is None or job.output.path is None:
        msg = "the job names no file to read, or none to write"
        raise InputError(msg)
    return Path(job.source.path), Path(job.output.path)
