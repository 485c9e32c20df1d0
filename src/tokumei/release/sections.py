"""Three sections of a job that say nothing of what is done: source, gate, output."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tokumei import _check
from tokumei._check.options import Options, choice, nothing, option, optional, text

MissingCounts = Literal["value", "wildcard"]
Decimal = Literal[".", ","]


def _words(value: Any, name: str) -> tuple[str, ...]:
    """Words for a missing cell; in which order they are named says nothing."""
    if isinstance(value, str) or not isinstance(value, Sequence | set):
        msg = f"{name} must be a list of words, got {type(value).__name__}"
        raise TypeError(msg)
    return tuple(sorted({str(word).strip() for word in value} - {""}))


def _encoding(value: Any, name: str) -> str:
    try:
        "".encode(text(value, name))  # bytes have codecs too
        return codecs.lookup(value).name
    except LookupError:
        msg = f"{name} must be one that is known, such as utf-8, windows-1252 or utf-16"
        raise ValueError(msg) from None


@dataclass(frozen=True)
class Source(Options):
    """Where the records come from: a file, or a table in memory where no path is given."""

    path: str | None = option(
        None,
        rule=optional(text),
        help="A CSV, Parquet or Arrow file, or one of SPSS, Stata or SAS, by its ending.",
        shown=nothing,
    )
    na: Sequence[str] | None = option(
        None,
        rule=optional(_words),
        help="Words for missing cells; by default those of R and pandas, such as NA and NULL.",
    )
    decimal: Decimal | None = option(
        None,
        rule=optional(choice(*get_args(Decimal))),
        help="The mark of decimals in text, '.' or ','; found where all cells of a column agree.",
    )
    encoding: str | None = option(
        None,
        rule=optional(_encoding),
        help="The encoding of CSV, such as windows-1252; UTF-8 by default, UTF-16 by its mark.",
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
