"""The subcommand ``tokumei perturb``."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from tokumei.commands import options
from tokumei.commands.derive import Spelling, Word
from tokumei.commands.releasing import releasing
from tokumei.noise import Attribute
from tokumei.release.perturb.step import Perturb
from tokumei.release.release import Audit


def _attributes(
    column: list[str],
    mechanism: list[str],
    share: list[str],
    cells: list[str],
    max_retention: float | None,
    missing: str,
    missing_share: float,
) -> dict[str, Attribute]:
    return options.attributes(
        column,
        mechanism=mechanism,
        share=share,
        cells=cells,
        max_retention=max_retention,
        missing=missing,
        missing_share=missing_share,
    )


SPELLED = {
    "na": options.NA,
    "attributes": Spelling(
        (
            Word(
                "column",
                "NAME:LOW:HIGH[:integer]",
                "A column to release and its public bounds; or NAME:A|B|C, all its categories.",
                default=MISSING,
            ),
            Word(
                "mechanism",
                "[NAME=]M",
                "laplace, randomized-response or square-wave, for all columns or for one.",
            ),
            Word("share", "NAME=W", "A column's weight in the budget; 1 by default."),
            Word("cells", "NAME=M", "Number of cells, for randomized-response and square-wave."),
            Word(
                "max_retention",
                "P",
                "Largest chance of a true cell under randomized-response.",
                float | None,
                None,
            ),
            Word("missing", "P", "Missing cells: refuse or category.", str, "refuse"),
            Word("missing_share", "W", "The weight of whether a number is missing.", float, 1.0),
        ),
        _attributes,
    ),
}


def lines(audit: Audit) -> list[tuple[str, str]]:
    """What perturbation says of itself."""
    achieved = audit["achieved"] or {}
    return [
        *((name, _through(described)) for name, described in achieved["columns"].items()),
        ("linkage", f"at most 1/{achieved['k']:.6g} (epsilon {achieved['epsilon']:.4g} a record)"),
        ("noise", achieved["status"]),
        *(("warning", warning) for warning in achieved["warnings"]),
    ]


def _through(described: dict[str, Any]) -> str:
    if "scale" in described:
        return f"{described['mechanism']}, scale {described['scale']:.6g}"
    window = 2 * described["reach"] + 1
    kept = 100 * window * described["near_probability"]
    near = "true" if window == 1 else f"within {described['reach']} of the true one"
    return f"{described['mechanism']}, {described['cells']} cells, {kept:.1f} % {near}"


@releasing(Perturb, lines, SPELLED, "perturbing")
def perturb() -> None:
    """Perturb a file: no released row is linked to its record with a chance above 1/K.

    Every column is perturbed or left out. The file and OUT.audit.json appear when all checks pass;
    where one fails, OUT stays as it was, the audit says which, and the exit code is 3.
    """
