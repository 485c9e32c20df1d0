"""The subcommand ``tokumei reconstruct``."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.commands.app import app
from tokumei.commands.derive import NAMES, numbers, split_names

if TYPE_CHECKING:
    from tokumei.reconstruct import Categories, Distribution


@app.command()
def reconstruct(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", readable=False, help="A perturbed CSV, Parquet or Arrow file."
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(metavar="OUT", readable=False, help="Its cells: a .csv or .json file."),
    ],
    column: Annotated[
        list[str], typer.Option(metavar=NAMES, help="Columns; all that can be by default.")
    ] = [],  # noqa: B006 - typer copies it
    audit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="How IN was perturbed; IN.audit.json by default."),
    ] = None,
    laplace: Annotated[
        list[str],
        typer.Option(
            metavar="NAME:LOW:HIGH:SCALE[:integer]",
            help="A column with Laplace noise and its public bounds, instead of an audit.",
        ),
    ] = [],  # noqa: B006
    atom: Annotated[
        list[str],
        typer.Option(metavar="NAME=V", help="A value that many records share, such as 0."),
    ] = [],  # noqa: B006
    cells: Annotated[
        list[str], typer.Option(metavar="NAME=M", help="The number of cells of a column.")
    ] = [],  # noqa: B006
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it: .svg, .pdf or .png.")
    ] = None,
    delimiter: Annotated[
        str | None,
        typer.Option(metavar="D", help="What separates cells in CSV; found in its header line."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Number of threads; all there are by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the cells as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing when all is well.")] = False,
) -> None:
    """Reconstruct distributions behind a perturbed file: cells with probabilities and 90 % bands.

    What the noise was is read from the audit that tokumei perturb put beside the file.
    """
    from tokumei import release
    from tokumei.commands import options
    from tokumei.release.io.staging import ending_raises

    start = time.perf_counter()
    with ending_raises():
        found = release.reconstruct_file(
            source,
            target,
            columns=split_names(column),
            audit=audit,
            channels=options.laplace_channels(laplace) if laplace else None,
            atoms=options.several("atom", atom),
            cells={name: int(m) for name, m in numbers("cells", cells).items()},
            plot=plot,
            delimiter=delimiter,
            n_threads=threads,
        )
    if as_json:
        print(json.dumps({name: one.to_dict() for name, one in found.items()}, indent=2))
    elif not quiet:
        _print_summary(found, [target] if plot is None else [target, plot], start)


def _lines(name: str, one: Distribution | Categories) -> list[tuple[str, str]]:
    from tokumei.reconstruct import Categories

    if isinstance(one, Categories):
        most = sorted(zip(one.names, one.probabilities, strict=True), key=lambda each: -each[1])
        shares = ", ".join(f"{category} {share:.1%}" for category, share in most[:5])
        return [(name, f"{one.mechanism}, {len(one.names)} categories"), ("", shares)]
    middle = ", ".join(f"{value:.6g}" for value in one.quantile([0.25, 0.5, 0.75]))
    return [
        (name, f"{one.mechanism}, {len(one.probabilities)} cells, {one.method}"),
        ("", f"mean {one.mean():.6g}, standard deviation {one.std():.6g}, quartiles {middle}"),
    ]


def _print_summary(
    found: dict[str, Distribution | Categories], written: list[Path], start: float
) -> None:
    lines = [("rows", f"{max(one.records for one in found.values()):,}")]
    for name, one in found.items():
        lines += _lines(name, one)
        if one.says_nothing:
            few = f"{one.records:,} records under this noise say nothing of {name}"
            lines.append(("warning", f"{few}: even shares are as likely"))
    lines += [
        ("written", " and ".join(map(str, written))),
        ("time", f"{time.perf_counter() - start:.1f} s"),
    ]
    for name, value in lines:
        print(f"{name:<11} {value}")
