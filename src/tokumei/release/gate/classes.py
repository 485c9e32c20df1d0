"""How many released records are alike: a missing cell is a value of its own, or any value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tokumei.release.gate.candidate import Candidate, text_of


def classes(candidate: Candidate, columns: Sequence[str], cells: str) -> tuple[int, int]:
    """The size of the smallest class of records with the same cells, and how many classes."""
    # GROUP BY takes what is missing as a value of its own, equal to itself only.
    found = candidate.ask(
        "SELECT coalesce(min(records), 0), count(*) FROM "
        f"(SELECT count(*) AS records FROM {cells} GROUP BY {', '.join(columns)})"
    )
    return int(found[0][0]), int(found[0][1])


def with_wildcards(candidate: Candidate) -> int | None:
    """The least number of records that one can be taken for, a missing cell being any value.

    None where no cell is missing. Records are counted by which of their cells are missing: one
    count for two such patterns, over the columns in which neither has a hole.
    """
    columns = range(len(candidate.quasi))
    texts = [text_of(column) for column in candidate.quasi]
    missing = " OR ".join(candidate.missing_in(column) for column in candidate.quasi)
    if not candidate.count(f"SELECT count(*) FROM {candidate.cells} WHERE {missing}"):
        return None
    values = ", ".join(f"{text} AS v{j}" for j, text in enumerate(texts))
    holes = " + ".join(f"if({text} IS NULL, {1 << j}, 0)" for j, text in enumerate(texts))
    candidate.ask(
        "CREATE OR REPLACE TEMP TABLE classes AS SELECT row_number() OVER () AS class, * FROM "
        f"(SELECT {values}, {holes} AS holes, count(*) AS records FROM {candidate.cells} "
        "GROUP BY ALL)"
    )
    patterns = [int(row[0]) for row in candidate.ask("SELECT DISTINCT holes FROM classes")]
    return min(_fewest(candidate, own, patterns, columns) for own in patterns)


def _fewest(candidate: Candidate, own: int, patterns: Sequence[int], columns: range) -> int:
    """The same for the records with one pattern of missing cells."""
    by_shared: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for other in patterns:
        by_shared[tuple(j for j in columns if not (own | other) >> j & 1)].append(other)
    alike = " UNION ALL ".join(
        f"SELECT class, b.records FROM classes AS a JOIN (SELECT {_listed(shared)}"
        f"sum(records) AS records FROM classes WHERE holes IN ({', '.join(map(str, others))}) "
        f"GROUP BY ALL) AS b ON a.holes = {own}{_equal(shared)}"
        for shared, others in by_shared.items()
    )
    sums = f"SELECT sum(records) AS records FROM ({alike}) GROUP BY class"
    return candidate.count(f"SELECT min(records) FROM ({sums})")


def _listed(columns: Sequence[int]) -> str:
    return "".join(f"v{j}, " for j in columns)


def _equal(columns: Sequence[int]) -> str:
    return "".join(f" AND a.v{j} = b.v{j}" for j in columns)
