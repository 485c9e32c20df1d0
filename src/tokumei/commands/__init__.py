"""The subcommands of ``tokumei``: their options, and what they print when all went well.

One that is called is loaded alone; help and mistakes need all of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

import typer

from tokumei.commands.app import SETTINGS, app

__all__ = ["built", "run"]

# Where each subcommand is, in the order of the help.
MODULES = {
    "config": "app",
    "assess": "assess",
    "attack": "attack",
    "compare": "compare",
    "run": "job",
    "schema": "job",
    "mask": "mask",
    "perturb": "perturb",
    "recode": "recode",
    "reconstruct": "reconstruct",
    "report": "report",
    "verify": "verify",
}


@cache
def built(*names: str) -> Any:
    """The subcommands of these names, or all of them, as the parser of command lines has them."""
    for name in names or MODULES:
        import_module(f"tokumei.commands.{MODULES[name]}")
    added = {one.callback.__name__: one for one in app.registered_commands if one.callback}
    chosen = typer.Typer(**SETTINGS)
    chosen.registered_callback = app.registered_callback
    chosen.registered_commands = [added[name] for name in names or MODULES]
    return typer.main.get_command(chosen)


def run(arguments: Sequence[str]) -> int:
    """Run a command line; its exit code, or the exception it ended with."""
    called = built(arguments[0]) if _is_called(arguments) else built()
    try:
        code = called.main(args=list(arguments), prog_name="tokumei", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    if code == 130:  # what newer versions of typer make of Ctrl-C
        raise KeyboardInterrupt
    return code or 0


def _is_called(arguments: Sequence[str]) -> bool:
    """Whether the line begins with a subcommand, and is no question for words to complete."""
    return bool(arguments) and arguments[0] in MODULES and "_TOKUMEI_COMPLETE" not in os.environ
