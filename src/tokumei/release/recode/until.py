"""Which share columns get that none is named for: the one asked for, or the largest models bear.

Models learn from the quasi-identifiers as they are before rare categories are merged: every column
is predicted from others, and what is lost is recall (`tokumei.loss.share_for`). Of up to four
columns every subset predicts, of up to six one or two columns, of more each by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokumei._check import Run
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.gate.stages import MEASURE, codes_of, options_for
from tokumei.release.recode.columns import recoded
from tokumei.release.recode.step import Recode
from tokumei.release.schema import Columns
from tokumei.values.column import Column

MOST_CATEGORIES = 100  # that a model learns to tell apart


@dataclass(frozen=True)
class Found:
    """What models lost by each share that was tried, and the one that was taken."""

    share: float
    losses: Mapping[float, float]

    def achieved(self) -> dict[str, Any]:
        tried = {f"{share:g}": float(f"{lost:.3g}") for share, lost in self.losses.items()}
        return {"share": self.share, "measure": MEASURE, "loss_by_share": tried}


def settled(
    step: Recode, columns: Mapping[str, Column], schema: Columns, run: Run
) -> tuple[Recode, Found | None]:
    """The step with a share for every column, and how it was found where models say it."""
    if step.least_share is None and step.model_loss is None:
        return step, None
    if step.least_share is not None and step.model_loss is not None:
        msg = "least_share and model_loss both say which share all columns get; give one"
        raise InputError(msg)
    coded = {*step.top, *step.bottom}
    free = [name for name in columns if name not in step.share and name not in coded]
    if not free:
        msg = "share, top and bottom name every column: least_share and model_loss say nothing"
        raise InputError(msg)
    if step.least_share is not None:
        return _with(step, free, step.least_share), None
    found = _found(step, free, columns, schema, run)
    return _with(step, free, found.share), found


def _with(step: Recode, free: list[str], share: float) -> Recode:
    every = dict.fromkeys(free, share)
    return replace(step, share={**every, **step.share}, least_share=None, model_loss=None)


def _found(
    step: Recode, free: list[str], columns: Mapping[str, Column], schema: Columns, run: Run
) -> Found:
    with as_input_error("models cannot be learnt"):
        try:
            from tokumei.loss.models.share_for import SHARES, largest_share
        except ModuleNotFoundError as error:
            msg = f"model_loss needs {error.name}: pip install 'tokumei[utility]'"
            raise InputError(msg) from None
    plain = replace(step, share={})
    before = {name: recoded(name, column, schema, plain) for name, column in columns.items()}
    learnt = {name: one for name, one in before.items() if len(one.categories) > 1}
    for name, one in learnt.items():
        if len(one.categories) > MOST_CATEGORIES:
            msg = (
                f"column {name!r} has {len(one.categories)} categories, more than the "
                f"{MOST_CATEGORIES} that models learn here; give it bins, a level or a share"
            )
            raise InputError(msg)
    if len(learnt) < 2:
        msg = "model_loss needs two quasi-identifiers with two categories each, or more"
        raise InputError(msg)
    maskings = {}
    for share in SHARES:
        asked = _with(step, free, share)
        maskings[share] = {
            name: codes_of(recoded(name, columns[name], schema, asked).cells) for name in learnt
        }
    codes = {name: codes_of(one.cells) for name, one in learnt.items()}
    share, losses, _ = largest_share(
        codes, maskings, step.model_loss or 0.0, MEASURE, **options_for(len(codes), run.n_threads)
    )
    if not share:
        msg = f"models lose more than model_loss allows already by the smallest share, {SHARES[0]}"
        raise InputError(msg)
    return Found(share, losses)
