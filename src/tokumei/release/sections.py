"""Four sections of a job that say nothing of what is done: source, gate, output, report."""

from __future__ import annotations

import codecs
import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tokumei import _check
from tokumei._check.options import Options, choice, nothing, option, optional, share, text

MissingCounts = Literal["value", "wildcard"]
Decimal = Literal[".", ","]
Files = Literal["parquet", "csv", "csv.gz", "csv.zst"]
# What a person can accept with a reason: checks of the gate's second half, and that none decides.
TOO_FEW = "too few records"
THROUGH_MASKED, ROW_ORDER = "linkage through masked columns", "row order"
WEIGHT, TOLD = "dominance of one weight", "masked columns told by others"
ACCEPTABLE = (
    "linkage through unmasked columns",
    "singling out",
    "linkability",
    "inference",
    THROUGH_MASKED,
    ROW_ORDER,
    WEIGHT,
    TOLD,
    TOO_FEW,
)
# The options by which the gate's second half judges.
FOUND = ("accept_risk", "singling_out", "linkability", "inference", "unmasked")


_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(://|::)")


def is_url(path: str) -> bool:
    """Whether a text is a URL, or several chained by "::", as fsspec reads them."""
    return "://" in path and _URL.match(path) is not None


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


def _reasons(value: Any, name: str) -> dict[str, str]:
    """A reason for each check that is accepted."""
    if not isinstance(value, Mapping):
        msg = f"{name} must map checks to reasons, got {type(value).__name__}"
        raise TypeError(msg)
    for check, reason in value.items():
        if check not in ACCEPTABLE:
            msg = f"{name} knows {', '.join(map(repr, ACCEPTABLE))}; got another check"
            raise ValueError(msg)
        if not text(reason, f"the reason of {check!r}").strip():
            msg = f"{name} needs a reason for {check!r}"
            raise ValueError(msg)
    return dict(value)


def _day(value: Any, name: str) -> str:
    """A day, as ISO 8601 writes it."""
    try:
        return datetime.date.fromisoformat(text(value, name)).isoformat()
    except ValueError:
        msg = f"{name} must be a day, such as 2030-12-31"
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
    accept_risk: Mapping[str, str] = option(
        {},
        rule=_reasons,
        help="Release in spite of a check that failed: its name, and the reason.",
    )
    singling_out: float = option(
        0.10, rule=share, help="The risk of singling out that is allowed, over control."
    )
    linkability: float = option(
        0.05, rule=share, help="The risk of linkability that is allowed, over control."
    )
    inference: float = option(
        0.10, rule=share, help="The risk of inference that is allowed, over control and 1/k."
    )
    unmasked: float | None = option(
        None, rule=optional(share), help="Right links through unmasked columns; 1/k by default."
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
    files: Files | None = option(
        None,
        rule=optional(choice(*get_args(Files))),
        help="Of a folder: parquet, csv, csv.gz or csv.zst; as it was read by default.",
    )


def page(value: Any, name: str) -> str:
    """A file of HTML; another ending may be that of a table, which must not be overwritten."""
    if not text(value, name).lower().endswith((".html", ".htm")):
        msg = f"{name} must end in .html"
        raise ValueError(msg)
    return str(value)


@dataclass(frozen=True)
class Report(Options):
    """The report of a release, for the person who decides on it."""

    path: str | None = option(
        None,
        rule=optional(page),
        help="An HTML file that says what was decided, lost and risked; not for publication.",
        keyword="report",
        shown=nothing,
    )
    recipient: str | None = option(
        None, rule=optional(text), help="Who gets the release; said in audit and report."
    )
    environment: str | None = option(
        None, rule=optional(text), help="Where it will be used and by what rules; likewise."
    )
    review: str | None = option(
        None, rule=optional(_day), help="The day by which the decision is looked at again."
    )
