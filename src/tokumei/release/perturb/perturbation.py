"""A table perturbed and judged: schema, noise; gate and audit."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from tokumei import noise
from tokumei.noise import Attribute, GeneratorError, Perturbed
from tokumei.noise.perturbed import describe
from tokumei.noise.table import perturb_of
from tokumei.privacy import PkAnonymity
from tokumei.release import audit, schema
from tokumei.release.errors import InputError, as_input_error, counted
from tokumei.release.gate import checks as gate
from tokumei.release.gate import perturbed as perturb_gate
from tokumei.release.io import frames
from tokumei.release.io.written import Written
from tokumei.release.job import Job
from tokumei.release.release import Audit
from tokumei.values.column import Column


@dataclasses.dataclass(frozen=True)
class Draft:
    """A perturbed table that nobody has looked at yet, and what it was made of."""

    job: Job
    source: dict[str, Any]
    roles: schema.Schema
    original: Any
    perturbed: Perturbed
    released: frames.Frame


def draft(job: Job, frame: frames.Frame, source: dict[str, Any]) -> Draft:
    """The perturbation itself."""
    step = job.step
    wanted = job.schema.wanted(perturbed=list(step.attributes))
    roles = schema.assign(frame.columns, wanted, needed="perturbed")
    source = source | {"rows": len(frame), "columns": len(frame.columns)}
    if roles.unassigned:
        check = gate.unassigned(roles.unassigned, perturb_gate.ADVICE)
        raise audit.refused(audit.record(job, roles, source, [check]))
    if not len(frame):
        msg = "the table has no rows"
        raise InputError(msg)
    names = roles.of("perturbed")
    columns = frames.columns_of(frame, names)
    values = [
        _values(name, column, step.attributes[name])
        for name, column in zip(names, columns.columns, strict=True)
    ]
    try:
        perturbed = perturb_of(
            values,
            [step.attributes[name] for name in names],
            job.model(PkAnonymity).k,
            names=names,
            clip=step.clip,
            bounds=step.bounds,
            keep_order=job.output.keep_order,
            run=job.run,
            insecure_seed_for_tests=step.insecure_seed_for_tests,
        )
    except (TypeError, ValueError, GeneratorError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    return Draft(job, source, roles, columns, perturbed, _released(frame, roles, perturbed))


def _values(name: str, column: Any, attribute: Attribute) -> Any:
    """Numbers, NaN where there is none; or categories, None where there is none."""
    with as_input_error(f"column {name!r} cannot be read"):
        read = Column(column)
        if attribute.categories is None:
            values, invalid = read.asked_for_numbers()
        else:
            as_text = all(isinstance(value, str) for value in attribute.categories)
            known = [str(value) if as_text else value for value in read.categories]
            values, invalid = np.array([*known, None], dtype=object)[read.codes], 0
    if invalid:
        not_numbers = "that is not a number" if invalid == 1 else "that are not numbers"
        msg = f"column {name!r} has {counted(invalid, 'cell')} {not_numbers}"
        raise InputError(msg)
    return values


def _released(frame: frames.Frame, roles: schema.Schema, done: Perturbed) -> frames.Frame:
    """The table to publish: the perturbed columns, in the order in which they came."""
    with as_input_error("the perturbed table cannot be put together"):
        columns = [
            _column(frame, name, values, attribute, channels[0])
            for name, values, attribute, channels in zip(
                roles.of("perturbed"), done.columns, done.attributes, done.channels, strict=True
            )
        ]
        kept = frame.select(roles.of("perturbed")).with_columns(columns)
        return frames.remade(kept)


def _column(
    frame: frames.Frame, name: str, values: Any, attribute: Attribute, channel: noise.Channel
) -> Any:
    # The type follows from what is publicly known, never from the values.
    backend = frame.implementation
    if attribute.categories is not None:
        as_text = all(isinstance(value, str) for value in attribute.categories)
        kind = nw.String() if as_text else None
        return nw.new_series(name, values.tolist(), dtype=kind, backend=backend)
    if attribute.flags_missing:
        cells = [None if np.isnan(value) else value for value in values.tolist()]
        return nw.new_series(name, cells, dtype=nw.Float64(), backend=backend)
    if channel.integer and channel.lattice == 1.0:
        whole = values.astype(np.int64).tolist()
        return nw.new_series(name, whole, dtype=nw.Int64(), backend=backend)
    return nw.new_series(name, values.tolist(), dtype=nw.Float64(), backend=backend)


def audit_draft(
    draft: Draft, written: Written, output: dict[str, Any], spill: Path | None
) -> Audit:
    """The audit: every check of what can be read back, and what was achieved."""
    job, done = draft.job, draft.perturbed
    evidence = perturb_gate.Evidence(
        written,
        draft.roles,
        draft.original,
        job.privacy,
        done,
        n_threads=job.run.n_threads,
        spill=spill,
    )
    checks = perturb_gate.examine(evidence)
    achieved = {
        "status": done.status,
        "k": done.k,
        "epsilon": done.epsilon,
        "columns": {
            name: _described(asked, attribute, channels)
            for (name, asked), attribute, channels in zip(
                ((name, job.step.attributes[name]) for name in draft.roles.of("perturbed")),
                done.attributes,
                done.channels,
                strict=True,
            )
        },
        "warnings": list(done.warnings),
    }
    return audit.record(job, draft.roles, draft.source, checks, output=output, achieved=achieved)


def _described(
    asked: Attribute, attribute: Attribute, channels: tuple[noise.Channel, ...]
) -> dict[str, Any]:
    shown = describe(attribute, channels)
    if not asked.bounded:  # the bounds are values of the data
        shown |= {"lower": None, "upper": None}
    return shown
