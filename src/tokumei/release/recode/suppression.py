"""Few cells of a recoded table suppressed, so that every model of the job holds in what is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Labels
from tokumei.privacy import DeltaPresence, KAnonymity, KMap, LDiversity, MinHouseholds
from tokumei.privacy.population import Population
from tokumei.recode.questions import Question, all_of, of_model, of_population
from tokumei.recode.suppress import suppressed_cells
from tokumei.release.errors import InputError
from tokumei.release.io import files, frames
from tokumei.release.job import Job
from tokumei.release.recode.step import Recode
from tokumei.release.sections import Source
from tokumei.values.column import Column

Flags = NDArray[np.bool_]


def suppressed(
    job: Job, step: Recode, frame: frames.Frame, cells: Mapping[str, Any]
) -> dict[str, Flags]:
    """The cells to suppress, by column; `cells` are those of the quasi-identifiers, in Arrow."""
    if not job.privacy:
        msg = "suppress goes with k or another model, which it keeps"
        raise InputError(msg)
    read = {name: Column(column) for name, column in cells.items()}
    codes = np.column_stack([column.codes for column in read.values()])
    costs = np.array([step.importance.get(name, 1.0) for name in cells])
    model = job.model(KAnonymity)
    questions = all_of(list(_questions(job, frame, read)))
    found = suppressed_cells(
        codes, costs, 0 if model is None else model.k, questions, job.run.silent()
    )
    if found is None:
        msg = "no suppression keeps what is asked: not even one class of all records does"
        raise InputError(msg)
    gone, share = found[0], float(found[0].mean())
    if step.suppress is not None and share > step.suppress:
        msg = (
            f"{100.0 * share:.3g} % of the cells would be suppressed, and suppress allows "
            f"{100.0 * step.suppress:.3g} %; recode more before, ask for less, or allow more"
        )
        raise InputError(msg)
    return {name: gone[:, j] for j, name in enumerate(cells)}


def _questions(job: Job, frame: frames.Frame, read: Mapping[str, Column]) -> Iterator[Question]:
    """What each model of the job asks of a class, as the gate will count it."""
    home = job.schema.household
    if home is not None:
        apart = job.model(MinHouseholds)
        least = job.model(KAnonymity) if apart is None else None
        count = apart.count if apart is not None else 1 if least is None else least.k
        yield of_model(MinHouseholds(home, count), _codes(frame, home)[0])
    for model in job.privacy:
        if isinstance(model, KAnonymity):
            yield of_model(model)
        elif isinstance(model, KMap | DeltaPresence):
            if job.gate.missing != "wildcard":
                msg = (
                    f"{model.model} with suppress needs missing_counts_as='wildcard': nobody in "
                    "the population has a suppressed cell"
                )
                raise InputError(msg)
            yield of_population(model, _population(model.population, read))
        elif not isinstance(model, MinHouseholds):
            codes, none = _sensitive(model, frame)
            wild = isinstance(model, LDiversity) and job.gate.missing == "wildcard"
            yield of_model(model, codes, unsaid=none if wild else None)


def _sensitive(model: Any, frame: frames.Frame) -> tuple[Labels, int]:
    """The codes of a model's column, and that of what is missing, after all others."""
    column = Column(frames.columns_of(frame, [model.column]).column(0))
    if getattr(model, "kind", "") == "ordered":
        numbers = column.asked_for_numbers()[0]
        known, codes = np.unique(numbers, return_inverse=True)
        return codes, len(known) - int(np.isnan(known[-1:]).sum())
    codes, none = _codes(frame, model.column)
    if getattr(model, "tree", None) is not None:
        nodes = model.codes_of([*map(str, column.categories), None])
        return nodes[codes], int(nodes[-1])
    return codes, none


def _codes(frame: frames.Frame, name: str) -> tuple[Labels, int]:
    column = Column(frames.columns_of(frame, [name]).column(0))
    none = len(column.categories)
    return np.where(column.missing, none, column.codes), none


def _population(population: str | Population, read: Mapping[str, Column]) -> Labels:
    """The records of a population by the codes of the release, -2 for what that does not have."""
    names = list(read)
    with TemporaryDirectory(prefix="tokumei-") as folder:
        if isinstance(population, Population):
            table = frames.columns_of(frames.frame_of(population.table), names)
        else:
            table = files.read(Path(population), Path(folder), Source())[0].select(names)
        found = np.empty((table.num_rows, len(names)), dtype=np.int64)
        for j, (name, column) in enumerate(read.items()):
            there = Column(table.column(name))
            code_of = {str(value): code for code, value in enumerate(column.categories)}
            codes = np.array([code_of.get(str(v), -2) for v in there.categories] + [-2])
            found[:, j] = codes[there.codes]
    return found
