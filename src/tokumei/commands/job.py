"""The subcommands ``tokumei run`` and ``tokumei schema``: a job in a file."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from tokumei import _check
from tokumei.commands.app import app
from tokumei.commands.releasing import released
from tokumei.release.errors import InputError
from tokumei.release.job import Job
from tokumei.release.mask.step import Microaggregate


@app.command()
def run(
    job: Annotated[Path, typer.Argument(metavar="JOB", readable=False, help="A job in TOML.")],
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Number of threads; all there are by default.")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="S", help="Seconds that the search for groups may take."),
    ] = None,
    storage_options: Annotated[
        str | None, typer.Option(metavar="FILE", help="Of a folder behind a URL: as for mask.")
    ] = None,
    staging: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Of a URL as output: where it is made.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and how long it may take.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the audit as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing when all is well.")] = False,
) -> None:
    """Run a job: source, schema, steps, privacy, gate and output are read from a file.

    Paths in it are taken from the folder of the file. ``tokumei schema`` says what it may hold.
    """
    from tokumei.release import engines

    for step in ("mask", "recode", "perturb"):  # each says what it came to
        import_module(f"tokumei.commands.{step}")
    with engines.needed():
        from tokumei.release import job_files

    def read(callback: _check.Callback | None) -> Job:
        return within(job_files.read(job, _check.run(threads, callback)), time_limit)

    given = {"as_json": as_json, "quiet": quiet, "dry_run": dry_run}
    released(read, "releasing", given | {"storage_options": storage_options, "staging": staging})


def within(job: Job, time_limit: float | None) -> Job:
    """A job whose searches end after so many seconds, where a limit is given."""
    if time_limit is None:
        return job
    try:
        steps = tuple(
            replace(step, time_limit=time_limit) if isinstance(step, Microaggregate) else step
            for step in job.steps
        )
    except (TypeError, ValueError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    return replace(job, steps=steps)


@app.command()
def schema() -> None:
    """Print the JSON Schema of a job file."""
    from tokumei.release import job_files

    print(job_files.schema_text(), end="")
