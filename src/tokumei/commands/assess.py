"""The subcommand ``tokumei assess``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, TextIO

import typer

from tokumei.commands.app import app, waiting
from tokumei.commands.derive import split_names
from tokumei.release.errors import InputError, as_input_error


@app.command()
def assess(
    source: Annotated[
        Path,
        typer.Argument(metavar="IN", readable=False, help="A file of people or companies."),
    ],
    job: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Where the proposed job goes; overwritten with --force."),
    ] = Path("job.toml"),
    target: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="What the job is to write; IN with .released by default."),
    ] = None,
    na: Annotated[
        list[str], typer.Option(metavar="WORDS", help="Words for missing cells, NA,?,-9.")
    ] = [],  # noqa: B006 - typer copies it
    decimal: Annotated[
        str | None, typer.Option(metavar="D", help="The mark of decimals in text, '.' or ','.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="E", help="The encoding of CSV; UTF-8 by default.")
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(metavar="D", help="What separates cells in CSV.")
    ] = None,
    header: Annotated[
        bool | None,
        typer.Option("--header/--no-header", help="The first line of CSV has names of columns."),
    ] = None,
    risk_target: Annotated[
        float | None,
        typer.Option(metavar="RISK", help="Propose roles until no risk is above it, as 0.1."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a job file that is there.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Look at a file: what it holds, who could be found in it, and a job to begin with.

    The job is written to job.toml, or where --job says; nothing else is. No value of the data is
    printed or written. Edit the job, then: tokumei run job.toml
    """
    from tokumei import release
    from tokumei.release.io.staging import ending_raises

    if job.exists() and not force:
        msg = f"{job.name} exists, and may have been edited; name another by --job, or say --force"
        raise InputError(msg)
    with ending_raises(), waiting("assessing"):
        found = release.assess(
            source,
            na=split_names(na) if na else None,
            decimal=decimal,  # type: ignore[arg-type]  # checked there
            encoding=encoding,
            delimiter=delimiter,
            header=header,
            risk_target=risk_target,
        )
    text = found.job(job, source, target or released_name(source))
    with as_input_error(f"cannot write {job.name}"), _opened(job, force) as file:
        file.write(text)
    if as_json:
        print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
        return
    print(found)
    print(f"written   {job.resolve()}: edit it, then tokumei run {job}")


def _opened(job: Path, force: bool) -> TextIO:
    return job.open("w" if force else "x", encoding="utf-8")


def released_name(source: Path) -> Path:
    """Where a release of a file goes: beside it, in a format that can be written."""
    from tokumei.release.io import files

    ending = "".join(source.suffixes[-2:]) if files.layout_of(source, read=True).compression else ""
    stem = source.name.removesuffix(ending or source.suffix)
    can = files.layout_of(source, read=True).format not in files.READ_ONLY
    return source.with_name(f"{stem}.released{(ending or source.suffix) if can else '.parquet'}")
