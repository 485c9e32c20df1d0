"""The command itself, to which the subcommands add themselves, and what they print alike."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

import tokumei

if TYPE_CHECKING:
    from tokumei.release.release import Audit

SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
}
app = typer.Typer(**SETTINGS)


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


@contextmanager
def progress(wanted: bool, what: str) -> Iterator[Callable[[float], object] | None]:
    """A progress bar on stderr, and the function that moves it."""
    if not wanted:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    from tokumei.release.phases import heard_by

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=1.0)
        with heard_by(lambda name: bar.update(task, description=name, refresh=True)):
            yield lambda done: bar.update(task, completed=done)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A word on a terminal while something is done whose length nobody knows."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def print_json(audit: Audit) -> None:
    from tokumei.release.audit import text

    print(text(audit), end="")


def shortened(names: Sequence[str], width: int = 66) -> str:
    text = ", ".join(names)
    if len(text) > width:
        text = text[:width].rsplit(", ", 1)[0] + ", ..."
    return f"{text} ({len(names)})"
