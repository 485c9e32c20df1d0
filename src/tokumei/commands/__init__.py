"""The subcommands of ``tokumei``: their options, and what they print when all went well."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import typer

from tokumei.commands import (
    assess,
    attack,
    compare,
    job,
    mask,
    perturb,
    recode,
    reconstruct,
    report,
    verify,
)
from tokumei.commands.app import app

__all__ = [
    "app",
    "assess",
    "attack",
    "built",
    "compare",
    "job",
    "mask",
    "perturb",
    "recode",
    "reconstruct",
    "report",
    "run",
    "verify",
]


@cache
def built() -> Any:
    """All subcommands, as the parser of command lines has them."""
    return typer.main.get_command(app)


def run(arguments: Sequence[str]) -> int:
    """Run a command line; its exit code, or the exception it ended with."""
    try:
        code = built().main(args=list(arguments), prog_name="tokumei", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    if code == 130:  # what newer versions of typer make of Ctrl-C
        raise KeyboardInterrupt
    return code or 0
