"""The subcommand ``tokumei verify``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei.commands.app import app, print_json


@app.command()
def verify(
    release: Annotated[
        Path, typer.Argument(metavar="RELEASE", readable=False, help="A file that was released.")
    ],
    audit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its audit; RELEASE.audit.json by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the audit as JSON.")] = False,
) -> None:
    """Check that a file is, to the bit, the one that its audit describes, and the audit whole."""
    from tokumei import release as releases
    from tokumei.release import engines

    with engines.needed():
        record = releases.verify(release, audit=audit)
    if as_json:
        print_json(record)
        return
    passed = sum(check["verdict"] == "passed" for check in record["checks"])
    of = f"{passed} of {len(record['checks'])} checks passed"
    print(f"{release} is what its audit describes: {of}")
