"""A table recoded, column by column; and what the gate asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa

from tokumei.release.errors import InputError, as_input_error
from tokumei.release.gate import recoded as gate
from tokumei.release.gate.answers import Check
from tokumei.release.gate.candidate import Candidate, Expected
from tokumei.release.gate.origin import Origin
from tokumei.release.gate.stages import Asked, Stage
from tokumei.release.io import frames
from tokumei.release.io.written import Written
from tokumei.release.job import Job
from tokumei.release.recode.columns import Recoded, numeric, recoded
from tokumei.release.recode.exchange import exchanged
from tokumei.release.recode.step import Recode
from tokumei.release.recode.suppression import suppressed
from tokumei.release.recode.until import Found, settled
from tokumei.release.schema import Columns, Schema
from tokumei.values.column import Column


@dataclass(frozen=True)
class Draft:
    """A recoded table that nobody has judged yet, and what it was made of.

    `asked` is the step as it came, `step` as it was done, with a share for each column; `stages`
    are the cells of columns on their way, for the gate, and `made` those that are published.
    """

    job: Job
    asked: Recode
    step: Recode
    roles: Schema
    original: Any
    recoded: dict[str, Recoded]
    stages: dict[str, Stage]
    made: Mapping[str, Any]
    frame: frames.Frame
    found: Found | None = None
    chance: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    gone: Mapping[str, float] = field(default_factory=dict)

    @property
    def settled(self) -> Recode:
        """The step for other records, of which as many cells may go as need to."""
        return replace(self.step, suppress=None if self.step.suppress is None else 1.0)

    @property
    def columns(self) -> Columns:
        """Numbers that became bins, and the like, are ordered categories from here on."""
        known = self.job.schema
        kept = [name for name in known.trees if name not in self.recoded] + [
            name for name, one in self.recoded.items() if one.in_tree
        ]
        orders = {name: each for name, each in known.orders.items() if name not in self.recoded}
        orders |= {name: one.categories for name, one in self.recoded.items() if one.ordered}
        kinds = {
            name: kind
            for name, kind in known.kinds.items()
            if name not in self.recoded or (kind == "tree" and name in kept)
        }
        trees = {name: tree for name, tree in known.trees.items() if name in kept}
        return replace(known, kinds=kinds, orders=orders, trees=trees)

    def examine(self, written: Written, origin: Origin, spill: Path | None) -> list[Check]:
        expected = [self._expected(name) for name in self.roles.of("quasi")]
        return gate.examine(
            Candidate.of(
                self.job, written, self.roles, self.original, origin, spill, expected=expected
            ),
            Asked(
                keep=self.asked.pram,
                alpha=self.asked.pram_alpha,
                least=self.asked.pram_least,
                suppress=self.asked.suppress,
                model_loss=self.asked.model_loss,
                stages=self.stages,
                threads=self.job.run.n_threads,
            ),
        )

    def _expected(self, name: str) -> Expected:
        share = self.step.share.get(name)
        coded = name in self.asked.top or name in self.asked.bottom
        if self.asked.least_share is not None and not coded:  # as it was asked, not as it was done
            share = self.asked.share.get(name, self.asked.least_share)
        if name not in self.recoded:  # as it was
            return Expected(number=False, may_miss=True, known=(), share=share)
        known = tuple(self.recoded[name].categories)
        return Expected(number=False, may_miss=True, known=known, recoded=True, share=share)

    def achieved(self) -> dict[str, Any]:
        achieved: dict[str, Any] = {
            "recoded": {
                name: {"categories_before": one.before, "categories": len(set(one.cells) - {None})}
                for name, one in self.recoded.items()
            }
        }
        if self.found is not None:
            achieved["model_loss"] = self.found.achieved()
        if self.chance:
            achieved["exchanged"] = dict(self.chance)
        if self.step.suppress is not None:
            achieved["suppressed"] = dict(self.gone)
        return achieved


def draft(job: Job, asked: Recode, roles: Schema, frame: frames.Frame) -> Draft:
    """The recoding itself."""
    original = frames.columns_of(frame, roles.of(job.role))
    _check(job, asked)
    columns = {name: Column(original.column(name)) for name in original.column_names}
    step, found = settled(asked, columns, job.schema, job.run)
    named = {name for each in (step.share, step.level, step.pram) for name in each}
    named |= {name for each in numeric(step).values() for name in each}
    done, stages, chance = {}, {}, {}
    for name, column in columns.items():
        if name in named:
            with as_input_error(f"column {name!r} cannot be read"):
                one = recoded(name, column, job.schema, step)
                stages[name] = Stage(one.cells, one.cells, one.cells)
                if found is not None:
                    before = recoded(name, column, job.schema, replace(step, share={}))
                    stages[name] = replace(stages[name], before=before.cells)
                if name in step.pram:
                    one, chance[name] = exchanged(name, one, step)
                    stages[name] = replace(stages[name], exchanged=one.cells)
            done[name] = one
    made: dict[str, Any] = {name: pa.array(one.cells, pa.string()) for name, one in done.items()}
    gone: dict[str, float] = {}
    if step.suppress is not None:
        cells = {name: made.get(name, original.column(name)) for name in columns}
        for name, flags in suppressed(job, step, frame, cells).items():
            gone[name] = float(f"{flags.mean():.3g}")
            if flags.any():
                rows = pa.array(np.arange(len(flags)), mask=flags)
                made[name] = cells[name].take(rows)
    with as_input_error("the recoded table cannot be put together"):
        new = frame.with_columns(
            nw.new_series(name, cells.to_pylist(), dtype=nw.String(), backend=frame.implementation)
            if name in done
            else frames.column_like(frame, name, cells)
            for name, cells in made.items()
        )
    return Draft(job, asked, step, roles, original, done, stages, made, new, found, chance, gone)


def _check(job: Job, step: Recode) -> None:
    """Refuse a step that does nothing, and one that noise after it would not cover."""
    for name in step.rule:
        if name not in step.share and step.least_share is None and step.model_loss is None:
            msg = f"rule names {name!r}, for which no share is given"
            raise InputError(msg)
    options = (step.share, step.level, step.pram, *numeric(step).values())
    every = (step.least_share, step.model_loss, step.suppress)
    if not any(options) and all(each is None for each in every):
        msg = (
            "name at least one column to recode, by share, level, top, bottom, bins or pram, or "
            "all by least_share, model_loss or suppress"
        )
        raise InputError(msg)
    if step.importance and step.suppress is None:
        msg = "importance goes with suppress"
        raise InputError(msg)
    counted = step.share or step.pram or any(each is not None for each in every)
    if job.role == "perturbed" and counted:
        msg = (
            "share merges categories by how many records they have, as pram exchanges and suppress "
            "leaves out, which noise would not cover; recode by level, top, bottom or bins what is "
            "to be perturbed"
        )
        raise InputError(msg)
