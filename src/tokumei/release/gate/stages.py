"""The cells of a column on their way through a recoding, and what was asked of each stage.

Published cells are compared with those that were made, as whole records; here it is asked whether
what was made is what a recoding could make: nothing but suppressed cells differ from the stage
before, exchanges are as likely as they were to be, and models lose no more than they may. Chances
are worked out again from the counts, by the definition of two-stage PRAM.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Floats, Labels
from tokumei.release.errors import counted, named
from tokumei.release.gate.answers import Answer
from tokumei.release.gate.candidate import Candidate, text_of

# What is less likely than exp(-NO_CHANCE) is no chance.
NO_CHANCE = 30.0
MEASURE = "recall"
Cells = Sequence[str | None]


@dataclass(frozen=True)
class Stage:
    """A column before rare categories were merged, after that, and after the exchange."""

    before: Cells
    merged: Cells
    exchanged: Cells


@dataclass(frozen=True)
class Asked:
    """What a recoding was asked for that only its stages show, and these."""

    keep: Mapping[str, float]
    alpha: float
    least: float
    suppress: float | None
    model_loss: float | None
    stages: Mapping[str, Stage]
    threads: int

    @property
    def told(self) -> bool:
        """Whether what is published is not simply what was merged."""
        return bool(self.keep) or self.suppress is not None


def suppression(candidate: Candidate, asked: Asked) -> Answer:
    """Cells are those of the last stage, or suppressed: no more of them than may be."""
    gone = other = 0
    names = candidate.schema.of("quasi")
    made = candidate.made
    for place, (name, column) in enumerate(zip(names, candidate.quasi, strict=True)):
        if name in asked.stages:
            lent = pa.table({"x": pa.array(asked.stages[name].exchanged, pa.string())})
            candidate.connection.register("stage", lent)
            source, was = "stage", text_of("stage.x")
        else:
            source, was = "original", text_of(f"original.q{place}")
        becomes = text_of(f"made.{column}")
        rows = candidate.ask(
            f"SELECT count(*) FILTER ({becomes} IS NULL AND {was} IS NOT NULL), count(*) FILTER "
            f"({becomes} IS NOT NULL AND {becomes} IS DISTINCT FROM {was}) "
            f"FROM {source} POSITIONAL JOIN {made}"
        )
        gone, other = gone + int(rows[0][0]), other + int(rows[0][1])
    share = gone / max(1, len(names) * candidate.original.num_rows)
    allowed = 0.0 if asked.suppress is None else asked.suppress
    detail = f"{100.0 * share:.3g} % of cells suppressed, {100.0 * allowed:.3g} % allowed"
    if other:
        detail += f", and {counted(other, 'cell')} not those that were recoded"
    return other == 0 and share <= allowed, detail, {}


def exchange(candidate: Candidate, asked: Asked) -> Answer:
    """Categories are exchanged as often as their chances make likely."""
    wrong = []
    for name, keep in asked.keep.items():
        stage = asked.stages[name]
        lent = {
            "a": pa.array(stage.merged, pa.string()),
            "b": pa.array(stage.exchanged, pa.string()),
        }
        candidate.connection.register("stage", pa.table(lent))
        found = candidate.ask("SELECT a, b, count(*) FROM stage GROUP BY ALL")
        known = sorted({row[0] for row in found if row[0] is not None})
        place = {category: number for number, category in enumerate(known)}
        if any(
            (a is None) != (b is None) or (b is not None and b not in place) for a, b, _ in found
        ):
            wrong.append(name)
            continue
        counts = np.zeros((len(known), len(known)), dtype=np.int64)
        for a, b, records in found:
            if a is not None:
                counts[place[a], place[b]] = records
        if _unlikely(counts, chances(counts.sum(axis=1), keep, asked.alpha, asked.least)):
            wrong.append(name)
    if wrong:
        return False, f"{named(wrong)}: not exchanged as its chances say", {}
    return True, f"{counted(len(asked.keep), 'column')} exchanged as chances say", {}


def chances(records: Labels, keep: float, alpha: float, least: float) -> Floats:
    """The chance of each category for each, by the definition: two stages, mixed, held back."""
    m, shares = len(records), records / records.sum()
    first = np.where(np.eye(m, dtype=bool), keep, (1.0 - keep) / max(1, m - 1))
    back = first.T * shares / (shares @ first)[:, None]  # of the new category, what it was
    mixed = alpha * (first @ back) + (1.0 - alpha) * np.eye(m)
    room = np.minimum(1.0, (1.0 - least) / np.maximum(1.0 - np.diag(mixed), 1e-300))
    held = np.minimum(room[:, None], room[None, :]) * mixed
    return np.asarray(held + np.diag(1.0 - held.sum(axis=1)), dtype=np.float64)


def _unlikely(counts: Labels, expected: Floats) -> bool:
    """Whether any count, or the sum of those that stayed, is beyond Chernoff's bound."""
    records = counts.sum(axis=1)
    each = _bound(counts, records[:, None], expected)
    stayed = np.array(np.trace(counts)), np.array(records.sum())
    mean = (records * np.diag(expected)).sum() / max(1, records.sum())
    return bool((each > NO_CHANCE).any() or _bound(*stayed, np.array(mean)) > NO_CHANCE)


def _bound(found: Labels, of: Labels, chance: Floats) -> Floats:
    """So many times a logarithm: the chance to be as far from the mean is below exp of minus it."""
    share = found / np.maximum(of, 1)
    total = np.zeros(np.broadcast(share, chance).shape)
    for part, mean in ((share, chance), (1.0 - share, 1.0 - chance)):
        with np.errstate(divide="ignore", invalid="ignore"):
            term = part * np.log(part / np.maximum(mean, 0.0))
        total = total + np.where(part > 0, term, 0.0)
    return np.asarray(of * total, dtype=np.float64)


def models(candidate: Candidate, asked: Asked) -> Answer:
    """Models learnt again, once, from what was merged: they lose no more than they may."""
    from tokumei.loss.models.modelling import model
    from tokumei.loss.models.share_for import mean_loss

    if asked.model_loss is None:
        return True, "nothing is asked of them", {}
    learnt = {name: one for name, one in asked.stages.items() if len({*one.before} - {None}) > 1}
    before, after = (
        {name: codes_of(getattr(one, stage)) for name, one in learnt.items()}
        for stage in ("before", "merged")
    )
    lost = mean_loss(
        model(before, after, **options_for(len(learnt), asked.threads)), "masked", MEASURE
    )
    allowed = asked.model_loss
    detail = f"{100.0 * lost:.3g} % of {MEASURE} lost, {100.0 * allowed:.3g} % allowed"
    return not math.isnan(lost) and lost <= allowed + 1e-9, detail, {}


def options_for(columns: int, threads: int) -> dict[str, Any]:
    """How many inputs models have, and how they are learnt."""
    sizes = None if columns <= 4 else [1, 2] if columns <= 6 else [1]
    return {"sizes": sizes, "n_jobs": threads}


def codes_of(cells: Cells) -> Labels:
    """The categories of a column as numbers, what is missing being one of them."""
    return np.unique([cell or "" for cell in cells], return_inverse=True)[1]
