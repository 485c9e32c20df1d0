"""What is asked of every class of a table whose cells go one by one.

A question takes the class of each record and the cells of each class, -1 for none, and answers of
each class whether it shows enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Floats, Labels
from tokumei.privacy import DeltaPresence, KAnonymity, KMap, Model, TCloseness
from tokumei.values.columns import coded, ranked
from tokumei.values.tables import label

Flags = NDArray[np.bool_]
Question = Callable[[Labels, Labels], Flags]


def all_of(questions: Sequence[Question]) -> Question:
    """Whether a class shows enough for every one."""

    def asked(found: Labels, cells: Labels) -> Flags:
        enough = np.ones(len(cells), dtype=bool)
        for question in questions:
            enough &= question(found, cells)
        return enough

    return asked


def of_model(model: Any, codes: Labels | None = None, *, unsaid: int | None = None) -> Question:
    """Whether a class holds a model; `codes` are those of its column, `unsaid` that of no value.

    Records without a value then add nothing to a class.
    """

    def asked(found: Labels, cells: Labels) -> Flags:
        if codes is None or unsaid is None:
            return _holding(model, model.of_groups(found, codes))
        enough = np.zeros(len(cells), dtype=bool)
        said = codes != unsaid
        there = np.unique(found[said])
        if len(there):
            enough[there] = _holding(model, model.of_groups(found[said], codes[said]))
        return enough

    return asked


def of_population(model: KMap | DeltaPresence, population: Labels) -> Question:
    """Whether a class is of enough records of a population, by the cells that it has.

    `population` has the codes of the release, and -2 for what the release does not have.
    """

    def asked(found: Labels, cells: Labels) -> Flags:
        sizes = counted_like(cells, population)
        return _holding(model, model.of_groups(found, np.repeat(np.arange(len(cells)), sizes)))

    return asked


def counted_like(cells: Labels, population: Labels) -> Labels:
    """How many records of the population have the cells that each class has."""
    sizes = np.zeros(len(cells), dtype=np.int64)
    holes = cells < 0
    for hole in np.unique(holes, axis=0):
        mine = np.flatnonzero((holes == hole).all(axis=1))
        both = np.concatenate([cells[mine], population])[:, ~hole]
        code = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1)
        counts = np.bincount(code[len(mine) :], minlength=int(code.max()) + 1)
        sizes[mine] = counts[code[: len(mine)]]
    return sizes


def questions_of(
    k: int, models: Iterable[Model], columns: Mapping[Any, Any], quasi: Sequence[Any]
) -> list[Question]:
    """What `k` and these models ask, of the columns that they name."""
    found = [of_model(KAnonymity(k))] if k > 1 else []
    for model in models:
        if isinstance(model, KMap | DeltaPresence):
            msg = f"models holds a {type(model).__name__}: a release counts it (tk.release.recode)"
            raise TypeError(msg)
        if isinstance(model, KAnonymity):
            found.append(of_model(model))
            continue
        if model.column not in columns or model.column in quasi:
            msg = "models names a column that data does not have beside those that lose cells"
            raise ValueError(msg)
        found.append(of_model(model, _codes(model, columns[model.column])))
    return found


def _codes(model: Model, values: Any) -> Labels:
    name = label("data", str(model.column))
    codes, known = coded(values, name)
    if isinstance(model, TCloseness) and model.tree is not None:
        return np.asarray(model.codes_of(known))[codes]
    if getattr(model, "kind", "") == "ordered":
        return ranked(known, np.bincount(codes), None, name)[1][codes]
    return codes


def _holding(model: Any, reached: Floats) -> Flags:
    values, place = np.unique(reached, return_inverse=True)
    return np.array([model.holds(float(value)) for value in values], dtype=bool)[place]
