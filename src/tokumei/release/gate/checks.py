"""The release gate: independent questions to what was written, asked in SQL. It fails closed.

Of the work that made the release it takes over nothing but the roles, the original cells to compare
with, and what each masked column is to hold. A question that cannot be asked has the answer no.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import pyarrow as pa

from tokumei.privacy import LDiversity, MinHouseholds, TCloseness
from tokumei.release.errors import counted, named
from tokumei.release.gate.evidence import Evidence, number_of, text_of


@dataclass(frozen=True)
class Check:
    """A question, its verdict, and what was counted on the way."""

    name: str
    passed: bool
    detail: str
    measured: dict[str, float] = field(default_factory=dict)


Answer = tuple[bool, str, dict[str, float]]
E = TypeVar("E", bound=Evidence)


def roles(evidence: Evidence) -> Answer:
    invalid = [name for name in evidence.names if name not in evidence.schema.roles]
    if invalid:
        return False, f"no role: {named(invalid)}", {}
    same = evidence.names == evidence.schema.released()
    return same, "as declared" if same else "the columns are not those that were to be released", {}


def identifiers(evidence: Evidence) -> Answer:
    left = [name for name in evidence.schema.of("identifier") if name in evidence.names]
    return not left, f"still there: {named(left)}" if left else "none left", {}


def traces(evidence: Evidence) -> Answer:
    found = evidence.written.traces()
    return not found, f"found: {', '.join(found)}" if found else "none", {}


def rows(evidence: Evidence) -> Answer:
    before, after = (
        evidence.original.num_rows,
        evidence.count(f"SELECT count(*) FROM {evidence.cells}"),
    )
    return before == after, f"{before} in, {after} out", {"rows": after}


def joint_k(evidence: Evidence) -> Answer:
    smallest, classes = _classes(evidence, evidence.quasi, evidence.cells)
    detail = f"the smallest class has {counted(smallest, 'record')}, {evidence.k} asked"
    return smallest >= evidence.k, detail, {"k": smallest, "classes": classes}


def joint_households(evidence: Evidence) -> Answer:
    if not evidence.household:
        return True, "no household is named", {}
    apart = next((each for each in evidence.models if isinstance(each, MinHouseholds)), None)
    asked = evidence.k if apart is None else apart.count
    found = evidence.count(
        "SELECT coalesce(min(households), 0) FROM "
        f"(SELECT count(DISTINCT {evidence.household[0]}) AS households FROM {evidence.cells} "
        f"GROUP BY {', '.join(evidence.quasi)})"
    )
    detail = f"the smallest class has {counted(found, 'household')}, {asked} asked"
    return found >= asked, detail, {"k_households": found}


def sensitive(evidence: Evidence) -> Answer:
    asked = [each for each in evidence.models if isinstance(each, LDiversity | TCloseness)]
    if not asked:
        return True, "nothing is asked of them", {}
    found: list[str] = []
    measured: dict[str, float] = {}
    for model in asked:
        column = f"c{evidence.names.index(model.column)}"
        as_numbers = isinstance(model, TCloseness) and model.kind == "ordered"
        reached = model.reached(*evidence.classes_and(column, as_numbers=as_numbers))
        word = "" if model.holds(reached) else "not "
        found.append(f"{model.model} of column {model.column!r} is {word}kept: {reached:.4g}")
        measured[f"{model.model} of {model.column}"] = reached
        if word:
            return False, "; ".join(found), measured
    return True, "; ".join(found), measured


def finite(evidence: Evidence) -> Answer:
    wrong = []
    for column, expected in zip(evidence.quasi, evidence.expected, strict=True):
        bad = f"NOT coalesce(isfinite({number_of(column)}), false)"
        if not expected.number:
            bad = "false"
        present = f"{text_of(column)} IS NOT NULL"
        wrong.append(f"({present} AND {bad})" if expected.may_miss else f"({bad} OR NOT {present})")
    found = evidence.count(f"SELECT count(*) FROM {evidence.cells} WHERE {' OR '.join(wrong)}")
    detail = f"{counted(found, 'record')} with a missing, infinite or unreadable masked value"
    return found == 0, detail, {}


def known(evidence: Evidence) -> Answer:
    invalid = 0
    for j, (column, expected) in enumerate(zip(evidence.quasi, evidence.expected, strict=True)):
        if expected.number or expected.any_text:
            continue
        evidence.connection.register(
            "nodes", pa.table({"node": pa.array(expected.known, pa.string())})
        )
        invalid += evidence.count(
            f"SELECT count(*) FROM {evidence.cells} "
            f"WHERE {text_of(column)} IS NOT NULL AND {text_of(column)} NOT IN ("
            f"SELECT {text_of(f'q{j}')} FROM original WHERE {text_of(f'q{j}')} IS NOT NULL "
            "UNION ALL SELECT node FROM nodes)"
        )
    return invalid == 0, f"{counted(invalid, 'cell')} with a category that was not there", {}


def masked(evidence: Evidence) -> Answer:
    before = [f"q{j}" for j in range(len(evidence.quasi))]
    both = list(zip(before, evidence.quasi, evidence.expected, strict=True))
    was = ", ".join(number_of(q) if e.number else text_of(q) for q, _, e in both)
    becomes = ", ".join(number_of(c) if e.number else text_of(c) for _, c, e in both)
    changed = evidence.count(
        f"SELECT count(*) FROM (SELECT {was} FROM original "
        f"EXCEPT ALL SELECT {becomes} FROM {evidence.cells})"
    )
    if changed:
        return True, f"{counted(changed, 'record')} changed", {"changed_rows": changed}
    # Nothing was done: right where every record already had its k - 1 equals, and only there.
    smallest, _ = _classes(evidence, before, "original")
    needless = smallest >= evidence.k
    why = "nothing had to: the input" if needless else "no record changed, and the input"
    return needless, f"{why} has classes of {smallest} and more", {"changed_rows": 0}


# In the order in which the audit lists them.
QUESTIONS: dict[str, Callable[[Evidence], Answer]] = {
    "every column has a role": roles,
    "identifiers are gone": identifiers,
    "no index or metadata": traces,
    "as many rows out as in": rows,
    "joint k of the quasi-identifiers": joint_k,
    "joint k counted in households": joint_households,
    "sensitive values in every class": sensitive,
    "masked values are finite": finite,
    "masked categories are known": known,
    "masking happened": masked,
}


def examine(evidence: Evidence) -> list[Check]:
    """Ask everything."""
    return ask_all(evidence, QUESTIONS)


def ask_all(evidence: E, questions: Mapping[str, Callable[[E], Answer]]) -> list[Check]:
    """The verdicts of these questions, in their order."""
    checks = []
    for name, question in questions.items():
        try:
            checks.append(Check(name, *question(evidence)))
        except Exception as error:
            checks.append(Check(name, False, f"could not run ({type(error).__name__})"))
    evidence.close()
    return checks


MASKING_ROLES = (
    "name each as identifier, quasi, sensitive or other, or all that are left by other='*' "
    "(--other '*')"
)


def unassigned(columns: Sequence[str], advice: str = MASKING_ROLES) -> Check:
    """The verdict where columns have no role, before anything is done."""
    detail = f"{named(columns)} {'have' if len(columns) > 1 else 'has'} none; {advice}"
    return Check(next(iter(QUESTIONS)), False, detail)


def _classes(evidence: Evidence, columns: Sequence[str], cells: str) -> tuple[int, int]:
    # GROUP BY takes what is missing as a value of its own, equal to itself only.
    found = evidence.ask(
        "SELECT coalesce(min(records), 0), count(*) FROM "
        f"(SELECT count(*) AS records FROM {cells} GROUP BY {', '.join(columns)})"
    )
    return int(found[0][0]), int(found[0][1])
