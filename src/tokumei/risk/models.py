"""How much of each privacy model the classes of a table show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Labels
from tokumei.privacy import DeltaPresence, KMap, Model, PkAnonymity, TCloseness
from tokumei.risk.classes import Classes, known_codes
from tokumei.values.column import Column


@dataclass(frozen=True)
class ModelRisk:
    """What classes show of a model.

    Attributes
    ----------
    model : str
        Its name in the literature.
    column : str or None
        The column whose values it speaks of.
    reached : float
        What the worst class shows, in the model's own unit.
    holds : bool
        Whether that is as much as asked for.
    failing : int
        Records in classes that show less.
    """

    model: str
    column: str | None
    reached: float
    holds: bool
    failing: int

    def __str__(self) -> str:
        of = "" if self.column is None else f" of {self.column!r}"
        verdict = "holds" if self.holds else f"fails for {self.failing} records"
        return f"{self.model}{of}: {self.reached:.4g}, {verdict}"


def models_of(
    columns: Mapping[Any, Column], classes: Classes, models: Sequence[Model]
) -> tuple[ModelRisk, ...]:
    """The same of each model; a column's missing cells are a value of their own."""
    return tuple(_of_model(columns, classes, model) for model in models)


def _of_model(columns: Mapping[Any, Column], classes: Classes, model: Model) -> ModelRisk:
    if not isinstance(getattr(model, "model", None), str):
        msg = f"privacy must be models of tokumei.privacy, got {type(model).__name__}"
        raise TypeError(msg)
    if isinstance(model, KMap | DeltaPresence | PkAnonymity):
        msg = f"{model.model} asks more than classes of one table can show"
        raise ValueError(msg)
    codes = None
    if model.column is not None:
        if model.column not in columns:
            msg = f"the table has no column {model.column!r}, named in {model.model}"
            raise ValueError(msg)
        codes = _codes(columns[model.column], model)
    reached = model.of_groups(classes.labels, codes)
    worst = model.reached(classes.labels, codes)
    short = np.array([not model.holds(float(each)) for each in reached])
    return ModelRisk(
        model.model, model.column, float(worst), model.holds(worst), int(classes.sizes[short].sum())
    )


def _codes(column: Column, model: Model) -> Labels:
    """Codes as a model takes them: in the order of values, or nodes of its tree."""
    codes, known = known_codes(column), list(column.categories)
    missing = bool((codes < 0).any())
    try:
        order = sorted(range(len(known)), key=known.__getitem__)
    except TypeError:
        order = list(range(len(known)))
    values = [known[code] for code in order] + [None] * missing
    as_asked = model.codes_of(values) if isinstance(model, TCloseness) else np.arange(len(values))
    place = np.empty(len(values), dtype=np.int64)
    place[order] = as_asked[: len(known)]
    if missing:
        place[-1] = as_asked[-1]
    return np.asarray(place[codes], dtype=np.int64)  # -1, what is missing, is the last
