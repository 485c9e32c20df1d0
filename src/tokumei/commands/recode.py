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
    found = achieved.get("model_loss")
    if found is not None:
        lost = found["loss_by_share"][f"{found['share']:g}"]
        counts.append(("share", f"{found['share']:g}, by which models lose {lost:.2%} of recall"))
    counts += [
        (
            "exchanged",
            f"{name}: {one['changed']:.1%} of cells; a record of the category that loses most "
            f"keeps it with a chance of {one['least_retention']:.2g}",
        )
        for name, one in achieved.get("exchanged", {}).items()
    ]
    gone = [f"{share:.2%} of {name}" for name, share in achieved.get("suppressed", {}).items()]
    counts += [("suppressed", ", ".join(gone))] * bool(gone)
    return counts + [("k", f"smallest class {achieved.get('k')}")] * ("k" in achieved)


@releasing(Recode, lines, SPELLED, "recoding")
def recode() -> None:
    """Recode a file: rare categories are merged, values lifted to a level, numbers put in bins.

    Every column needs a role. The recoded file and OUT.audit.json appear when all checks pass; with
    -k they pass only where k holds. Where one fails, OUT stays as it was, and the exit code is 3.
    """
