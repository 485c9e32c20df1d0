"""Three sections of a job that say nothing of what is done: source, gate, output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tokumei import _check
from tokumei._check.options import Options, choice, nothing, option, optional, text

MissingCounts = Literal["value", "wildcard"]


@dataclass(frozen=True)
class Source(Options):
    """Where the records come from: a file, or a table in memory where no path is given."""

    path: str | None = option(
        None,
        rule=optional(text),
        help="A CSV, Parquet or Arrow file, by its ending.",
        shown=nothing,
    )
    delimiter: str | None = option(
        None,
        rule=optional(text),
        help="What separates cells in CSV; found in its header line.",
    )
    header: bool | None = option(
        None,
        rule=optional(_check.flag),
        help="The first line of CSV has the names of columns; one that looks like data is refused.",
    )


@dataclass(frozen=True)
class Gate(Options):
    """How the gate judges what was written."""

    missing: MissingCounts = option(
        "value",
        rule=choice(*get_args(MissingCounts)),
        help="Missing cells count in k as a value of their own, or as wildcard for any value.",
        keyword="missing_counts_as",
    )


@dataclass(frozen=True)
class Output(Options):
    """Where the release goes, and in which order."""

    path: str | None = option(
        None,
        rule=optional(text),
        help="The released file; its audit is put beside it.",
        shown=nothing,
    )
    keep_order: bool = option(False, rule=_check.flag, help="Do not shuffle rows.")
