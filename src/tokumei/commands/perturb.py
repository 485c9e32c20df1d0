"""The subcommand ``tokumei perturb``."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.commands import NAMES, app, print_json, progress, shortened, split_names


@app.command()
def perturb(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", readable=False, help="A CSV, Parquet or Arrow file, by its ending."
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT", readable=False, help="The perturbed file; its audit is put beside it."
        ),
    ],
    column: Annotated[
        list[str],
        typer.Option(
            metavar="NAME:LOW:HIGH[:integer]",
            help="A column to release and its public bounds; or NAME:A|B|C, all its categories.",
        ),
    ],
    k: Annotated[
        int, typer.Option("-k", metavar="K", help="Linkage succeeds with at most 1 in K.")
    ] = 5,
    identifier: Annotated[
        list[str], typer.Option(metavar=NAMES, help="Columns that name a person: left out.")
    ] = [],  # noqa: B006 - typer copies it
    drop: Annotated[
        list[str],
        typer.Option(metavar=NAMES, help="Other columns to leave out. '*' is all that are left."),
    ] = [],  # noqa: B006
    mechanism: Annotated[
        list[str],
        typer.Option(
            metavar="[NAME=]M",
            help="laplace, randomized-response or square-wave, for all columns or for one.",
        ),
    ] = [],  # noqa: B006
    share: Annotated[
        list[str],
        typer.Option(metavar="NAME=W", help="A column's weight in the budget; 1 by default."),
    ] = [],  # noqa: B006
    cells: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=M", help="Number of cells, for randomized-response and square-wave."
        ),
    ] = [],  # noqa: B006
    max_retention: Annotated[
        float | None,
        typer.Option(metavar="P", help="Largest chance of a true cell under randomized-response."),
    ] = None,
    clip: Annotated[
        bool, typer.Option("--clip", help="Move values outside the bounds to the nearest one.")
    ] = False,
    missing: Annotated[
        str, typer.Option(metavar="P", help="Missing cells: refuse or category.")
    ] = "refuse",
    missing_share: Annotated[
        float, typer.Option(metavar="W", help="The weight of whether a number is missing.")
    ] = 1.0,
    bounds: Annotated[
        str,
        typer.Option(
            metavar="B", help="public; or data, which takes bounds from cells and guards nothing."
        ),
    ] = "public",
    keep_order: Annotated[bool, typer.Option("--keep-order", help="Do not shuffle rows.")] = False,
    delimiter: Annotated[
        str | None,
        typer.Option(metavar="D", help="What separates cells in CSV; found in its header line."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Number of threads; all there are by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the audit as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing when all is well.")] = False,
) -> None:
    """Perturb a file: no released row is linked to its record with a chance above 1/K.

    Every column is perturbed or left out. The file and OUT.audit.json appear when all checks pass;
    where one fails, OUT stays as it was, the audit says which, and the exit code is 3.
    """
    from tokumei import release
    from tokumei.commands import options
    from tokumei.release.io.staging import ending_raises

    start = time.perf_counter()
    try:
        with (
            ending_raises(),
            progress(sys.stderr.isatty() and not quiet, "perturbing") as callback,
        ):
            done = release.perturb_file(
                source,
                target,
                k,
                attributes=options.attributes(
                    column,
                    mechanism=mechanism,
                    share=share,
                    cells=cells,
                    max_retention=max_retention,
                    missing=missing,
                    missing_share=missing_share,
                ),
                identifier=split_names(identifier),
                drop="*" if "*" in drop else split_names(drop),
                clip=clip,
                bounds=bounds,
                keep_order=keep_order,
                delimiter=delimiter,
                n_threads=threads,
                callback=callback,
            )
    except release.Refused as refusal:
        if as_json:
            print_json(refusal.audit)
        raise
    if as_json:
        print_json(done.audit)
    elif not quiet:
        _print_summary(done.audit, target, time.perf_counter() - start)


def _print_summary(audit: dict[str, Any], target: Path, seconds: float) -> None:
    from tokumei.release.io.staging import audit_of

    achieved = audit["achieved"]
    left_out = [n for n, role in audit["job"]["roles"].items() if role != "perturbed"]
    lines = [("rows", f"{achieved['rows']:,}")]
    lines += [(name, _through(told)) for name, told in achieved["columns"].items()]
    lines += [("left out", shortened(left_out))] if left_out else []
    passed = sum(check["verdict"] == "passed" for check in audit["checks"])
    lines += [
        ("linkage", f"at most 1/{achieved['k']:.6g} (epsilon {achieved['epsilon']:.4g} a record)"),
        ("noise", achieved["status"]),
        *(("warning", warning) for warning in achieved["warnings"]),
        ("checks", f"{passed} of {len(audit['checks'])} passed"),
        ("written", f"{target} and {audit_of(target).name}"),
        ("time", f"{seconds:.1f} s"),
    ]
    for name, value in lines:
        print(f"{name:<11} {value}")


def _through(told: dict[str, Any]) -> str:
    if "scale" in told:
        return f"{told['mechanism']}, scale {told['scale']:.6g}"
    window = 2 * told["reach"] + 1
    kept = 100 * window * told["near_probability"]
    near = "true" if window == 1 else f"within {told['reach']} of the true one"
    return f"{told['mechanism']}, {told['cells']} cells, {kept:.1f} % {near}"
