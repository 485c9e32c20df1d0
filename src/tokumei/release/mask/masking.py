"""A table masked and judged: schema, encode, partition, decode; gate and audit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Floats, Labels
from tokumei.loss.groups.squares import sse_of, sst_of
from tokumei.microaggregation import choose, embed
from tokumei.microaggregation.partition import partition_of, task
from tokumei.release import audit, schema
from tokumei.release import pipeline as way
from tokumei.release.errors import InputError
from tokumei.release.gate import checks as gate
from tokumei.release.gate.evidence import Evidence, Expected
from tokumei.release.io import frames
from tokumei.release.io.written import Written
from tokumei.release.job import Job, check_names, check_rows
from tokumei.release.mask import decode, encode
from tokumei.release.mask.attributes import Attribute, Groups, Numbers
from tokumei.release.pipeline import Release


@dataclass(frozen=True)
class Made:
    """A masked table that nobody has looked at yet, and what it was made of."""

    job: Job
    source: dict[str, Any]
    roles: schema.Schema
    attributes: list[Attribute]
    coordinates: Floats
    labels: Labels
    released: frames.Frame


def mask_frame(table: object, job: Job) -> Release:
    """From a dataframe to a dataframe."""
    return way.from_frame(table, partial(_make, job), _judge)


def mask_path(source: Path, target: Path, delimiter: str | None, job: Job) -> Release:
    """From a file to a file."""
    return way.from_file(source, target, delimiter, partial(_make, job), _judge)


def _make(job: Job, frame: frames.Frame, source: dict[str, Any]) -> Made:
    """The masking itself."""
    roles = schema.assign(frame.columns, job.roles)
    source = source | {"rows": len(frame), "columns": len(frame.columns)}
    if roles.unassigned:
        raise way.refused(audit.record(job, roles, source, [gate.unassigned(roles.unassigned)]))
    check_rows(len(frame), job.k)
    check_names(job, frame.columns, roles.of("quasi"))
    attributes = encode.attributes(frames.columns_of(frame, roles.of("quasi")), job)
    weights = encode.weights(frame, job)
    try:
        coordinates = embed.join(
            [attribute.coordinates(job.missing, job.run) for attribute in attributes],
            np.array([job.attribute_weights.get(a.name, 1.0) for a in attributes]),
        )
        asked = task(
            coordinates,
            job.k,
            method=job.method,
            effort=job.effort,
            record_weights=_in_search(weights, job),
            strata=encode.joint(frame, job.strata),
            households=encode.joint(frame, [job.household] if job.household else []),
            run=job.run,
        )
        labels = partition_of(asked)
        groups = Groups(labels, int(labels.max()) + 1, weights)
        masked = {a.name: a.publish(groups, job.missing, job.run.silent()) for a in attributes}
    except ValueError as error:  # these messages are the library's own
        raise InputError(str(error)) from None

    released = decode.release(frame, roles, masked, keep_order=job.keep_order)
    return Made(job, source, roles, attributes, coordinates, labels, released)


def _in_search(weights: Floats | None, job: Job) -> Floats | None:
    """Weights as "auto" takes them. Records of no weight would fill groups wherever they lie."""
    if weights is None or job.method != "auto" or not (weights > 0).all():
        return None
    return weights


def _judge(
    made: Made, written: Written, output: dict[str, Any], spill: Path | None
) -> dict[str, Any]:
    """The audit: every check of what can be read back, and what was achieved."""
    job, run = made.job, made.job.run.silent()
    evidence = Evidence(
        written,
        made.roles,
        pa.table([a.original() for a in made.attributes], names=made.roles.of("quasi")),
        job.k,
        n_threads=run.n_threads,
        spill=spill,
        expected=[_expected(attribute, job.missing) for attribute in made.attributes],
    )
    checks = gate.examine(evidence)
    groups = int(made.labels.max()) + 1
    total = sst_of(made.coordinates, run)
    lost = sse_of(made.coordinates, made.labels, groups, run)
    achieved = {
        "method": _method(job, made.coordinates),
        "groups": groups,
        "loss_percent": 100.0 * lost / total if total else 0.0,
    }
    return audit.record(job, made.roles, made.source, checks, output=output, achieved=achieved)


def _method(job: Job, coordinates: Floats) -> str:
    # With strata or households, "auto" does not begin alike with all of the table.
    if job.method != "auto" or job.strata or job.household:
        return job.method
    rows, columns = coordinates.shape
    start = choose(rows, columns, job.k)
    return start if start == "univariate" and not job.weight else f"{start}, refined"


def _expected(attribute: Attribute, missing: str) -> Expected:
    may_miss = missing != "refuse"
    if attribute.how in ("interval", "set"):
        return Expected(number=False, may_miss=may_miss)
    if isinstance(attribute, Numbers):
        return Expected(may_miss=may_miss)
    nodes = tuple(attribute.names) if attribute.how == "ancestor" else ()
    return Expected(number=False, may_miss=may_miss, known=nodes)
