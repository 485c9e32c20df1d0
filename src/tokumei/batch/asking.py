"""A job on a data set: checked, and planned in one pass over all pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tokumei.batch import attributes
from tokumei.batch import plan as planning
from tokumei.batch.asked import Asked, Sizes
from tokumei.batch.pieces import Source
from tokumei.batch.plan import Plan
from tokumei.batch.source import in_one_notation
from tokumei.batch.workers import Workers, told
from tokumei.privacy import KAnonymity, LDiversity, MinHouseholds, PkAnonymity, TCloseness
from tokumei.release import audit, pipeline, schema
from tokumei.release.errors import InputError
from tokumei.release.gate.checks import unassigned
from tokumei.release.job import Job


def asked_of(job: Job, names: Sequence[str], sizes: Sizes) -> Asked:
    """A job on a data set with these columns, checked; what cannot be done in blocks is refused."""
    job.check()
    if len(job.steps) != 1:
        msg = "a data set goes through one step: microaggregate, recode or perturb"
        raise InputError(msg)
    step: Any = job.steps[0]
    _check_possible(job, step)
    wanted = {role: list(names) for role, names in step.named().items()}
    roles = schema.assign(list(names), job.schema.wanted(**wanted), needed=job.role)
    if roles.unassigned:
        check = unassigned(roles.unassigned, job.role)
        raise audit.refused(audit.record(job, roles, {"columns": len(names)}, [check]))
    pipeline.check_names(job, roles)
    kept = tuple(name for name in names if roles.roles[name] not in schema.NOT_RELEASED)
    for name in getattr(step, "strata", ()):
        if name not in names:
            msg = f"the table has no column {name!r}, named in strata"
            raise InputError(msg)
        if name not in kept:
            msg = f"column {name!r}, named in strata, is not released; a data set is routed by it"
            raise InputError(msg)
    return Asked(replace(job, run=job.run.silent()), roles, job.schema, kept, sizes)


def _check_possible(job: Job, step: Any) -> None:
    """Refuse what is not done to data sets."""
    models = {
        "microaggregate": "privacy models but k-anonymity, l-diversity, equal t and households",
        "recode": "privacy models but k-anonymity, l-diversity and t-closeness without a tree",
        "perturb": "another model",
    }[step.do]
    asked_for = {
        "keep_order": job.output.keep_order,
        "missing_counts_as='wildcard'": job.gate.missing == "wildcard",
        models: not all(_counted_of(model, step.do) for model in job.privacy),
        "a time limit": getattr(step, "time_limit", None) is not None,
        "a bound of the loss": getattr(step, "bound", None) is not None,
        "households": bool(job.schema.household) and step.do != "microaggregate",
        "model_loss": getattr(step, "model_loss", None) is not None,
        "suppress": getattr(step, "suppress", None) is not None,
        "a seed": getattr(step, "insecure_seed_for_tests", None) is not None,
    }
    for name, value in asked_for.items():
        if value:
            msg = f"a data set is worked on in pieces, which {name} cannot yet be asked of"
            raise InputError(msg)


def _counted_of(model: Any, do: str) -> bool:
    """Whether a model can be counted of a data set after that step."""
    if do == "microaggregate":
        # By total variation a group is no further from the table than from its block and that is.
        near = isinstance(model, TCloseness) and model.kind == "equal"
        return near or isinstance(model, KAnonymity | LDiversity | MinHouseholds)
    if do == "recode":
        flat = isinstance(model, TCloseness) and model.kind != "hierarchical"
        return flat or isinstance(model, KAnonymity | LDiversity)
    return isinstance(model, PkAnonymity)


def in_their_notation(asked: Asked, source: Source, job: Job, hands: Workers) -> Asked:
    """The same, and how its columns of texts are read."""
    types = source.types
    weight = [job.schema.weight] if job.schema.weight else []
    home = [asked.household] if asked.household else []
    used = list(dict.fromkeys([*asked.quasi, *weight, *home, *asked.strata]))
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
    asked = in_their_notation(asked_of(job, list(source.types), sizes), source, job, hands)
    pieces = [(asked, source, piece, key) for piece in source.pieces]
    found = None
    for _, one in told(hands, planning.counted, pieces, job.run):
        if one.rows:
            found = one if found is None else found.merged(one)
    if found is None:
        msg = "the data set has no rows"
        raise InputError(msg)
    return planning.planned(asked, found)
