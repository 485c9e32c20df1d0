"""The subcommand ``tokumei mask``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokumei.commands.options import GATE, SCHEMA
from tokumei.commands.releasing import releasing
from tokumei.release.mask.step import Microaggregate
from tokumei.release.release import Audit


def lines(audit: Audit) -> list[tuple[str, str]]:
    """What masking says of itself."""
    achieved = audit["achieved"] or {}
    k = next(model["k"] for model in audit["job"]["privacy"] if "k" in model)
    return [
        ("method", f"{achieved['method']}, k = {k}"),
        ("groups", f"{achieved['groups']:,}, smallest class {achieved['k']}"),
        *(("dates", f"{name} by {by}") for name, by in achieved.get("resolution", {}).items()),
        ("loss", f"{achieved['loss_percent']:.2f} % (SSE/SST of the quasi-identifiers)"),
        *_above_least(achieved),
        *([("search", "cut by the time limit")] if achieved.get("cut_by_time_limit") else []),
    ]


def _above_least(achieved: Mapping[str, Any]) -> list[tuple[str, str]]:
    if "above_least_percent" not in achieved:
        return []
    percent = achieved["above_least_percent"]
    if percent is None:
        return [("bound", "nothing is proven of the least possible loss")]
    return [("bound", f"at most {percent:g} % above the least possible loss")]


@releasing(Microaggregate, lines, SCHEMA | GATE, "masking")
def mask() -> None:
    """Mask a file: records share their quasi-identifiers, k or more of them, and it is checked.

    Every column needs a role. The masked file and OUT.audit.json appear when all checks pass; where
    one fails, OUT stays as it was, the audit says which, and the exit code is 3.
    """
