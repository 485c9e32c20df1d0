"""Cells that follow from the identifier of their record: its digest, its place in an order."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tokumei.release.gate.candidate import Candidate

SAMPLED = 1000  # records that are looked at, spread over all
ENOUGH = 20  # records whose order is no chance: 1 in 20!
DIGESTS = ("md5", "sha1", "sha256", "sha512")


def told(candidate: Candidate, column: str, name: str, *, numeric: bool) -> str:
    """How the cells follow from the identifiers, as a verb; "" where they do not."""
    every = -(-candidate.original.num_rows // SAMPLED)
    cell = f"CAST({column} AS {'DOUBLE' if numeric else 'VARCHAR'})"
    place = name[1:]
    found = candidate.ask(
        f"SELECT {cell}, t{place}, n{place} FROM {candidate.made} AS m POSITIONAL JOIN identifiers "
        f"WHERE m.rowid % {every} = 0 AND {column} IS NOT NULL AND t{place} IS NOT NULL"
    )
    if not numeric and any(_is_digest(cell, text) for cell, text, _ in found):
        return "is a digest of"
    if len(found) >= ENOUGH and _in_order(found, numeric=numeric):
        return "stands in the order of"
    return ""


def _is_digest(cell: str, text: str) -> bool:
    if len(cell) < 32:
        return False
    forms = {text, text.strip(), text.strip().lower(), text.strip().upper()}
    made = (hashlib.new(d, form.encode(), usedforsecurity=False) for d in DIGESTS for form in forms)
    return cell.strip().lower() in {each.hexdigest() for each in made}


def _in_order(found: Sequence[tuple[Any, str, float | None]], *, numeric: bool) -> bool:
    """Whether cells only rise, or only fall, from one identifier to the next."""
    names: list[Any] | None = _numbers([number for _, _, number in found])
    if names is None:
        names = [text for _, text, _ in found]
    cells = [cell for cell, _, _ in found]
    if not numeric:
        cells = _numbers(cells) or cells
    ordered = [cell for _, cell in sorted(zip(names, cells, strict=True))]
    up = all(one < other for one, other in pairwise(ordered))
    down = all(one > other for one, other in pairwise(ordered))
    return (up or down) and len(set(names)) == len(names)


def _numbers(values: Sequence[Any]) -> list[float] | None:
    try:
        return [float(value) for value in values]
    except (TypeError, ValueError):
        return None
