"""The gate of recoded releases: questions to what was written, asked in SQL. It fails closed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pyarrow as pa

from tokumei.privacy import MinHouseholds
from tokumei.release.errors import counted
from tokumei.release.gate import checks as gate
from tokumei.release.gate import extent, stages
from tokumei.release.gate.answers import Answer, Check
from tokumei.release.gate.candidate import Candidate, text_of
from tokumei.release.gate.stages import Asked


def shares(candidate: Candidate, asked: Asked) -> Answer:
    """No category is rare: as it was written, or as it was before exchanges and suppression."""
    rare = columns = 0
    names = candidate.schema.of("quasi")
    for name, column, expected in zip(names, candidate.quasi, candidate.expected, strict=True):
        if expected.share is None:
            continue
        columns += 1
        cells, value = candidate.cells, text_of(column)
        if asked.told and name in asked.stages:
            merged = pa.array(asked.stages[name].merged, pa.string())
            candidate.connection.register("stage", pa.table({"x": merged}))
            cells, value = "stage", text_of("x")
        counts = candidate.ask(
            f"SELECT count(*) FROM {cells} WHERE {value} IS NOT NULL GROUP BY {value}"
        )
        records = [int(row[0]) for row in counts]
        # The share is meant as the decimal that was written; one category alone cannot be merged.
        least = Fraction(repr(expected.share)) * sum(records)
        rare += sum(count < least for count in records) * (len(records) > 1)
    return rare == 0, f"{rare} rare in {counted(columns, 'column')}", {}


# Recoded columns are as they should be where their categories are known and none is rare.
NOT_ASKED = (gate.finite, extent.masked)
SHARES = "no recoded category is rare"
STAGES = {
    "cells are recoded or suppressed": stages.suppression,
    "categories are exchanged as asked": stages.exchange,
    "models lose no more than asked": stages.models,
}


def examine(candidate: Candidate, asked: Asked) -> list[Check]:
    """Ask everything; k and households are counted where they are asked for."""
    left_out: list[object] = [*NOT_ASKED]
    if not candidate.k:
        left_out.append(gate.joint_k)
        if not any(isinstance(model, MinHouseholds) for model in candidate.models):
            left_out.append(gate.joint_households)
    questions = {name: ask for name, ask in gate.QUESTIONS.items() if ask not in left_out}
    of_stages = (
        {SHARES: shares} | STAGES
        if asked.told or asked.model_loss is not None
        else {SHARES: shares}
    )
    more = {name: partial(_asked, ask, asked) for name, ask in of_stages.items()}
    return gate.ask_all(candidate, questions | more)


def _asked(ask: Callable[[Candidate, Asked], Answer], asked: Asked, candidate: Candidate) -> Answer:
    return ask(candidate, asked)
