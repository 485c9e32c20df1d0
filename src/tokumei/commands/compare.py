"""The subcommand ``tokumei compare``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from tokumei.commands.app import app, progress
from tokumei.commands.derive import split_names
from tokumei.release.errors import InputError, as_input_error


@app.command()
def compare(
    job: Annotated[
        Path,
        typer.Argument(
            metavar="JOB", readable=False, help="A job in TOML; or a file of data, as assessed."
        ),
    ],
    k: Annotated[str, typer.Option("-k", metavar="N,...", help="Several k.")] = "3,5,10",
    methods: Annotated[
        list[str], typer.Option(metavar="M,...", help="How groups are formed; auto by default.")
    ] = ["auto"],  # noqa: B006 - typer copies it
    effort: Annotated[
        str, typer.Option(metavar="WORD", help="fast, balanced, best, optimal or a number.")
    ] = "fast",
    most_loss: Annotated[
        float | None, typer.Option(metavar="X", help="The most that may be lost, in %.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw risk and loss: .svg, .pdf or .png.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Number of threads; all there are by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the settings as JSON.")] = False,
) -> None:
    """Compare settings: which k, which method? Nothing is released.

    Every k is tried with every method; loss and risk stand side by side, and one is recommended.
    """
    from tokumei import release
    from tokumei.release.io.staging import ending_raises

    with ending_raises(), progress(sys.stderr.isatty(), "comparing") as callback:
        found = release.compare(
            job,
            k=_numbers(k),
            methods=split_names(methods),  # type: ignore[arg-type]  # checked there
            effort=float(effort) if effort.replace(".", "", 1).isdigit() else effort,  # type: ignore[arg-type]
            most_loss=most_loss,
            n_threads=threads,
            callback=callback,
        )
    if plot is not None:
        with as_input_error(f"cannot draw {plot.name}"):
            found.plot(plot)
    print(json.dumps(found.to_dict(), indent=2) if as_json else found)


def _numbers(text: str) -> list[int]:
    try:
        return [int(each) for each in text.split(",")]
    except ValueError:
        msg = "k is written as whole numbers with commas between them, such as 3,5,10"
        raise InputError(msg) from None
