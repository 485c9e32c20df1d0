"""Passes over all pieces, or over all files of a release, by whoever does tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from tokumei._check import Run
from tokumei.batch import scatter
from tokumei.batch.asked import Scattered
from tokumei.batch.buckets import Buckets
from tokumei.batch.delimited import Decoded
from tokumei.batch.pieces import Folder, Source
from tokumei.batch.stage import Stage
from tokumei.batch.storage import Disk
from tokumei.batch.workers import Task, Workers, told
from tokumei.release.gate.answers import Check
from tokumei.release.job import Job
from tokumei.release.phases import phase

# What is done of all when a phase begins and ends, as bench/dataset.py measures it.
SHARES = {
    "reading": (0.0, 0.05),
    "planning": (0.05, 0.14),
    "routing": (0.14, 0.24),
    "masking": (0.24, 0.84),
    "scattering": (0.84, 0.98),
}


@dataclass(frozen=True)
class Done:
    """A release in its stage: its files, and what was found of them."""

    plan: Scattered
    checks: list[Check]
    parts: Sequence[dict[str, Any]]
    achieved: dict[str, Any]


def share_of(job: Job, name: str) -> Run:
    """The run of one phase, which tells its share of the whole."""
    return job.run.part(*SHARES[name])


def planned(stage: Stage, job: Job, of: Callable[[Job], Any]) -> Any:
    """The plan of a data set: as it was kept, or made now, and kept."""
    with suppress(FileNotFoundError):
        return stage.load("plan")
    with phase("planning"):
        plan = of(replace(job, run=share_of(job, "planning")))
        stage.keep("plan", plan)
    return plan


def passed(
    task: Task,
    stage: Stage,
    plan: Scattered,
    source: Source,
    hands: Workers,
    consume: bool,
    run: Run,
) -> list[dict[str, Any]]:
    """A pass over all pieces, which are not read again after it."""
    pieces = list(source.pieces)
    found: dict[int, dict[str, Any]] = {}
    left: dict[str, set[int]] = {}
    for piece in pieces:
        left.setdefault(piece.name, set()).add(piece.number)
    arguments = [(stage, plan, source, piece) for piece in pieces]
    for number, facts in told(hands, task, arguments, run):
        found[number] = facts
        name = pieces[number].name
        left[name].discard(pieces[number].number)
        if left[name]:
            continue
        if isinstance(source, Decoded | Buckets):
            source.consumed(name)
        if consume and isinstance(source, Folder | Decoded) and isinstance(source.where, Disk):
            source.where.consumed(name)
    return [found[number] for number in range(len(pieces))]


def scattered(
    stage: Stage, plan: Scattered, runs: list[int], hands: Workers, run: Run
) -> list[dict[str, Any]]:
    """The files of the release, from what every run has for them."""
    each = plan.parts // plan.bins
    arguments = [(stage, plan, runs, part) for part in range(plan.parts)]
    found: dict[int, dict[str, Any]] = {}
    for number, facts in told(hands, scatter.write_part, arguments, run):
        found[number] = facts
        written = number // each
        if all(part in found for part in range(written * each, (written + 1) * each)):
            scatter.bin_consumed(stage, runs, written)
    return [found[part] for part in range(plan.parts)]
