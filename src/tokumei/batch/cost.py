"""What a plan would cost, before anything is written: rows, blocks, disk, time."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tokumei.batch import altered, blocks, dataset, room, uploads
from tokumei.batch.asking import plan_of as plan_of_source
from tokumei.batch.delimited import CsvFolder
from tokumei.batch.plan import Plan
from tokumei.batch.rowwise import RowPlan
from tokumei.batch.source import decoded, opened
from tokumei.batch.stage import Stage
from tokumei.batch.storage import Where
from tokumei.batch.verdict import drawn
from tokumei.batch.workers import workers
from tokumei.release.errors import InputError, counted
from tokumei.release.io import staging
from tokumei.release.job import Job, requested_of

# Processor seconds a million rows of four numbers that are not the kernel's, as bench/dataset.py
# measures them: read, count, route, scatter, write, read again.
BESIDE = 0.5
# The same of records that change by themselves, as bench/dataset_models.py measures noise.
BESIDE_CHANGES = 0.5
TRIED = 1 << 15  # records of one block that are masked, or changed, to see how long it takes


@dataclass(frozen=True)
class Cost:
    """The plan of a data set in numbers; it holds names and counts, and no cell."""

    rows: int
    files: int
    roles: dict[str, str]
    requested: dict[str, Any]
    blocks: int | None  # where records are grouped
    largest: int | None
    tasks: int
    parts: int
    memory_bytes: int
    spill_bytes: int
    disk_bytes: int
    free_bytes: int
    seconds: float

    def lines(self) -> list[tuple[str, str]]:
        """The plan, line by line: what is said of what."""
        by_role: dict[str, list[str]] = {}
        for name, role in self.roles.items():
            by_role.setdefault(role, []).append(name)
        gib = 2.0**30
        return [
            (
                "read",
                f"{self.requested['source']['path']}: {self.rows:,} rows in {self.files} files",
            ),
            *((role, ", ".join(names)) for role, names in by_role.items()),
            ("blocks", f"{self._of_blocks()}in {counted(self.tasks, 'task')}"),
            ("memory", f"{self.memory_bytes / gib:.2f} GiB at most"),
            ("spill", f"{self.spill_bytes / gib:.2f} GiB of records"),
            (
                "disk",
                f"{self.disk_bytes / gib:.2f} GiB needed, {self.free_bytes / gib:.2f} GiB free",
            ),
            ("write", f"{self.requested['output']['path']}: {self.parts} files and their audit"),
            ("time", f"about {max(self.seconds, 0.1):.2g} s of the processor, by a sample"),
        ]

    def _of_blocks(self) -> str:
        if self.blocks is None:
            return "none, each record changes by itself, "
        return f"about {self.blocks}, of {self.largest:,} rows or fewer, "


def plan_of(job: Job, how: dataset.How | None = None) -> Cost:
    """The cost of a job on a folder: one pass over it, and some records that are tried."""
    if job.source.path is None or job.output.path is None:
        msg = "the job names no folder to read, or none to write"
        raise InputError(msg)
    how = how or dataset.How()
    where, goal = uploads.ends_of(job.source.path, job.output.path, how.staging, how.storage)
    target = uploads.local(goal)
    assert isinstance(where, Where)
    how, job = how.within(job)
    given: Any = opened(where, how.sizes.task_bytes)
    job = dataset.in_its_format(given, job)
    begin = _spent()
    key = bytes(32)  # which records are drawn changes no number here but by chance
    job = replace(job, run=job.run.silent())
    with workers(job.run.n_threads) as hands, staging.staging(target) as folder:
        stage, most, source = Stage(folder), how.sizes.task_bytes, given
        stage.make_key()
        decoding = 0
        if isinstance(given, CsvFolder):
            decoding = room.decoding_of(given, job)
            source = decoded(stage, given, job, most, hands, job.run)
        plan: Any
        if dataset.in_blocks(job):
            plan = plan_of_source(source, job, how.sizes, key, hands)
        else:
            plan = altered.plan_of(source, job, how.sizes, key, hands)
        spent = _spent() - begin
        needed = room.needed_of(plan, source, job.run.n_threads, how.consume)
        rate = _kernel(plan, key) if isinstance(plan, Plan) else _changing(plan, stage)
    grouped = isinstance(plan, Plan)
    return Cost(
        rows=plan.rows,
        files=len(given.paths),
        roles=dict(plan.asked.roles.roles),
        requested=requested_of(job),
        blocks=len(plan.tree) if grouped else None,
        largest=int(plan.tree.rows.max()) if grouped else None,
        tasks=len(plan.shelves) if grouped else len(source.pieces),
        parts=plan.parts,
        memory_bytes=how.sizes.held(job.run.n_threads),
        spill_bytes=int(plan.rows * plan.row_bytes),
        disk_bytes=max(needed, decoding),
        free_bytes=shutil.disk_usage(target.absolute().parent).free,
        seconds=spent + (rate + (BESIDE if grouped else BESIDE_CHANGES) / 1e6) * plan.rows,
    )


def _spent() -> float:
    """Seconds of the processor of this process, and of its children that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _kernel(plan: Plan, key: bytes) -> float:
    """Seconds a row of masking one block."""
    rows = min(TRIED, plan.sample.counts.sum())
    table = drawn(plan, max(int(rows), min(plan.asked.k, plan.rows)))
    if len(table) < plan.asked.k:
        return 0.0
    return _tried(
        lambda: blocks.published(plan, blocks.formed(plan, table, key, across=True)), len(table)
    )


def _changing(plan: RowPlan, stage: Stage) -> float:
    """Seconds a row of changing some records."""
    table = plan.sample.drawn(TRIED)
    return _tried(lambda: plan.change.of_piece(plan.asked, table, stage, "tried"), len(table))


def _tried(work: Callable[[], object], rows: int) -> float:
    found = []
    for _ in range(2):
        begin = time.process_time()
        work()
        found.append(time.process_time() - begin)
    return float(np.min(found)) / rows
