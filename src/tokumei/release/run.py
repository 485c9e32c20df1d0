"""A table's whole way: read, schema, encode, partition, decode, write, gate, audit, publish."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tokumei._check import Floats, Labels
from tokumei.loss import sse, sst
from tokumei.microaggregation import aggregate, choose, partition, standardize
from tokumei.release import audit, decode, encode, files, frames, gate, schema, staging
from tokumei.release.errors import Refused
from tokumei.release.job import Job, check_rows
from tokumei.release.written import InMemory, Written, written_file


@dataclass(frozen=True)
class Release:
    """A checked release: the masked table, of the caller's kind, and the audit of its making."""

    table: Any
    audit: dict[str, Any]


@dataclass(frozen=True)
class Made:
    """A masked table that nobody has looked at yet, and what it was made of."""

    job: Job
    source: dict[str, Any]
    roles: schema.Schema
    original: Floats
    standard: Floats
    labels: Labels
    released: frames.Frame


def mask_frame(table: object, job: Job) -> Release:
    """From a dataframe to a dataframe."""
    made = _make(frames.frame_of(table), job, {"format": "memory"})
    written = InMemory(made.released, made.roles.of("quasi"))
    record = _judge(made, written, {"format": "memory"}, spill=None)
    return Release(made.released.to_native(), record)


def mask_path(source: Path, target: Path, delimiter: str | None, job: Job) -> Release:
    """From a file to a file."""
    delimiter = files.check(source, target, delimiter)
    with staging.staging(target) as folder:
        staged = folder / "release"
        try:
            table, found = files.read(source, delimiter)
            layout = files.layout_of(target, found)
            made = _make(frames.frame_of(table), job, files.describe(source))
            with staging.created(staged, target) as file:
                files.write(made.released.to_native(), file, layout)
            written = written_file(staged, layout, made.roles)
            output = files.describe(staged, layout)
            record = _judge(made, written, output, spill=folder / "spill")
        except Refused as refusal:
            staging.publish_audit(audit.text(refusal.audit), folder, target)
            raise
        staging.publish(staged, audit.text(record), target)
    return Release(target, record)


def _make(frame: frames.Frame, job: Job, source: dict[str, Any]) -> Made:
    """The masking itself."""
    roles = schema.assign(frame.columns, job.roles)
    source = source | {"rows": len(frame), "columns": len(frame.columns)}
    if roles.unassigned:
        raise _refused(audit.record(job, roles, source, [gate.unassigned(roles.unassigned)]))
    check_rows(len(frame), job.k)
    original = encode.numbers(frames.columns_of(frame, roles.of("quasi")))

    if job.method == "auto":
        rows, columns = original.shape
        job = replace(job, method=choose(rows, columns, job.k))
    n_threads = job.n_threads
    standard = standardize(original, n_threads=n_threads)
    labels = partition(
        standard, job.k, method=job.method, n_threads=n_threads, callback=job.callback
    )
    masked = aggregate(original, labels, n_threads=n_threads)

    released = decode.release(frame, roles, masked, keep_order=job.keep_order)
    return Made(job, source, roles, original, standard, labels, released)


def _judge(
    made: Made, written: Written, output: dict[str, Any], *, spill: Path | None
) -> dict[str, Any]:
    """The audit of a release that passed every check; Refused where one did not."""
    job, n_threads = made.job, made.job.n_threads
    evidence = gate.Evidence(
        written, made.roles, made.original, job.k, n_threads=n_threads, spill=spill
    )
    checks = gate.examine(evidence)
    total = sst(made.standard, n_threads=n_threads)
    lost = sse(made.standard, made.labels, n_threads=n_threads)
    achieved = {
        "groups": int(made.labels.max()) + 1,
        "loss_percent": 100.0 * lost / total if total else 0.0,
    }
    record = audit.record(job, made.roles, made.source, checks, output=output, achieved=achieved)
    if record["verdict"] != "released":
        raise _refused(record)
    return record


def _refused(record: dict[str, Any]) -> Refused:
    return Refused(audit.failures(record), record)
