"""The way of a data set whose records change one by one: counted, changed, scattered, judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokumei.batch import classes, equals, judged, room, rowwise, verdict
from tokumei.batch.asked import Asked, Sizes
from tokumei.batch.asking import asked_of, in_their_notation
from tokumei.batch.passes import Done, passed, planned, scattered, share_of
from tokumei.batch.perturbing import Perturbing
from tokumei.batch.pieces import Source
from tokumei.batch.recoding import Recoding, with_shares
from tokumei.batch.rowwise import Change, Found, RowPlan
from tokumei.batch.stage import Stage
from tokumei.batch.workers import Workers, told
from tokumei.release.errors import InputError
from tokumei.release.job import Job
from tokumei.release.perturb.step import Perturb
from tokumei.release.phases import phase


def by_records(stage: Stage, source: Source, job: Job, how: Any, hands: Workers) -> Done:
    """Records recoded or perturbed."""
    plan = _planned(stage, source, job, how, hands)
    room.check(plan, stage, source, job, how.consume)
    slim = plan.slim
    if plan.change.draws:
        with phase("gathering records"):
            source = _gathered(stage, slim, source, job, hands, how)
    with phase(plan.asked.step.do):
        altered = passed(
            rowwise.alter, stage, slim, source, hands, how.consume, share_of(job, "masking")
        )
    with phase("scattering"):
        runs = [piece.number for piece in source.pieces]
        parts = scattered(stage, slim, runs, hands, share_of(job, "scattering"))
    with phase("checking"):
        found = (
            counted_classes(stage, slim, hands) if plan.asked.job.privacy and plan.recodes else []
        )
        checks = judged.checks(plan, altered, parts, found)
    if plan.recodes and all(check.passed for check in checks):
        with phase("attacking"):
            checks += verdict.attacked(plan, plan.asked.step, plan.sample.drawn(verdict.ATTACKED))
    return Done(plan, checks, parts, judged.achieved(plan, altered))


def counted_classes(stage: Stage, plan: Any, hands: Workers) -> list[dict[str, Any]]:
    """What is asked of classes, bucket by bucket."""
    every = [(stage, plan, part) for part in range(plan.parts)]
    by_part = dict(hands.each(classes.of_part, every))
    of_part = [by_part[part] for part in range(plan.parts)]
    whole = classes.whole_of(plan, of_part)
    buckets = [(stage, plan, bucket, whole) for bucket in range(of_part[0]["buckets"])]
    found = dict(hands.each(classes.of_bucket, buckets))
    return [found[bucket] for bucket in range(len(buckets))]


def _planned(stage: Stage, source: Source, job: Job, how: Any, hands: Workers) -> RowPlan:
    key = stage.key("sample")
    plan: RowPlan = planned(stage, job, lambda job: plan_of(source, job, how.sizes, key, hands))
    return plan


def plan_of(source: Source, job: Job, sizes: Sizes, key: bytes, hands: Workers) -> RowPlan:
    """One pass over all pieces, in any order; what is counted is the same in each."""
    asked = in_their_notation(asked_of(job, list(source.types), sizes), source, job, hands)
    change: Change
    if isinstance(asked.step, Perturb):
        change = Perturbing()
    else:
        change, asked = Recoding(), _with_shares(asked)
    pieces = [(asked, change, source, piece, key) for piece in source.pieces]
    found: Found | None = None
    for _, one in told(hands, rowwise.count, pieces, job.run):
        if one.rows:
            found = one if found is None else found.merged(one)
    if found is None:
        msg = "the data set has no rows"
        raise InputError(msg)
    return rowwise.planned(asked, change, found)


def _gathered(
    stage: Stage, plan: RowPlan, source: Source, job: Job, hands: Workers, how: Any
) -> Source:
    """Equal records brought together, so that what they draw does not go by their files."""
    run = share_of(job, "routing")
    found = passed(equals.gather, stage, plan, source, hands, how.consume, run)
    return equals.Equals.of(stage, plan, source, found)


def _with_shares(asked: Asked) -> Asked:
    step = with_shares(asked.step, asked.quasi)
    return replace(asked, job=replace(asked.job, steps=(step,)))
