"""The subcommands ``tokumei run`` and ``tokumei schema``: a job in a file."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from tokumei import _check
from tokumei.commands.app import app, print_json, progress

SUMMARIES = {"microaggregate": "tokumei.commands.mask", "perturb": "tokumei.commands.perturb"}


@app.command()
def run(
    job: Annotated[Path, typer.Argument(metavar="JOB", readable=False, help="A job in TOML.")],
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Number of threads; all there are by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the audit as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing when all is well.")] = False,
) -> None:
    """Run a job: source, schema, steps, privacy and output are read from a file.

    Paths in it are taken from the folder of the file. ``tokumei schema`` says what it may hold.
    """
    from tokumei.release import Refused, engines

    with engines.needed():
        from tokumei.release import job_files, pipeline
    from tokumei.release.io.staging import ending_raises

    start = time.perf_counter()
    try:
        with ending_raises(), progress(sys.stderr.isatty() and not quiet, "releasing") as callback:
            asked = job_files.read(job, _check.run(threads, callback))
            done = pipeline.from_file(asked)
    except Refused as refusal:
        if as_json:
            print_json(refusal.audit)
        raise
    if as_json:
        print_json(done.audit)
    elif not quiet:
        summary = import_module(SUMMARIES[asked.step.do]).summary
        for name, value in summary(done.audit, done.table, time.perf_counter() - start):
            print(f"{name:<11} {value}")


@app.command()
def schema() -> None:
    """Print the JSON Schema of a job file."""
    from tokumei.release import job_files

    print(job_files.schema_text(), end="")
