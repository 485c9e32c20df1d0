"""The release gate: independent questions to what was written, asked in SQL. It fails closed.

Of the work that made the release it takes over nothing but the roles, the original cells to compare
with, and what each masked column is to hold. A question that cannot be asked has the answer no.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import duckdb
import pyarrow as pa

from tokumei.privacy import MinHouseholds
from tokumei.release.errors import counted, named
from tokumei.release.gate import extent, identifying, population, records, sensitive
from tokumei.release.gate.answers import Answer, Check
from tokumei.release.gate.candidate import Candidate, number_of, text_of
from tokumei.release.gate.classes import classes, with_wildcards

C = TypeVar("C", bound=Candidate)


def roles(candidate: Candidate) -> Answer:
    invalid = [name for name in candidate.names if name not in candidate.schema.roles]
    if invalid:
        return False, f"no role: {named(invalid)}", {}
    same = candidate.names == candidate.schema.released()
    return same, "as declared" if same else "the columns are not those that were to be released", {}


def identifiers(candidate: Candidate) -> Answer:
    left = [name for name in candidate.schema.of("identifier") if name in candidate.names]
    return not left, f"still there: {named(left)}" if left else "none left", {}


def traces(candidate: Candidate) -> Answer:
    found = candidate.written.traces()
    return not found, f"found: {', '.join(found)}" if found else "none", {}


def rows(candidate: Candidate) -> Answer:
    before, after = (
        candidate.original.num_rows,
        candidate.count(f"SELECT count(*) FROM {candidate.cells}"),
    )
    return before == after, f"{before} in, {after} out", {"rows": after}


def joint_k(candidate: Candidate) -> Answer:
    smallest, number = classes(candidate, candidate.quasi, candidate.cells)
    measured: dict[str, float] = {"k": smallest, "classes": number}
    wild = with_wildcards(candidate)
    if wild is not None:
        measured |= {"k_missing_as_value": smallest, "k_missing_as_wildcard": wild}
    if wild is not None and candidate.missing == "wildcard":
        measured["k"] = smallest = wild
    detail = f"the smallest class has {counted(smallest, 'record')}, {candidate.k} asked"
    return smallest >= candidate.k, detail, measured


def joint_households(candidate: Candidate) -> Answer:
    if not candidate.household:
        return True, "no household is named", {}
    apart = next((each for each in candidate.models if isinstance(each, MinHouseholds)), None)
    least = candidate.k if apart is None else apart.count
    found = candidate.count(
        "SELECT coalesce(min(households), 0) FROM "
        f"(SELECT count(DISTINCT {candidate.household[0]}) AS households FROM {candidate.cells} "
        f"GROUP BY {', '.join(candidate.quasi)})"
    )
    detail = f"the smallest class has {counted(found, 'household')}, {least} asked"
    return found >= least, detail, {"k_households": found}


def finite(candidate: Candidate) -> Answer:
    wrong = []
    for column, expected in zip(candidate.quasi, candidate.expected, strict=True):
        missing, bad = candidate.missing_in(column), "false"
        if expected.number:
            bad = f"NOT coalesce(isfinite({number_of(column)}), false)"
        wrong.append(f"(NOT {missing} AND {bad})" if expected.may_miss else f"({bad} OR {missing})")
    found = candidate.count(f"SELECT count(*) FROM {candidate.cells} WHERE {' OR '.join(wrong)}")
    detail = f"{counted(found, 'record')} with a missing, infinite or unreadable masked value"
    return found == 0, detail, {}


def known(candidate: Candidate) -> Answer:
    invalid = 0
    for j, (column, expected) in enumerate(zip(candidate.quasi, candidate.expected, strict=True)):
        if expected.number or expected.any_text:
            continue
        candidate.connection.register(
            "nodes", pa.table({"node": pa.array(expected.known, pa.string())})
        )
        had = f"SELECT {text_of(f'q{j}')} FROM original WHERE {text_of(f'q{j}')} IS NOT NULL"
        allowed = "" if expected.recoded else f"{had} UNION ALL "
        invalid += candidate.count(
            f"SELECT count(*) FROM {candidate.cells} WHERE {text_of(column)} IS NOT NULL "
            f"AND {text_of(column)} NOT IN ({allowed}SELECT node FROM nodes)"
        )
    return invalid == 0, f"{counted(invalid, 'cell')} with a category that was not there", {}


# In the order in which the audit lists them.
QUESTIONS: dict[str, Callable[[Candidate], Answer]] = {
    "every column has a role": roles,
    "identifiers are gone": identifiers,
    "no index or metadata": traces,
    "as many rows out as in": rows,
    "records are those that were made": records.whole,
    "rows are in the order asked for": records.order,
    "no column tells an identifier": identifying.identifying,
    "joint k of the quasi-identifiers": joint_k,
    "joint k counted in households": joint_households,
    "sensitive values in every class": sensitive.sensitive,
    "classes in the population": population.of_population,
    "masked values are finite": finite,
    "masked categories are known": known,
    "masking happened": extent.masked,
}


def examine(candidate: Candidate) -> list[Check]:
    """Ask everything."""
    return ask_all(candidate, QUESTIONS)


def ask_all(candidate: C, questions: Mapping[str, Callable[[C], Answer]]) -> list[Check]:
    """The verdicts of these questions, in their order."""
    checks = []
    for name, question in questions.items():
        try:
            checks.append(Check(name, *question(candidate)))
        except (MemoryError, duckdb.OutOfMemoryException):
            raise MemoryError from None  # no verdict, and no audit
        except Exception as error:
            checks.append(Check(name, False, f"could not run ({type(error).__name__})"))
    candidate.close()
    return checks


ADVICE = {
    "quasi": "name each as identifier, quasi, sensitive or other, or all that are left by "
    "other='*' (--other '*')",
    "perturbed": "name each as a column to perturb or as identifier, or drop all that are left by "
    "drop='*' (--drop '*'): a column that is released as it is would link the records",
}


def unassigned(columns: Sequence[str], role: str) -> Check:
    """The verdict where columns have no role, before anything is done in a job of that role."""
    detail = f"{named(columns)} {'have' if len(columns) > 1 else 'has'} none; {ADVICE[role]}"
    return Check(next(iter(QUESTIONS)), False, detail)
