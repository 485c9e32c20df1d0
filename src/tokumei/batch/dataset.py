"""The way of a data set: counted, routed, masked, scattered, judged, published."""

from __future__ import annotations

import json
import math
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any

import tokumei
from tokumei._check import Run
from tokumei.batch import (
    borders,
    classes,
    folders,
    homes,
    judged,
    places,
    room,
    route,
    scatter,
    soundness,
    uploads,
    verdict,
)
from tokumei.batch.altered import by_records, counted_classes
from tokumei.batch.asked import SIZES, Sizes
from tokumei.batch.asking import plan_of
from tokumei.batch.delimited import CsvFolder
from tokumei.batch.gate import Facts
from tokumei.batch.hashes import derived
from tokumei.batch.passes import Done, passed, planned, scattered, share_of
from tokumei.batch.pieces import Source
from tokumei.batch.plan import Plan
from tokumei.batch.source import decoded, left_out_of, opened
from tokumei.batch.stage import Stage
from tokumei.batch.storage import Storage, Where
from tokumei.batch.uploads import Upload
from tokumei.batch.workers import Workers, told, workers
from tokumei.release import audit
from tokumei.release.errors import InputError, Refused
from tokumei.release.io import staging
from tokumei.release.job import Job
from tokumei.release.mask.step import Microaggregate
from tokumei.release.phases import counted, phase
from tokumei.release.release import Audit, Release


@dataclass(frozen=True)
class How:
    """How a data set is gone through; it changes nothing of what is released but the order."""

    consume: bool = False
    cluster: Any = None
    sizes: Sizes = SIZES
    memory_limit: float | None = None  # GiB
    secret: bytes | None = field(default=None, repr=False)  # a key of encryption at rest
    storage: Mapping[str, Any] | None = field(default=None, repr=False)  # the options of URLs
    staging: Path | None = None  # in which what goes to a URL is made

    def within(self, job: Job) -> tuple[How, Job]:
        """Tasks so small, and so few at once, that the limit of memory is kept."""
        if self.memory_limit is None:
            return self, job
        sizes, threads = self.sizes.within(self.memory_limit * 2**30, job.run.n_threads)
        return replace(self, sizes=sizes), replace(job, run=replace(job.run, n_threads=threads))


def from_dataset(
    source: Source | Where, target: Path | Upload, job: Job, how: How | None = None
) -> Release:
    """From the files of a folder, or what a callable makes, to the files of another folder."""
    how, job = (how or How()).within(job)
    _check_storage(source, how)
    local = uploads.local(target)
    places.check_target(source, local)
    with staging.resumable(local) as folder, counted() as times:
        if isinstance(target, Upload):
            uploads.check(source, target, folder)
        stage = Stage(folder, how.secret)
        given = _opened(stage, source, job, how)
        try:
            record = _made(stage, given, in_its_format(given, job), how)
        except Refused as refusal:
            staging.publish_refusal(folder, local, audit.text(refusal.audit))
            raise
        shown = audit.public(record)
        record["run"]["seconds"] = times.rounded()
        record["run"]["processor"] = {n: float(f"{s:.3g}") for n, s in times.processor.items()}
        texts = audit.sealed(shown), audit.sealed(record)
        if isinstance(target, Upload):
            uploads.publish(stage, target, *texts, job.run)
        else:
            places.publish(folder, target, *texts)
    return Release(target.where.url if isinstance(target, Upload) else target, shown, record)


def _check_storage(source: object, how: How) -> None:
    """Refuse what is done to files of a disk alone."""
    if not isinstance(source, Storage):
        return
    if how.consume:
        msg = "the files of a URL are not consumed; remove them when they have been released"
        raise InputError(msg)
    if how.secret is not None:
        msg = "the files of a URL are fetched onto the disk as they are, so nothing is encrypted"
        raise InputError(msg)


def in_its_format(source: object, job: Job) -> Job:
    """A job that says how the files are written: as those that are read, where nothing is said."""
    files = job.output.files or ("csv" if isinstance(source, CsvFolder) else "parquet")
    return replace(job, output=replace(job.output, files=files))


def in_blocks(job: Job) -> bool:
    """Whether records are grouped, for which they are routed; others change one by one."""
    return len(job.steps) != 1 or isinstance(job.steps[0], Microaggregate)


def of_job(job: Job, how: How | None = None) -> Release:
    """The release of a job whose source is a folder."""
    if job.source.path is None or job.output.path is None:
        msg = "the job names no folder to read, or none to write"
        raise InputError(msg)
    how = how or How()
    ends = uploads.ends_of(job.source.path, job.output.path, how.staging, how.storage)
    return from_dataset(*ends, job, how)


def _made(stage: Stage, source: Source | CsvFolder, job: Job, how: How) -> Audit:
    """Everything but its place: the files are in the stage, and no check has failed."""
    with workers(job.run.n_threads, how.cluster) as hands:
        if isinstance(source, CsvFolder):
            run, most = share_of(job, "reading"), how.sizes.task_bytes
            with phase("reading"):
                room.check_decoding(stage, source, job)
                source = decoded(stage, source, job, most, hands, run)
        way = _in_blocks if in_blocks(job) else by_records
        done = way(stage, source, job, how, hands)
    asked = done.plan.asked
    described = {"format": "files", "files": len({piece.name for piece in source.pieces})}
    record = audit.record(
        asked.job,
        asked.roles,
        {**described, "rows": done.plan.rows, "columns": len(source.types)},
        done.checks,
        output=places.described(done.plan, done.parts),
        achieved=done.achieved,
    )
    if record["verdict"] != "released":
        raise audit.refused(record)
    job.run.tell(1.0)
    return record


def _in_blocks(stage: Stage, source: Source, job: Job, how: How, hands: Workers) -> Done:
    """Records masked, in blocks of neighbours."""
    plan = _planned(stage, source, job, how, hands)
    room.check(plan, stage, source, job, how.consume)
    slim = plan.slim
    if plan.asked.household:
        with phase("gathering households"):
            source = _gathered(stage, slim, source, hands, how)
    with phase("routing"):
        run = share_of(job, "routing")
        routed = passed(route.route, stage, slim, source, hands, how.consume, run)
    attacked = hands.aside(verdict.attacks, plan)  # they know of nothing but the plan
    with phase("masking"):
        facts, runs = _masked(stage, slim, source, routed, hands, share_of(job, "masking"))
    with phase("scattering"):
        parts = scattered(stage, slim, runs, hands, share_of(job, "scattering"))
    with phase("checking"):
        checks = verdict.checks(plan, routed, facts, parts)
        if plan.asked.of_classes:
            of_all = classes.together(plan, counted_classes(stage, slim, hands))[2]
            checks += judged.of_models(plan.asked.job.privacy, of_all)
    if all(check.passed for check in checks):
        with phase("attacking"):
            checks += attacked()
    return Done(plan, checks, parts, _achieved(plan, facts))


def _planned(stage: Stage, source: Source, job: Job, how: How, hands: Workers) -> Plan:
    key = stage.key("sample")
    plan: Plan = planned(stage, job, lambda job: plan_of(source, job, how.sizes, key, hands))
    return plan


def _gathered(stage: Stage, plan: Plan, source: Source, hands: Workers, how: How) -> Source:
    """Households brought together."""
    passed(homes.gather, stage, plan, source, hands, how.consume, plan.asked.job.run)
    given = tuple(piece.number for piece in source.pieces)
    return homes.Homes(stage, plan.asked, given, source.types, count=plan.buckets)


def _masked(
    stage: Stage,
    plan: Plan,
    source: Source,
    routed: Sequence[dict[str, Any]],
    hands: Workers,
    run: Run,
) -> tuple[Facts, list[int]]:
    pieces = [piece.number for piece in source.pieces]
    rows: dict[int, int] = {}
    for facts in routed:
        for block, count in facts["blocks"].items():
            rows[int(block)] = rows.get(int(block), 0) + count
    tasks = list(route.tasks_of(plan, rows))
    arguments = []
    for shelves in tasks:
        inside = range(plan.shelves[shelves[0]][0], plan.shelves[shelves[-1]][1])
        of_task = {block: rows[block] for block in inside if block in rows}
        arguments.append((stage, plan, pieces, shelves, of_task))
    found: dict[int, Facts] = {}
    costs: Counter[int] = Counter()
    for number, facts in told(hands, scatter.mask_shelves, arguments, run.part(0.0, 0.95)):
        costs.update({int(place): count for place, count in facts.pop("costs").items()})
        found[number] = Facts.of(facts)
    runs = [shelves[0] for shelves in tasks]
    dear = borders.dear_of(costs)
    left_over = [(stage, plan, first, dear) for first in runs]
    for number, facts in told(hands, scatter.mask_dearest, left_over, run.part(0.95, 1.0)):
        found[len(tasks) + number] = Facts.of(facts)
    again = [scatter.again_of(plan, first) for first in runs]
    held = (stage, plan, again, plan.asked.job.run.n_threads)
    for _, facts in hands.each(scatter.mask_held, [held]):
        found[2 * len(tasks)] = Facts.of(facts)
    every = [*runs, *again, len(plan.shelves)]
    return reduce(Facts.__add__, (found[n] for n in sorted(found)), Facts()), every


def _achieved(plan: Plan, facts: Facts) -> dict[str, Any]:
    step = plan.asked.step
    total = sum(
        step.attribute_weights.get(a.name, 1.0) * plan.rows for a in plan.attributes if a.varies
    )
    return {
        "method": f"{step.method}, in blocks",
        "groups": facts.groups,
        "blocks": len(plan.tree),
        "loss_percent": 100.0 * math.fsum(facts.lost) / total if total else 0.0,
        "classes": facts.classes,
        **({"resolution": plan.resolutions} if plan.resolutions else {}),
    }


def _opened(stage: Stage, source: Source | Where, job: Job, how: How) -> Source | CsvFolder:
    """The source, and a stage that is for this job on it: what another left is taken away."""
    consumed = how.consume and (stage.path / "plan").exists()
    if consumed:
        source = stage.load("source")
    if how.secret is not None and isinstance(source, Where) and folders.is_csv(source):
        msg = "CSV is decoded onto the disk as it is; write Parquet to have it encrypted"
        raise InputError(msg)
    if isinstance(source, Where):
        soundness.look(stage, source, left_out_of(job), job.run)
    found: Source | CsvFolder = (
        source if not isinstance(source, Where) else opened(source, how.sizes.task_bytes)
    )
    asked = {
        "job": job.sha256,
        "source": None if how.consume else found.fingerprint(),
        "version": tokumei.__version__,
        "sizes": list(how.sizes.__dict__.values()),
        "sealed": "" if how.secret is None else derived(how.secret, "told apart").hex(),
    }
    try:
        same = json.loads((stage.path / "asked.json").read_text()) == json.loads(json.dumps(asked))
    except (OSError, ValueError):
        same = False
    if not same:
        for each in stage.path.iterdir():
            if each.is_dir():
                shutil.rmtree(each)
            elif each.name not in ("owner", "resumes", soundness.DONE, uploads.NOTE):
                each.unlink()
        with stage.whole_file("asked.json") as file:
            file.write(json.dumps(asked).encode())
    stage.tidy()
    stage.make_key()
    if how.consume and not consumed:
        stage.keep("source", found)
    return found
