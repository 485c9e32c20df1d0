"""A table masked and judged: schema, encode, partition, decode; gate and audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Floats, Labels
from tokumei.microaggregation import records
from tokumei.microaggregation.methods.by_name import choose_for
from tokumei.microaggregation.partition import partition_of, task
from tokumei.privacy import KAnonymity, LDiversity, MinHouseholds, TCloseness
from tokumei.release import audit, schema
from tokumei.release.errors import InputError
from tokumei.release.gate import checks as gate
from tokumei.release.gate.evidence import Evidence, Expected
from tokumei.release.io import frames
from tokumei.release.io.written import Written
from tokumei.release.job import Job
from tokumei.release.mask import decode, encode
from tokumei.release.mask.attributes import Attribute, Groups, Numbers
from tokumei.release.release import Audit


@dataclass(frozen=True)
class Draft:
    """A masked table that nobody has looked at yet, and what it was made of."""

    job: Job
    source: dict[str, Any]
    roles: schema.Schema
    attributes: list[Attribute]
    records: records.Table
    labels: Labels
    released: frames.Frame


def draft(job: Job, frame: frames.Frame, source: dict[str, Any]) -> Draft:
    """The masking itself."""
    step, columns = job.step, job.schema
    roles = schema.assign(frame.columns, columns.wanted())
    source = source | {"rows": len(frame), "columns": len(frame.columns)}
    if roles.unassigned:
        raise audit.refused(audit.record(job, roles, source, [gate.unassigned(roles.unassigned)]))
    k = job.model(KAnonymity).k
    _check_rows(len(frame), k)
    _check_names(job, frame.columns, roles.of("quasi"))
    attributes = encode.attributes(frames.columns_of(frame, roles.of("quasi")), columns, step)
    weights = encode.weights(frame, columns.weight)
    try:
        found = records.join(
            [attribute.in_records(step.missing, job.run.silent()) for attribute in attributes],
            len(frame),
            np.array([step.attribute_weights.get(a.name, 1.0) for a in attributes]),
        )
        asked = task(
            found,
            k,
            method=step.method,
            effort=step.effort,
            cost=step.cost,
            random_state=step.random_state,
            time_limit=step.time_limit,
            record_weights=_in_search(weights, step),
            strata=encode.joint(frame, step.strata),
            **_units(job, frame),
            run=job.run,
        )
        labels = partition_of(asked)
        groups = Groups(labels, int(labels.max()) + 1, weights)
        masked = {a.name: a.publish(groups, step.missing, job.run.silent()) for a in attributes}
    except ValueError as error:  # these messages are the library's own
        raise InputError(str(error)) from None

    released = decode.release(frame, roles, masked, keep_order=job.output.keep_order)
    return Draft(job, source, roles, attributes, found, labels, released)


def _units(job: Job, frame: frames.Frame) -> dict[str, Any]:
    """What the models of the job ask of every group, as `partition` takes it."""
    asked: dict[str, Any] = {}
    diverse, close, apart = map(job.model, (LDiversity, TCloseness, MinHouseholds))
    spoken_of = {model.column for model in (diverse, close) if model is not None}
    if len(spoken_of) > 1:
        msg = "l-diversity and t-closeness must speak of one column; more are judged, not sought"
        raise InputError(msg)
    if job.schema.household:
        asked["households"] = encode.joint(frame, [job.schema.household])
    if apart is not None:
        asked["min_households"] = apart.count
    for name in spoken_of:
        ordered = close is not None and close.kind == "ordered"
        asked["sensitive"] = (
            encode.numbers_of(frame, name, "the sensitive one in an order")
            if ordered
            else encode.joint(frame, [name])
        )
        asked["t_kind"] = "ordered" if ordered else "equal"
        asked["l_diversity"] = None if diverse is None else diverse.l
        asked["t_closeness"] = None if close is None else close.t
    return asked


def _in_search(weights: Floats | None, step: Any) -> Floats | None:
    """Weights as "auto" takes them. Records of no weight would fill groups wherever they lie."""
    plain = step.method != "auto" or step.cost != "squares"
    return None if weights is None or plain or not (weights > 0).all() else weights


def audit_draft(
    draft: Draft, written: Written, output: dict[str, Any], spill: Path | None
) -> Audit:
    """The audit: every check of what can be read back, and what was achieved."""
    job, run = draft.job, draft.job.run.silent()
    evidence = Evidence(
        written,
        draft.roles,
        pa.table([a.original() for a in draft.attributes], names=draft.roles.of("quasi")),
        job.privacy,
        n_threads=run.n_threads,
        spill=spill,
        expected=[_expected(attribute, job.step.missing) for attribute in draft.attributes],
    )
    checks = gate.examine(evidence)
    groups = int(draft.labels.max()) + 1
    total = records.sst_of(draft.records, run)
    lost = records.sse_of(draft.records, draft.labels, groups, run)
    achieved = {
        "method": _method(job, draft.records),
        "groups": groups,
        "loss_percent": 100.0 * lost / total if total else 0.0,
    }
    return audit.record(job, draft.roles, draft.source, checks, output=output, achieved=achieved)


def _method(job: Job, found: records.Table) -> str:
    step = job.step
    # With strata, households or rules, "auto" does not begin alike with all of the table.
    if step.method != "auto" or step.strata or job.schema.household or len(job.privacy) > 1:
        return str(step.method)
    start = choose_for(found, job.model(KAnonymity).k)
    best = start == "univariate" and not job.schema.weight and step.cost == "squares"
    return start if best else f"{start}, refined"


def _expected(attribute: Attribute, missing: str) -> Expected:
    may_miss = missing != "refuse"
    if attribute.how in ("interval", "set"):
        return Expected(number=False, may_miss=may_miss)
    if isinstance(attribute, Numbers):
        return Expected(may_miss=may_miss)
    nodes = tuple(attribute.names) if attribute.how == "ancestor" else ()
    return Expected(number=False, may_miss=may_miss, known=nodes)


def _check_names(job: Job, columns: Sequence[str], quasi: Sequence[str]) -> None:
    """Refuse options that speak of columns that are not there, or not quasi-identifiers."""
    for option, about in (
        ("kinds", job.schema.kinds),
        ("orders", job.schema.orders),
        ("trees", job.schema.trees),
        ("represent", job.step.represent),
        ("attribute_weights", job.step.attribute_weights),
    ):
        for name in about:
            if name not in quasi:
                msg = f"{option} names {name!r}, which is not a quasi-identifier"
                raise InputError(msg)
    for name, kind in job.schema.kinds.items():
        if kind == "tree" and name not in job.schema.trees:
            msg = f"column {name!r} is to be a tree, but no tree is given for it"
            raise InputError(msg)
    for name in job.step.strata:
        if name not in columns:
            msg = f"the table has no column {name!r}, named in strata"
            raise InputError(msg)


def _check_rows(rows: int, k: int) -> None:
    """Refuse a table with too few rows for one group."""
    if rows == 0:
        msg = "the table has no rows"
        raise InputError(msg)
    if k > rows:
        msg = f"k must be between 2 and the number of rows ({rows}), got {k}"
        raise InputError(msg)
