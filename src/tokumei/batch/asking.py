"""A job on a data set: checked, and planned in one pass over all pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokumei.batch import attributes
from tokumei.batch import plan as planning
from tokumei.batch.asked import Asked, Sizes
from tokumei.batch.pieces import Source
from tokumei.batch.plan import Plan
from tokumei.batch.source import in_one_notation
from tokumei.batch.workers import Workers, told
from tokumei.privacy import KAnonymity, LDiversity, MinHouseholds
from tokumei.release import audit, pipeline, schema
from tokumei.release.errors import InputError
from tokumei.release.gate.checks import unassigned
from tokumei.release.job import Job
from tokumei.release.mask.step import Microaggregate


def asked_of(job: Job, names: Sequence[str], sizes: Sizes) -> Asked:
    """A job on a data set with these columns, checked; what cannot be done in blocks is refused."""
    job.check()
    if len(job.steps) != 1 or not isinstance(job.steps[0], Microaggregate):
        msg = "a data set is masked: a job of one step, microaggregate"
        raise InputError(msg)
    step = job.steps[0]
    asked_for = {
        "keep_order": job.output.keep_order,
        "missing_counts_as='wildcard'": job.gate.missing == "wildcard",
        "privacy models but k-anonymity, distinct l-diversity and min_households": not all(
            isinstance(model, KAnonymity | MinHouseholds)
            or (isinstance(model, LDiversity) and model.kind == "distinct")
            for model in job.privacy
        ),
        "a time limit": step.time_limit is not None,
    }
    for name, value in asked_for.items():
        if value:
            msg = f"a data set is masked in blocks, which {name} cannot yet be asked of"
            raise InputError(msg)
    assert isinstance(job.privacy[0], KAnonymity)
    wanted = job.schema.wanted()
    roles = schema.assign(list(names), wanted)
    if roles.unassigned:
        check = unassigned(roles.unassigned, job.role)
        raise audit.refused(audit.record(job, roles, {"columns": len(names)}, [check]))
    pipeline.check_names(job, roles)
    kept = tuple(name for name in names if roles.roles[name] not in schema.NOT_RELEASED)
    for name in step.strata:
        if name not in names:
            msg = f"the table has no column {name!r}, named in strata"
            raise InputError(msg)
        if name not in kept:
            msg = f"column {name!r}, named in strata, is not released; a data set is routed by it"
            raise InputError(msg)
    return Asked(replace(job, run=job.run.silent()), roles, job.schema, kept, sizes)


def _read(asked: Asked, source: Source, job: Job, hands: Workers) -> Asked:
    """The same, and how its columns of texts are read."""
    types = source.types
    weight = [job.schema.weight] if job.schema.weight else []
    home = [asked.household] if asked.household else []
    used = list(dict.fromkeys([*asked.quasi, *weight, *home, *asked.step.strata]))
    readings = in_one_notation(source, used, job, hands, job.run.silent())
    told_of = {name: one.notation for name, one in readings.items()}
    notations = {name: one for name, one in told_of.items() if one.missing or one.comma}
    found = {n: readings[n].type if n in readings else None for n in asked.quasi}
    kinds = {name: found[name] or types[name] for name in asked.quasi}
    return replace(
        asked,
        roles=replace(asked.roles, notations=notations),
        columns=attributes.resolved(asked.columns, kinds, readings),
        readings=readings,
    )


def plan_of(source: Source, job: Job, sizes: Sizes, key: bytes, hands: Workers) -> Plan:
    """One pass over all pieces, in any order; the statistics are the same in each."""
    asked = _read(asked_of(job, list(source.types), sizes), source, job, hands)
    pieces = [(asked, source, piece, key) for piece in source.pieces]
    found = None
    for _, one in told(hands, planning.counted, pieces, job.run):
        if one.rows:
            found = one if found is None else found.merged(one)
    if found is None:
        msg = "the data set has no rows"
        raise InputError(msg)
    return planning.planned(asked, found)
