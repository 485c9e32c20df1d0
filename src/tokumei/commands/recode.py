"""The subcommand ``tokumei recode``."""

from __future__ import annotations

from tokumei.commands.derive import Spelling, Word
from tokumei.commands.options import GATE, SCHEMA, borders
from tokumei.commands.releasing import releasing
from tokumei.release.recode.step import Recode
from tokumei.release.release import Audit

SPELLED = (
    SCHEMA
    | GATE
    | {"bins": Spelling((Word("bins", "NAME=A<B<C", "Borders of the bins of a column."),), borders)}
)


def lines(audit: Audit) -> list[tuple[str, str]]:
    """What recoding says of itself."""
    achieved = audit["achieved"] or {}
    counts = [
        (name, f"{one['categories_before']:,} categories into {one['categories']:,}")
        for name, one in achieved["recoded"].items()
    ]
    k = [("k", f"smallest class {achieved['k']}")] if "k" in achieved else []
    return counts + k


@releasing(Recode, lines, SPELLED, "recoding")
def recode() -> None:
    """Recode a file: rare categories are merged, values lifted to a level, numbers put in bins.

    Every column needs a role. The recoded file and OUT.audit.json appear when all checks pass; with
    -k they pass only where k holds. Where one fails, OUT stays as it was, and the exit code is 3.
    """
