"""What the gate judges: a release as it was written, beside what it was made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import duckdb
import numpy as np
import pyarrow as pa

from tokumei._check import Labels
from tokumei._check.cached import cached_property
from tokumei.privacy import KAnonymity, Model, PkAnonymity
from tokumei.release.gate.hashes import Hashes, fresh_keys, of_records
from tokumei.release.gate.origin import Origin
from tokumei.release.io.frames import columns_of
from tokumei.release.io.written import Written
from tokumei.release.job import Job
from tokumei.release.schema import Schema
from tokumei.release.sections import MissingCounts

T = TypeVar("T")


@dataclass(frozen=True)
class Expected:
    """What a column is to hold: finite numbers, known categories, or any text.

    Beside the categories in `known` it may hold those that it had, unless `recoded`; a smallest
    `share` of its records that have a value is to have each category.
    """

    number: bool = True
    may_miss: bool = False
    known: tuple[str, ...] | None = None
    recoded: bool = False
    share: float | None = None

    @property
    def any_text(self) -> bool:
        return not self.number and self.known is None


class Candidate:
    """A release that may be published: opened again, beside the original cells.

    `origin` is what all of it was made of; `groups` the group of each row, where groups publish one
    value. `original` holds the quasi-identifiers, in the order of
    the schema, as the last step found them; `expected` says what each is to hold now, finite
    numbers where it says nothing; `missing` how missing cells count in k.
    """

    def __init__(
        self,
        written: Written,
        schema: Schema,
        original: Any,
        models: Sequence[Model],
        *,
        origin: Origin,
        n_threads: int,
        spill: Path | None,
        expected: Sequence[Expected] | None = None,
        groups: Labels | None = None,
        missing: MissingCounts = "value",
    ) -> None:
        self.written, self.schema, self.original, self.models = written, schema, original, models
        self.origin, self.groups = origin, groups
        of_models = (model.k for model in models if isinstance(model, KAnonymity | PkAnonymity))
        self.k, self.missing = next(of_models, 0), missing  # 0 where none is asked
        self.expected = [Expected()] * original.num_columns if expected is None else expected
        self.spill_near = None if spill is None else spill.parent
        # Only `spill` may receive what does not fit in memory, and nothing is ever downloaded.
        self._config: dict[str, str | bool | int | float | list[str]] = {
            "threads": n_threads,
            "temp_directory": "" if spill is None else str(spill),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }

    @classmethod
    def of(
        cls,
        job: Job,
        written: Written,
        schema: Schema,
        original: Any,
        origin: Origin,
        spill: Path | None,
        **more: Any,
    ) -> Self:
        """What this job asks of a release."""
        return cls(
            written,
            schema,
            original,
            job.privacy,
            origin=origin,
            n_threads=job.run.n_threads,
            spill=spill,
            missing=job.gate.missing,
            **more,
        )

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect(":memory:", config=self._config)
        names = [f"q{j}" for j in range(self.original.num_columns)]
        connection.register("original", self.original.rename_columns(names))
        return connection

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        return self._asked(lambda connection: connection.execute(sql).fetchall())

    def arrays(self, sql: str) -> list[Any]:
        """The columns of an answer as arrays."""
        found = self._asked(lambda connection: connection.execute(sql).fetchnumpy())
        return list(found.values())

    def _asked(self, question: Callable[[duckdb.DuckDBPyConnection], T]) -> T:
        # Asked from a second thread, so that this one hears Ctrl-C; DuckDB would swallow it.
        connection = self.connection
        answer = self._other_thread.submit(question, connection)
        try:
            return answer.result()
        except (KeyboardInterrupt, SystemExit):
            connection.interrupt()
            raise

    @cached_property
    def _other_thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1)

    def count(self, sql: str) -> int:
        return int(self.ask(sql)[0][0])

    @cached_property
    def names(self) -> list[str]:
        return self.written.names(self.ask)

    @cached_property
    def cells(self) -> str:
        # Read once, as it stands there: a cast in a query may change how DuckDB reads a file.
        source = self.written.cells(self.connection)
        columns = ", ".join(self.released)
        self.ask(f"CREATE TEMP TABLE released AS SELECT {columns} FROM {source}")
        return "released"

    @cached_property
    def kinds(self) -> dict[str, str]:
        """DuckDB's type of every column of `cells`."""
        return {str(row[0]): str(row[1]) for row in self.ask(f"DESCRIBE {self.cells}")}

    def missing_in(self, column: str) -> str:
        """Whether a cell of `cells` is missing; in CSV that is an empty one."""
        empty = f" OR {column} = ''" if self.kinds[column] == "VARCHAR" else ""
        return f"({column} IS NULL{empty})"

    @cached_property
    def released(self) -> list[str]:
        """The columns that are there and were to be."""
        return [f"c{self.names.index(n)}" for n in self.schema.released() if n in self.names]

    @cached_property
    def made(self) -> str:
        """What the release was to hold, under the same names: as it was read, or as steps said."""
        columns = [self.names[int(column[1:])] for column in self.released]
        whole = columns_of(self.origin.read, [n for n in columns if n not in self.origin.made])
        cells = [
            self.written.as_written(self.origin.made.get(name) or whole.column(name))
            for name in columns
        ]
        self.connection.register("lent_made", pa.table(cells, names=self.released))
        self.ask("CREATE TEMP TABLE made AS SELECT * FROM lent_made")
        return "made"

    @cached_property
    def made_kinds(self) -> dict[str, str]:
        """DuckDB's type of every column of `made`."""
        return {str(row[0]): str(row[1]) for row in self.ask(f"DESCRIBE {self.made}")}

    @cached_property
    def hashes(self) -> tuple[Hashes, Hashes]:
        """Of every record that was to be, and of every one that is, in their orders."""
        return self.hashes_of(self.made_kinds)

    def hashes_of(self, kinds: Mapping[str, str]) -> tuple[Hashes, Hashes]:
        """The same of some of the columns."""
        keys = fresh_keys()
        before, after = (
            of_records(self.arrays, table, kinds, keys) for table in (self.made, self.cells)
        )
        return before, after

    @cached_property
    def quasi(self) -> list[str]:
        return [f"c{self.names.index(name)}" for name in self.schema.of("quasi")]

    @cached_property
    def household(self) -> list[str]:
        return [f"c{self.names.index(name)}" for name in self.schema.of("household")]

    def classes_and(self, name: str, *, as_numbers: bool) -> tuple[Labels, Labels, bool]:
        """The class of every released record, a column as codes of its values, and whether any is
        missing: that has the last code. The values are in the order of `values_of_pairs`.
        """
        column = f"c{self.names.index(name)}"
        value = number_of(column) if as_numbers else text_of(column)
        self.ask(
            f"CREATE OR REPLACE TEMP TABLE pairs AS SELECT {value} AS value, count(*) AS records, "
            f"{', '.join(self.quasi)} FROM {self.cells} GROUP BY ALL"
        )
        classes, codes, records = self.arrays(
            f"SELECT dense_rank() OVER (ORDER BY {', '.join(self.quasi)}) - 1 AS class, "
            "dense_rank() OVER (ORDER BY value NULLS LAST) - 1 AS code, records FROM pairs"
        )
        missing = self.count("SELECT count(*) FROM pairs WHERE value IS NULL") > 0
        return np.repeat(classes, records), np.repeat(codes, records), missing

    def values_of_pairs(self) -> list[Any]:
        """The values whose codes `classes_and` gave last; None is what is missing."""
        found = self.ask("SELECT DISTINCT value FROM pairs ORDER BY value NULLS LAST")
        return [row[0] for row in found]

    def close(self) -> None:
        if "_other_thread" in self.__dict__:
            self._other_thread.shutdown()
        if "connection" in self.__dict__:
            self.connection.close()


def number_of(column: str) -> str:
    return f"TRY_CAST({column} AS DOUBLE)"


def text_of(column: str) -> str:
    # What is missing is an empty cell in CSV.
    return f"nullif(CAST({column} AS VARCHAR), '')"
