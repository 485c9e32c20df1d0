"""A table masked: encode, partition, decode; and what the gate asks of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Floats, Labels
from tokumei.microaggregation import records
from tokumei.microaggregation.methods.by_name import choose_for
from tokumei.microaggregation.options import Search
from tokumei.microaggregation.partition import partition_of, task
from tokumei.microaggregation.search.rules import Sensitive, respected
from tokumei.privacy import KAnonymity, MinHouseholds
from tokumei.release.errors import InputError
from tokumei.release.gate import checks as gate
from tokumei.release.gate.answers import Check
from tokumei.release.gate.candidate import Candidate, Expected
from tokumei.release.gate.origin import Origin
from tokumei.release.io import frames
from tokumei.release.io.written import Written
from tokumei.release.job import Job
from tokumei.release.mask import decode, encode
from tokumei.release.mask.above_least import above_least_percent
from tokumei.release.mask.moments import Moments
from tokumei.release.mask.quasi_identifiers import Groups, NumericColumn, QuasiIdentifier
from tokumei.release.mask.step import Microaggregate
from tokumei.release.schema import Columns, Schema


@dataclass(frozen=True)
class Draft:
    """A masked table that nobody has judged yet, and what it was made of."""

    job: Job
    step: Microaggregate
    roles: Schema
    quasi: list[QuasiIdentifier]
    records: records.Table
    labels: Labels
    cut: bool
    made: dict[str, Any]
    frame: frames.Frame

    @property
    def columns(self) -> Columns:
        return self.job.schema

    @property
    def settled(self) -> Microaggregate:
        return self.step

    def examine(self, written: Written, origin: Origin, spill: Path | None) -> list[Check]:
        original = pa.table([one.original() for one in self.quasi], names=self.roles.of("quasi"))
        expected = [_expected(one, self.step.missing) for one in self.quasi]
        return gate.examine(
            Candidate.of(
                self.job,
                written,
                self.roles,
                original,
                origin,
                spill,
                expected=expected,
                groups=self.labels,
            )
        )

    def achieved(self) -> dict[str, Any]:
        run = self.job.run.silent()
        groups = int(self.labels.max()) + 1
        total = records.sst_of(self.records, run)
        lost = records.sse_of(self.records, self.labels, groups, run)
        loss = lost / total if total else 0.0
        return {
            "method": _method(self.job, self.step, self.records),
            "groups": groups,
            "loss_percent": 100.0 * loss,
            **self._above_least(loss),
            **({} if self.step.time_limit is None else {"cut_by_time_limit": self.cut}),
        } | self._resolutions()

    def _above_least(self, loss: float) -> dict[str, Any]:
        """How far the loss is at most above the least possible one, where that is asked for."""
        if self.step.bound is None:
            return {}
        k, run = self.job.model(KAnonymity).k, self.job.run.silent()
        percent = above_least_percent(self.records, loss, k, self.step.bound, run)
        return {"above_least_percent": percent}

    def _resolutions(self) -> dict[str, Any]:
        """By what period columns of dates are published, where there are some."""
        forms = {one.name: getattr(one, "form", None) for one in self.quasi}
        by = {name: form.resolution for name, form in forms.items() if isinstance(form, Moments)}
        return {"resolution": by} if by else {}


def draft(job: Job, step: Microaggregate, roles: Schema, frame: frames.Frame) -> Draft:
    """The masking itself."""
    k = job.model(KAnonymity).k
    if k > len(frame):
        msg = f"k must be between 2 and the number of rows ({len(frame)}), got {k}"
        raise InputError(msg)
    for name in step.strata:
        if name not in frame.columns:
            msg = f"the table has no column {name!r}, named in strata"
            raise InputError(msg)
    columns, run = job.schema, job.run.silent()
    cells = frames.columns_of(frame, roles.of("quasi"))
    quasi = encode.quasi_identifiers(cells, columns, step, roles.notations)
    weights = encode.weights(frame, columns.weight)
    try:
        found = records.join(
            [one.in_records(step.missing, run) for one in quasi],
            len(frame),
            np.array([step.attribute_weights.get(one.name, 1.0) for one in quasi]),
        )
        grouping = task(
            found,
            k,
            **{each.name: getattr(step, each.name) for each in fields(Search)},
            record_weights=in_search(weights, step),
            strata=encode.joint(frame, step.strata),
            **_units(job, frame),
            run=job.run,
        )
        labels = partition_of(grouping)
        cut = grouping.end is not None and grouping.end.cut
        groups = Groups(labels, int(labels.max()) + 1, weights)
        published = {one.name: one.publish(groups, step.missing, run) for one in quasi}
    except ValueError as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    made = {name: one.in_arrow(cells.column(name)) for name, one in published.items()}
    return Draft(job, step, roles, quasi, found, labels, cut, made, decode.masked(frame, published))


def _units(job: Job, frame: frames.Frame) -> dict[str, Any]:
    """What the models of the job ask of every group, as `partition` takes it."""
    units: dict[str, Any] = {}
    apart = job.model(MinHouseholds)
    if job.schema.household:
        units["households"] = encode.joint(frame, [job.schema.household])
    if apart is not None:
        units["min_households"] = apart.count
    units["sensitive"] = tuple(_sought(job.privacy, frame)) or None
    return units


def _sought(models: Sequence[Any], frame: frames.Frame) -> Iterator[Sensitive]:
    """The models that the search can respect, each with its values; the gate judges all."""
    for model in models:
        if not respected(model):
            continue
        if getattr(model, "kind", "") == "ordered":
            values = encode.numbers_of(frame, model.column, "the sensitive one in an order")
        else:
            values = encode.joint(frame, [model.column])
        yield Sensitive.of(model, values)


def in_search(weights: Floats | None, step: Microaggregate) -> Floats | None:
    """Weights as "auto" takes them. Records of no weight would fill groups wherever they lie."""
    plain = step.method != "auto" or step.cost != "squares"
    return None if weights is None or plain or not (weights > 0).all() else weights


def _method(job: Job, step: Microaggregate, found: records.Table) -> str:
    # With strata, households or rules, "auto" does not begin alike with all of the table.
    if step.method != "auto" or step.strata or job.schema.household or len(job.privacy) > 1:
        return str(step.method)
    start = choose_for(found, job.model(KAnonymity).k)
    best = start == "univariate" and not job.schema.weight and step.cost == "squares"
    return start if best else f"{start}, refined"


def _expected(one: QuasiIdentifier, missing: str) -> Expected:
    may_miss = missing != "refuse"
    if one.how in ("interval", "set") or getattr(one, "source", None) is not None:
        return Expected(number=False, may_miss=may_miss)
    if isinstance(one, NumericColumn):
        return Expected(may_miss=may_miss)
    nodes = tuple(one.names) if one.how == "ancestor" else ()
    return Expected(number=False, may_miss=may_miss, known=nodes)
