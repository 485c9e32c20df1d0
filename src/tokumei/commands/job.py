"""The subcommands ``tokumei run`` and ``tokumei schema``: a job in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei import _check
from tokumei.commands.app import app
from tokumei.commands.releasing import released
from tokumei.release.release import Release


@app.command()
def run(
    job: Annotated[Path, typer.Argument(metavar="JOB", readable=False, help="A job in TOML.")],
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Number of threads; all there are by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the audit as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing when all is well.")] = False,
) -> None:
    """Run a job: source, schema, steps, privacy, gate and output are read from a file.

    Paths in it are taken from the folder of the file. ``tokumei schema`` says what it may hold.
    """
    from tokumei.release import engines

    with engines.needed():
        from tokumei.release import job_files, pipeline

    def ask(callback: _check.Callback | None) -> Release:
        return pipeline.from_file(job_files.read(job, _check.run(threads, callback)))

    released(ask, "releasing", {"as_json": as_json, "quiet": quiet})


@app.command()
def schema() -> None:
    """Print the JSON Schema of a job file."""
    from tokumei.release import job_files

    print(job_files.schema_text(), end="")
