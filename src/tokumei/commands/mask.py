"""The subcommand ``tokumei mask``."""

from __future__ import annotations

from pathlib import Path

from tokumei.commands import options
from tokumei.commands.app import shortened
from tokumei.commands.derive import NAMES, Spelling, Word, pairs, split_names
from tokumei.commands.releasing import passed, releasing
from tokumei.release.io.staging import audit_of
from tokumei.release.mask.step import Microaggregate
from tokumei.release.release import Audit


def _kinds(nominal: list[str], kind: list[str]) -> dict[str, str]:
    return dict.fromkeys(split_names(nominal), "nominal") | pairs("kind", split_names(kind))


SPELLED = {
    "kinds": Spelling(
        (
            Word("nominal", NAMES, "Categories though they look like numbers."),
            Word("kind", "NAME=KIND,...", "numeric, ordinal, nominal or tree."),
        ),
        _kinds,
    ),
    "orders": Spelling(
        (Word("ordinal", "NAME=A<B<C", "Ordered categories, from the lowest."),), options.orders
    ),
    "trees": Spelling(
        (Word("tree", "NAME=FILE", "A hierarchy: a row a value, up to the top."),),
        options.trees,
    ),
}


def summary(audit: Audit, target: Path, seconds: float) -> list[tuple[str, str]]:
    """What was done, on one screen."""
    achieved = audit["achieved"] or {}
    by_role: dict[str, list[str]] = {}
    for name, role in audit["job"]["roles"].items():
        by_role.setdefault(role, []).append(name)
    return [
        ("rows", f"{achieved['rows']:,}"),
        *((role, shortened(names)) for role, names in by_role.items()),
        ("method", f"{achieved['method']}, k = {audit['job']['privacy'][0]['k']}"),
        ("groups", f"{achieved['groups']:,}, smallest class {achieved['k']}"),
        ("loss", f"{achieved['loss_percent']:.2f} % (SSE/SST of the quasi-identifiers)"),
        ("checks", passed(audit)),
        ("written", f"{target} and {audit_of(target).name}"),
        ("time", f"{seconds:.1f} s"),
    ]


@releasing(Microaggregate, summary, SPELLED, "masking")
def mask() -> None:
    """Mask a file: records share their quasi-identifiers, k or more of them, and it is checked.

    Every column needs a role. The masked file and OUT.audit.json appear when all checks pass; where
    one fails, OUT stays as it was, the audit says which, and the exit code is 3.
    """
