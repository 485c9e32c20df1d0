"""The gate of a data set: each question is asked of every piece, and the answers add up.

Classes are counted where they were made, block by block: joining blocks can only enlarge classes,
so that the least of all blocks is a bound for the release. That the files hold these records and no
others is a keyed hash of the multiset (`release/gate/hashes.py`), taken of what was masked and of
what DuckDB reads from the files; both are sums of DuckDB's hashes under a key of the run.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tokumei.batch import hashes, means
from tokumei.batch.asked import Scattered
from tokumei.batch.blocks import Masked
from tokumei.batch.plan import Plan
from tokumei.release.gate.hashes import as_kind
from tokumei.release.io.files import Layout
from tokumei.release.io.lending import as_in_csv, lendable
from tokumei.release.io.written import written_file

WORDS = 1 << 64
LOOKED_AT = 1 << 16  # rows of a file whose order is looked at
NUMERIC = ("INT", "FLOAT", "DOUBLE", "DECIMAL")
_here = threading.local()


@dataclass
class Facts:
    """What is known of masked blocks together."""

    rows: int = 0
    least: int = 0  # records in the smallest class; 0 where there is none
    classes: int = 0
    groups: int = 0
    lost: list[float] = field(default_factory=list)
    records: tuple[int, int] = (0, 0)  # the multiset, under two keys
    passed_on: int = 0
    unreadable: int = 0
    crossing: int = 0  # groups of several strata
    weighted: int = 0  # groups whose weighted mean is not what they publish
    diverse: dict[str, int] = field(default_factory=dict)  # different values in the worst class
    changed: dict[str, int] = field(default_factory=dict)
    owed: dict[str, int] = field(default_factory=dict)

    def __add__(self, other: Facts) -> Facts:
        known = [n for n in (self.least, other.least) if n]
        return Facts(
            self.rows + other.rows,
            min(known, default=0),
            self.classes + other.classes,
            self.groups + other.groups,
            self.lost + other.lost,
            _sum(self.records, other.records),
            (self.passed_on + other.passed_on) % WORDS,
            self.unreadable + other.unreadable,
            self.crossing + other.crossing,
            self.weighted + other.weighted,
            _least_of(self.diverse, other.diverse),
            _added(self.changed, other.changed),
            _added(self.owed, other.owed),
        )

    def kept(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {**self.__dict__, "records": list(self.records)}

    @classmethod
    def of(cls, kept: dict[str, Any]) -> Facts:
        return cls(**{**kept, "records": tuple(kept["records"])})


def of_block(plan: Plan, masked: Masked, passed_on: bytes, records: bytes) -> Facts:
    """What is counted of a masked block, in SQL."""
    table, asked = masked.table, plan.asked
    names = table.column_names
    cells = _lent(table, asked.layout)
    connection = connected()
    connection.register("block", cells)
    try:
        kinds = _kinds(connection, "block")
        places = [names.index(name) for name in asked.quasi]
        quasi = ", ".join(f"c{place}" for place in places)
        # What is wrong with a cell is wrong in its whole class: it is asked once of each.
        shown = [f"c{names.index(name)}" for name in asked.different]
        values = [f"count(DISTINCT {as_kind(c, kinds[c])}) AS shown_{c}" for c in shown]
        judged = [_unreadable(kinds, places, plan), *(f"min(shown_{c})" for c in shown)]
        least, classes, unreadable, *diverse = connection.execute(
            f"SELECT coalesce(min(n), 0), count(*), {', '.join(judged)} FROM "
            f"(SELECT {', '.join([quasi, 'count(*) AS n', *values])} FROM block GROUP BY {quasi})"
        ).fetchall()[0]
        one, other = _row(connection, _multiset(kinds, records), "block")
        weighted = 0 if masked.was is None else means.unlike(connection, plan, masked, names)
    finally:
        connection.unregister("block")
    untouched = [name for name in names if name not in asked.quasi]
    found = (
        hashes.of_records(table.select(untouched), passed_on)
        if untouched
        else np.zeros(0, np.uint64)
    )
    return Facts(
        len(table),
        int(least),
        int(classes),
        masked.groups,
        [masked.lost],
        (int(one) % WORDS, int(other) % WORDS),
        int(found.sum(dtype=np.uint64)),
        int(unreadable),
        masked.crossing,
        weighted,
        {name: int(n) for name, n in zip(asked.different, diverse, strict=True)},
        masked.changed,
        masked.owed,
    )


def multiset_of(plan: Scattered, table: Any, records: bytes) -> tuple[int, int]:
    """The hash of all records of a table as files will have them, under two keys."""
    connection = connected()
    connection.register("block", _lent(table, plan.asked.layout))
    try:
        found = _row(connection, _multiset(_kinds(connection, "block"), records), "block")
    finally:
        connection.unregister("block")
    return int(found[0]) % WORDS, int(found[1]) % WORDS


def of_file(plan: Scattered, path: Path, made: Any, records: bytes) -> dict[str, Any]:
    """What DuckDB reads from a file of the release; `made` is the table that was written."""
    connection = connected()
    names, notes, cells = _written(plan, path, made, connection)
    kinds = _kinds(connection, cells)
    quasi = [f"c{names.index(name)}" for name in plan.asked.quasi]
    numbers = [c for c in quasi if any(word in kinds[c] for word in NUMERIC)]
    # Around the mean of the whole table: squares of numbers that lie far from 0 would drown it.
    centres = [plan.centres.get(names[int(column[1:])], 0.0) for column in numbers]
    spread = [what for each in zip(numbers, centres, strict=True) for what in _moments(*each)]
    # Of one reading, all that is asked of all rows.
    rows, one, other, *found = _row(
        connection, ["count(*)", *_multiset(kinds, records), *spread], cells
    )
    moments = [float(x or 0.0) for x in found]
    means = {}
    for j, (column, centre) in enumerate(zip(numbers, centres, strict=True)):
        present, apart, square, least, most = moments[5 * j : 5 * j + 5]
        mean = apart / max(present, 1.0)
        variance = max(square / max(present, 1.0) - mean * mean, 0.0)
        # From the centre on, so that no digit is lost that tells files apart.
        means[column] = [present, mean, variance, least - centre, most - centre]
    return {
        "rows": int(rows),
        "names": names,
        "notes": notes,
        "records": [int(one) % WORDS, int(other) % WORDS],
        **plan.of_written(connection, cells, names),
        "means": means,
        **_order(connection, cells, quasi, numbers),
    }


def _written(
    plan: Scattered, path: Path, made: Any, connection: Any
) -> tuple[list[str], list[str], str]:
    """The names of the columns of a file, what is beside its cells, and how SQL reads these."""
    layout = plan.asked.layout
    written = written_file(path, layout, plan.asked.roles)
    names = written.names(lambda question: connection.execute(question).fetchall())
    cells = written.cells(connection)
    if layout.format == "csv":  # cells of text are read as what they were written from
        connection.register("made", _lent(made.slice(0, 0), layout))
        kinds = _kinds(connection, "made")
        connection.unregister("made")
        typed = ", ".join(f"{as_kind(c, kind)} AS {c}" for c, kind in kinds.items())
        return names, [], f"(SELECT {typed} FROM {cells})"
    schema = pq.read_schema(path)
    notes = {*(schema.metadata or {}), *(k for f in schema for k in f.metadata or {})}
    return names, sorted(k.decode(errors="replace") for k in notes - {b"PARQUET:field_id"}), cells


def _lent(table: Any, layout: Layout) -> Any:
    """A table as SQL reads it: of CSV, what is no number as text."""
    columns = [lendable(column) for column in table.columns]
    if layout.format == "csv":
        columns = [as_in_csv(column) for column in columns]
    return pa.table(columns, names=[f"c{place}" for place in range(len(columns))])


def _kinds(connection: Any, cells: str) -> dict[str, str]:
    found = connection.execute(f"DESCRIBE SELECT * FROM {cells}").fetchall()
    return {str(name): str(kind) for name, kind, *_ in found}


def _order(connection: Any, cells: str, quasi: list[str], numbers: list[str]) -> dict[str, Any]:
    """What is seen of where rows stand: neighbours that are alike, values that go on."""
    question = f"SELECT {', '.join(quasi)} FROM {cells} LIMIT {LOOKED_AT}"
    found = connection.sql(question).to_arrow_table()
    joint = hashes.of_records(found, bytes(32))
    rows = len(joint)
    counts = np.unique(joint, return_counts=True)[1].astype(np.float64)
    order = {}
    for column in numbers:
        values = found.column(column).cast(pa.float64()).fill_null(0.0).to_numpy()
        ranks = np.unique(values, return_inverse=True)[1].astype(np.float64)  # ties are equal
        centred = ranks - ranks.mean()
        square = float((centred**2).sum())
        lag = abs(float((centred[1:] * centred[:-1]).sum()))
        order[column] = [lag, square**2 / max(rows, 1), float((centred**2).max(initial=0.0))]
    return {
        "alike": int((joint[1:] == joint[:-1]).sum()),
        "alike_by_chance": float((counts * (counts - 1)).sum() / max(rows, 1)),
        "order": order,
    }


def _moments(column: str, centre: float) -> list[str]:
    """What SQL looks up for the mean, the variance (a third of what its own take) and extremes."""
    apart = f"({column}::DOUBLE - {centre!r}::DOUBLE)"
    sums = f"sum({apart})", f"sum({apart} * {apart})"
    return [f"count({column})", *sums, f"min({column})", f"max({column})"]


def _multiset(kinds: dict[str, str], key: bytes) -> list[str]:
    """What SQL adds up for the hash of all records, under two keys."""
    listed = [as_kind(column, kind) for column, kind in kinds.items()]
    one, other = (int.from_bytes(key[at : at + 8], "little") for at in (0, 8))
    pairs = ((one, listed), (other, listed[::-1]))
    return [
        f"coalesce(sum(hash({word}::UBIGINT, {', '.join(cells)}))::VARCHAR, '0')"
        for word, cells in pairs
    ]


def _row(connection: Any, asked_for: list[str], cells: str) -> tuple[Any, ...]:
    found: tuple[Any, ...] = connection.execute(
        f"SELECT {', '.join(asked_for)} FROM {cells}"
    ).fetchall()[0]
    return found


def _unreadable(kinds: dict[str, str], quasi: list[int], plan: Plan) -> str:
    """What SQL counts of classes: records with a masked cell that is missing, or not finite."""
    refuse = plan.asked.step.missing == "refuse"
    wrong = []
    for place in quasi:
        column = f"c{place}"
        if refuse:
            wrong.append(f"{column} IS NULL")
        if kinds[column] in ("DOUBLE", "FLOAT"):
            wrong.append(f"NOT coalesce(isfinite({column}), true)")
    return f"coalesce(sum(n) FILTER (WHERE {' OR '.join(wrong)}), 0)" if wrong else "0"


def connected() -> Any:
    """DuckDB in one thread, a connection for each that asks."""
    if not hasattr(_here, "connection"):
        config: dict[str, Any] = {
            "threads": 1,
            "temp_directory": "",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
        _here.connection = duckdb.connect(":memory:", config=config)
    return _here.connection


def _added(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in one | other}


def _least_of(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    both = (one, other)
    return {name: min(d[name] for d in both if name in d) for name in one | other}


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return (one[0] + other[0]) % WORDS, (one[1] + other[1]) % WORDS
