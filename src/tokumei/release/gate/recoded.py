"""The gate of recoded releases: questions to what was written, asked in SQL. It fails closed."""

from __future__ import annotations

from fractions import Fraction

from tokumei.privacy import MinHouseholds
from tokumei.release.errors import counted
from tokumei.release.gate import checks as gate
from tokumei.release.gate import extent
from tokumei.release.gate.answers import Answer, Check
from tokumei.release.gate.candidate import Candidate, text_of


def shares(candidate: Candidate) -> Answer:
    rare = columns = 0
    for column, expected in zip(candidate.quasi, candidate.expected, strict=True):
        if expected.share is None:
            continue
        columns += 1
        counts = candidate.ask(
            f"SELECT count(*) FROM {candidate.cells} "
            f"WHERE {text_of(column)} IS NOT NULL GROUP BY {text_of(column)}"
        )
        records = [int(row[0]) for row in counts]
        # The share is meant as the decimal that was written; one category alone cannot be merged.
        least = Fraction(repr(expected.share)) * sum(records)
        rare += sum(count < least for count in records) * (len(records) > 1)
    return rare == 0, f"{rare} rare in {counted(columns, 'column')}", {}


# Recoded columns are as they should be where their categories are known and none is rare.
NOT_ASKED = (gate.finite, extent.masked)
SHARES = "no recoded category is rare"


def examine(candidate: Candidate) -> list[Check]:
    """Ask everything; k and households are counted where they are asked for."""
    left_out: list[object] = [*NOT_ASKED]
    if not candidate.k:
        left_out.append(gate.joint_k)
        if not any(isinstance(model, MinHouseholds) for model in candidate.models):
            left_out.append(gate.joint_households)
    questions = {name: ask for name, ask in gate.QUESTIONS.items() if ask not in left_out}
    return gate.ask_all(candidate, questions | {SHARES: shares})
