"""The subcommand ``tokumei report``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tokumei.commands.app import app
from tokumei.release.errors import as_input_error
from tokumei.release.sections import Report


@app.command()
def report(
    release: Annotated[
        Path,
        typer.Argument(metavar="RELEASE", readable=False, help="What was released, or refused."),
    ],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", readable=False, help="The report, a file of HTML.")
    ],
    comparison: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What compare --json printed, to be shown beside it."),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Leave out what only the private record has.")
    ] = False,
) -> None:
    """Write the report of a release: what was decided, lost and risked, on one page.

    It is made of what stands beside RELEASE: the private record, or the audit.
    """
    from tokumei import release as releases
    from tokumei.release import engines

    with engines.needed():
        from tokumei.release.report import pages
    place = Report(path=str(target))
    pages.check(place)
    beside = None
    if comparison is not None:
        with as_input_error(f"cannot read {comparison.name}"):
            beside = json.loads(comparison.read_text(encoding="utf-8"))
    pages.write(target, releases.report(release, comparison=beside, public=public))
