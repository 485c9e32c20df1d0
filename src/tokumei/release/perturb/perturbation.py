"""A table perturbed; and what the gate asks of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa

from tokumei import noise
from tokumei.noise import Attribute, GeneratorError, Perturbed
from tokumei.noise.perturbed import describe
from tokumei.noise.table import perturb_of
from tokumei.privacy import PkAnonymity
from tokumei.release.errors import InputError, as_input_error, counted
from tokumei.release.gate import perturbed as gate
from tokumei.release.gate.answers import Check
from tokumei.release.gate.origin import Origin
from tokumei.release.io import frames
from tokumei.release.io.written import Written
from tokumei.release.job import Job
from tokumei.release.perturb.linkage import measured
from tokumei.release.perturb.step import Perturb
from tokumei.release.schema import Columns, Schema
from tokumei.values.column import Column


@dataclass(frozen=True)
class Draft:
    """A perturbed table that nobody has judged yet, and what it was made of."""

    job: Job
    step: Perturb
    roles: Schema
    original: Any
    perturbed: Perturbed
    frame: frames.Frame
    values: Sequence[Any]

    @property
    def columns(self) -> Columns:
        return self.job.schema

    @property
    def settled(self) -> Perturb:
        return self.step

    @property
    def made(self) -> dict[str, Any]:
        columns = zip(self.roles.of("perturbed"), self.perturbed.columns, strict=True)
        return {name: pa.array(values, from_pandas=True) for name, values in columns}

    def examine(self, written: Written, origin: Origin, spill: Path | None) -> list[Check]:
        candidate = gate.PerturbedCandidate.of(
            self.job, written, self.roles, self.original, origin, spill, perturbed=self.perturbed
        )
        return gate.examine(candidate)

    def achieved(self) -> dict[str, Any]:
        done = self.perturbed
        public = [self.step.attributes[name] for name in self.roles.of("perturbed")]
        through = zip(done.attributes, done.channels, strict=True)
        shown = [described(known, *each) for known, each in zip(public, through, strict=True)]
        linkage = None
        if not (done.warnings or self.job.output.keep_order):
            linkage = measured(self.values, done)
        return {
            "status": done.status,
            "k": done.k,
            "epsilon": done.epsilon,
            "columns": dict(zip(self.roles.of("perturbed"), shown, strict=True)),
            "warnings": list(done.warnings),
        } | ({} if linkage is None else {"linkage": linkage})


def draft(job: Job, step: Perturb, roles: Schema, frame: frames.Frame) -> Draft:
    """The perturbation itself."""
    names = roles.of("perturbed")
    columns = frames.columns_of(frame, names)
    values = [
        values_of(name, column, step.attributes[name])
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
    return Draft(job, step, roles, columns, perturbed, _released(frame, names, perturbed), values)


def values_of(name: str, column: Any, attribute: Attribute) -> Any:
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


def _released(frame: frames.Frame, names: list[str], done: Perturbed) -> frames.Frame:
    """The perturbed columns, in the order in which they came; no other goes with their rows."""
    with as_input_error("the perturbed table cannot be put together"):
        through = zip(names, done.columns, done.attributes, done.channels, strict=True)
        columns = [
            _column(frame, name, values, attribute, channels[0])
            for name, values, attribute, channels in through
        ]
        return frame.select(names).with_columns(columns)


def cells_of(values: Any, attribute: Attribute, channel: noise.Channel) -> Any:
    """The same in Arrow: the type follows from what is publicly known."""
    if attribute.categories is not None:
        return pa.array(values.tolist(), pa.array(list(attribute.categories)).type)
    if attribute.flags_missing:
        return pa.array(values, mask=np.isnan(values))
    whole = channel.integer and channel.lattice == 1.0
    return pa.array(values.astype(np.int64) if whole else values)


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


def described(
    public: Attribute, attribute: Attribute, channels: tuple[noise.Channel, ...]
) -> dict[str, Any]:
    shown = describe(attribute, channels)
    if not public.bounded:  # the bounds are values of the data
        shown |= {"lower": None, "upper": None}
    return shown
