"""Whether masking happened, to the extent that the groups ask for.

A group publishes one value for all its records, so that all cells change but those that had it: at
most as many as had its most frequent value. Where fewer changed, groups were not published.
"""

from __future__ import annotations

import pyarrow as pa

from tokumei.release.errors import counted, named
from tokumei.release.gate.answers import Answer
from tokumei.release.gate.candidate import Candidate, number_of, text_of

# Groups of about so many records are asked what is to change, spread over all.
RECORDS_ASKED = 1 << 17


def masked(candidate: Candidate) -> Answer:
    """In each masked column as many cells changed as the groups ask for, or more."""
    labels = candidate.groups
    if labels is None:
        return False, "no groups are known", {}
    every = -(-len(labels) // RECORDS_ASKED)
    candidate.connection.register("groups", pa.table({"g": labels}))
    was, becomes = _values(candidate)
    apart = [f"{a} IS DISTINCT FROM {b}" for a, b in zip(was, becomes, strict=True)]
    of_all = [_counted(each) for each in apart]
    of_asked = [_counted(f"g % {every} = 0 AND {each}") for each in apart]
    (rows, *counts) = candidate.ask(
        f"SELECT {', '.join([_counted(' OR '.join(apart)), *of_all, *of_asked])} "
        f"FROM original POSITIONAL JOIN {candidate.made} POSITIONAL JOIN groups"
    )[0]
    changed, found = counts[: len(was)], counts[len(was) :]
    least = [_least(candidate, each, every) for each in was]
    names = candidate.schema.of("quasi")
    few = [name for name, n, asked in zip(names, found, least, strict=True) if n < asked]
    if few:
        which = f"{named(few)} {'have' if len(few) > 1 else 'has'} fewer changed cells"
        return False, f"{which} than the groups ask for", {"changed_rows": rows}
    shares = ", ".join(f"{100.0 * count / len(labels):.3g} %" for count in changed)
    detail = f"{counted(rows, 'record')} changed; of the cells of each column {shares}"
    return True, detail, {"changed_rows": rows}


def _counted(condition: str) -> str:
    return f"count(*) FILTER (WHERE {condition})"


def _values(candidate: Candidate) -> tuple[list[str], list[str]]:
    """The cells of the masked columns, as they were and as they become, so that they compare."""
    pairs = zip(candidate.quasi, candidate.expected, strict=True)
    ways = [(number_of if expected.number else text_of, column) for column, expected in pairs]
    return [way(f"q{j}") for j, (way, _) in enumerate(ways)], [way(column) for way, column in ways]


def _least(candidate: Candidate, value: str, every: int) -> int:
    """How many cells change at least in every so many-th group, whatever one value it publishes."""
    return candidate.count(
        "SELECT coalesce(sum(records - most), 0) FROM (SELECT sum(n) AS records, max(n) AS most "
        f"FROM (SELECT g, count(*) AS n FROM original POSITIONAL JOIN groups WHERE g % {every} = 0 "
        f"GROUP BY g, {value}) GROUP BY g)"
    )
