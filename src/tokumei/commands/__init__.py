"""The subcommands of ``tokumei``: their options, and what they print when all went well."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

import tokumei

NAMES = "a,b,c"

app = typer.Typer(
    help="Make tables of people or companies publishable.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def run(arguments: Sequence[str]) -> int:
    """Run a command line; its exit code, or the exception it ended with."""
    command = typer.main.get_command(app)
    try:
        code = command.main(args=list(arguments), prog_name="tokumei", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    if code == 130:  # what newer versions of typer make of Ctrl-C
        raise KeyboardInterrupt
    return code or 0


def _version(wanted: bool) -> None:
    if wanted:
        print(f"tokumei {tokumei.__version__}")
        raise typer.Exit


@app.callback()
def tokumei_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Make tables of people or companies publishable."""


@app.command()
def config() -> None:
    """Show versions, compiler, instruction sets and threads."""
    try:
        tokumei.show_config()
    except ValueError as error:  # of a variable of the environment
        raise typer.BadParameter(str(error)) from None


@app.command()
def mask(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", readable=False, help="A CSV, Parquet or Arrow file, by its ending."
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT", readable=False, help="The masked file; its audit is put beside it."
        ),
    ],
    quasi: Annotated[
        list[str],
        typer.Option(metavar=NAMES, help="Columns that together may name a person: masked."),
    ],
    k: Annotated[
        int, typer.Option("-k", metavar="K", help="Least number of records that become alike.")
    ] = 5,
    identifier: Annotated[
        list[str], typer.Option(metavar=NAMES, help="Columns that name a person: left out.")
    ] = [],  # noqa: B006 - typer copies it
    sensitive: Annotated[
        list[str], typer.Option(metavar=NAMES, help="What must not become known of a person: kept.")
    ] = [],  # noqa: B006
    other: Annotated[
        list[str],
        typer.Option(metavar=NAMES, help="Harmless columns: kept. '*' is all that are left."),
    ] = [],  # noqa: B006
    nominal: Annotated[
        list[str], typer.Option(metavar=NAMES, help="Categories though they look like numbers.")
    ] = [],  # noqa: B006
    ordinal: Annotated[
        list[str], typer.Option(metavar="NAME=A<B<C", help="Ordered categories, from the lowest.")
    ] = [],  # noqa: B006
    tree: Annotated[
        list[str],
        typer.Option(metavar="NAME=FILE", help="A hierarchy in CSV: a row a value, up to the top."),
    ] = [],  # noqa: B006
    represent: Annotated[
        list[str],
        typer.Option(metavar="NAME=HOW,...", help="mean, median, mode, interval, set, ancestor."),
    ] = [],  # noqa: B006
    weight: Annotated[
        str | None, typer.Option(metavar="NAME", help="Survey weights: means are weighted.")
    ] = None,
    household: Annotated[
        str | None, typer.Option(metavar="NAME", help="Households, which k then counts.")
    ] = None,
    strata: Annotated[
        list[str], typer.Option(metavar=NAMES, help="Columns whose values groups never cross.")
    ] = [],  # noqa: B006
    missing: Annotated[
        str, typer.Option(metavar="P", help="Missing cells: refuse, category or impute.")
    ] = "refuse",
    method: Annotated[
        str, typer.Option(metavar="M", help="How groups are formed: auto or a method's name.")
    ] = "auto",
    effort: Annotated[
        str,
        typer.Option(metavar="E", help="How long auto refines: fast, balanced, best, a number."),
    ] = "balanced",
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
    """Mask a file: records share their quasi-identifiers, k or more of them, and it is checked.

    Every column needs a role. The masked file and OUT.audit.json appear when all checks pass; where
    one fails, OUT stays as it was, the audit says which, and the exit code is 3.
    """
    from tokumei import release
    from tokumei.commands import options
    from tokumei.release.io.staging import ending_raises

    start = time.perf_counter()
    try:
        with (
            ending_raises(),
            progress(sys.stderr.isatty() and not quiet, "masking") as callback,
        ):
            done = release.mask_file(
                source,
                target,
                k,
                quasi=split_names(quasi),
                identifier=split_names(identifier),
                sensitive=split_names(sensitive),
                other="*" if "*" in other else split_names(other),
                kinds=dict.fromkeys(split_names(nominal), "nominal"),
                orders=options.orders(ordinal),
                trees=options.trees(tree),
                represent=options.pairs("represent", split_names(represent)),
                weight=weight,
                household=household,
                strata=split_names(strata),
                missing=missing,
                method=method,
                effort=options.effort(effort),
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


def split_names(given: Sequence[str]) -> list[str]:
    """The names in a,b,c; one that holds a comma is put in quotes, as in CSV."""
    return [name for line in csv.reader(given, skipinitialspace=True) for name in line]


@contextmanager
def progress(wanted: bool, what: str) -> Iterator[Callable[[float], object] | None]:
    """A progress bar on stderr, and the function that moves it."""
    if not wanted:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda done: bar.update(task, completed=done)


def print_json(audit: dict[str, Any]) -> None:
    from tokumei.release.audit import text

    print(text(audit), end="")


def _print_summary(audit: dict[str, Any], target: Path, seconds: float) -> None:
    from tokumei.release.io.staging import audit_of

    job, achieved = audit["job"], audit["achieved"]
    by_role: dict[str, list[str]] = {}
    for name, role in job["roles"].items():
        by_role.setdefault(role, []).append(name)
    lines = [("rows", f"{achieved['rows']:,}")]
    lines += [(role, shortened(names)) for role, names in by_role.items()]
    passed = sum(check["verdict"] == "passed" for check in audit["checks"])
    lines += [
        ("method", f"{achieved['method']}, k = {job['parameters']['k']}"),
        ("groups", f"{achieved['groups']:,}, smallest class {achieved['k']}"),
        ("loss", f"{achieved['loss_percent']:.2f} % (SSE/SST of the quasi-identifiers)"),
        ("checks", f"{passed} of {len(audit['checks'])} passed"),
        ("written", f"{target} and {audit_of(target).name}"),
        ("time", f"{seconds:.1f} s"),
    ]
    for name, value in lines:
        print(f"{name:<11} {value}")


def shortened(names: Sequence[str], width: int = 66) -> str:
    text = ", ".join(names)
    if len(text) > width:
        text = text[:width].rsplit(", ", 1)[0] + ", ..."
    return f"{text} ({len(names)})"


from tokumei.commands import perturb as perturb  # noqa: E402 - it adds itself to the app
from tokumei.commands import reconstruct as reconstruct  # noqa: E402
