"""What every release ends with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict


class Check(TypedDict):
    """A question of the gate, its verdict, and what was counted.

    The verdict is passed, failed, undecided, or accepted by a person who gave a `reason`; `columns`
    are those that made it fail; `figures` are what attacks found.
    """

    check: str
    verdict: str
    detail: str
    figures: NotRequired[dict[str, float]]
    columns: NotRequired[list[str]]
    reason: NotRequired[str]


class Audit(TypedDict):
    """What was asked for, what was reached, and every check; JSON can hold it."""

    verdict: str
    versions: dict[str, str]
    job: dict[str, Any]
    run: dict[str, Any]
    random_numbers: str
    input: dict[str, Any]
    output: dict[str, Any] | None
    achieved: dict[str, Any] | None
    checks: list[Check]


@dataclass(frozen=True)
class Release:
    """A checked release: the table, of the caller's kind, and the audit of its making.

    `record` is the private one: it has what the audit leaves out, and is not for publication.
    """

    table: Any
    audit: Audit
    record: Audit
