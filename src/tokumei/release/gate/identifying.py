"""Whether a released column tells whose a record is: by its identifier, or by what follows from it.

Cells are held against the identifier of their own record, as both stand in the input, and against
what chance shows: the same cells beside the identifiers of other records.
"""

from __future__ import annotations

import math

import pyarrow as pa

from tokumei.release.gate import chance, functions_of
from tokumei.release.gate.answers import Answer
from tokumei.release.gate.candidate import Candidate
from tokumei.release.io.frames import columns_of
from tokumei.release.io.lending import as_in_csv, lendable

SHORTEST = 4  # characters of an identifier that is looked for inside a text
TURNS = 32  # other records whose identifiers each text is held against
LIKENESS = 0.9  # of the records with a value that others have too: those with one identifier
NUMERIC = ("INT", "FLOAT", "DOUBLE", "DECIMAL")
WHAT_TO_DO = "name what tells an identifier as identifier, or drop it"


def identifying(candidate: Candidate) -> Answer:
    """No released column equals, holds or determines an identifier more than by chance."""
    identifiers = candidate.schema.of("identifier")
    if not identifiers:
        return True, "no identifier is named", {}
    if candidate.origin.scattered:
        return True, "no cell stands in the row of its identifier", {}
    _lend(candidate, identifiers)
    found = [
        f"column {candidate.names[int(column[1:])]!r} {how} identifier {name!r}"
        for place, name in enumerate(identifiers)
        for column in candidate.released
        if (how := _how(candidate, column, f"i{place}"))
    ]
    return not found, "; ".join([*found, WHAT_TO_DO]) if found else "none tells any", {}


def _lend(candidate: Candidate, identifiers: list[str]) -> None:
    """The table `identifiers`: i0 as a text to compare, n0 as a number, t0 as it stands there..."""
    read = columns_of(candidate.origin.read, identifiers)
    texts = [as_in_csv(lendable(column)) for column in read.columns]
    names = [f"t{place}" for place in range(len(texts))]
    candidate.connection.register("lent_names", pa.table(texts, names=names))
    columns = ", ".join(
        f"nullif(lower(trim(CAST(t{j} AS VARCHAR))), '') AS i{j}, "
        f"TRY_CAST(t{j} AS DOUBLE) AS n{j}, CAST(t{j} AS VARCHAR) AS t{j}"
        for j in range(len(texts))
    )
    candidate.ask(f"CREATE TEMP TABLE identifiers AS SELECT {columns} FROM lent_names")


def _how(candidate: Candidate, column: str, name: str) -> str:
    """How a column tells an identifier, as a verb; "" where it does not."""
    kind, number = candidate.made_kinds[column], name.replace("i", "n")
    nested = kind[-1] == "]" or kind.startswith(("STRUCT", "MAP"))
    numeric = any(each in kind for each in NUMERIC) and not nested
    text = f"lower(trim(CAST({column} AS VARCHAR)))"
    if not numeric and _equal(candidate, text, name):
        return "equals"
    if (numeric or kind == "VARCHAR") and _equal(
        candidate, f"TRY_CAST({column} AS DOUBLE)", number
    ):
        return "equals"
    if "VARCHAR" in kind and _holds(candidate, text, name):
        return "holds"
    if _determines(candidate, column, name):
        return "determines"
    return functions_of.told(candidate, column, name, numeric=numeric)


def _beside(candidate: Candidate) -> str:
    return f"{candidate.made} POSITIONAL JOIN identifiers"


def _equal(candidate: Candidate, cell: str, name: str) -> bool:
    found = candidate.count(f"SELECT count(*) FROM {_beside(candidate)} WHERE {cell} = {name}")
    if not found:
        return False
    mean = candidate.ask(
        f"SELECT sum(a.n * b.n / (SELECT count(*) FROM identifiers)) FROM "
        f"(SELECT {cell} AS v, count(*) AS n FROM {candidate.made} GROUP BY v) AS a JOIN "
        f"(SELECT {name} AS v, count(*) AS n FROM identifiers GROUP BY v) AS b ON a.v = b.v"
    )[0][0]
    return chance.beyond(found, float(mean), 1e-6)


def _holds(candidate: Candidate, text: str, name: str) -> bool:
    """Whether texts hold the identifiers of their records; one made of digits whole, no part."""
    within = (
        f"contains({text}, {name}) AND length({name}) >= {SHORTEST} "
        f"AND NOT regexp_full_match({text}, '[-0-9 :./+tz,]*') "
        f"AND (NOT regexp_full_match({name}, '[0-9]+') "
        f"OR list_contains(regexp_extract_all({text}, '[0-9]+'), {name}))"
    )
    found = candidate.count(f"SELECT count(*) FROM {_beside(candidate)} WHERE {within}")
    if not found:
        return False
    records = candidate.original.num_rows
    turns = min(TURNS, records - 1)
    steps = {1 + turn * 2654435761 % (records - 1) for turn in range(turns)}
    by_chance = sum(
        candidate.count(
            f"SELECT count(*) FROM {candidate.made} AS m JOIN identifiers AS i "
            f"ON i.rowid = (m.rowid + {step}) % {records} WHERE {within}"
        )
        for step in steps
    )
    return not by_chance or chance.beyond(found, by_chance / len(steps), 1e-6)


def _determines(candidate: Candidate, column: str, name: str) -> bool:
    """Whether records with equal cells have one identifier, where identifiers are shared at all.

    A household is shared by its nature, and may be that of an identifier.
    """
    if column in candidate.household:
        return False
    shared, pairs, records = candidate.ask(
        "SELECT coalesce(sum(n) FILTER (WHERE n > 1), 0), coalesce(sum(n * (n - 1)), 0), "
        f"coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM identifiers WHERE {name} IS NOT NULL "
        f"GROUP BY {name})"
    )[0]
    if not shared or pairs == records * (records - 1):
        return False
    alike, of_one, more = candidate.ask(
        "SELECT coalesce(sum(n), 0), coalesce(sum(n) FILTER (WHERE one), 0), "
        "coalesce(sum(n - 1) FILTER (WHERE one), 0) FROM (SELECT count(*) AS n, "
        f"min({name}) = max({name}) AS one FROM {_beside(candidate)} "
        f"WHERE {column} IS NOT NULL AND {name} IS NOT NULL GROUP BY {column} HAVING n > 1)"
    )[0]
    by_chance = int(more) * math.log(int(pairs) / (int(records) * (int(records) - 1)))
    much = of_one >= LIKENESS * alike and 2 * of_one >= shared
    return bool(much and by_chance < math.log(chance.RARE))
