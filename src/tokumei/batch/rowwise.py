"""Data sets whose records change one by one: counted in one pass, changed in another, scattered.

Where nothing is grouped, nothing is routed. What a record becomes depends on what was counted of
all: how many records there are, how often each category is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from tokumei.batch import gate, hashes, interruption, scatter
from tokumei.batch.asked import Asked
from tokumei.batch.pieces import Piece, Source
from tokumei.batch.plan import samples_of
from tokumei.batch.route import passed_on
from tokumei.batch.sample import Sample
from tokumei.batch.stage import Stage
from tokumei.batch.statistics import OfNumbers
from tokumei.noise import generator
from tokumei.release.errors import InputError, counted

MOST_CATEGORIES = 1 << 16  # of a column whose categories are merged or exchanged
DIFFERENT = 1 << 12  # values by which it is known how many a column has
Counts = Mapping[str, Counter[Any]]


class Change(Protocol):
    """What becomes of records."""

    @property
    def draws(self) -> bool:
        """Whether chance has a part in it."""

    def looked_at(self, asked: Asked, table: Any) -> tuple[Counts, Mapping[str, OfNumbers]]:
        """What of a piece is to be counted before; what is wrong with its cells is said."""

    def settled(self, asked: Asked, found: Found) -> Change:
        """The same, when all is counted."""

    def of_piece(self, asked: Asked, table: Any, stage: Stage, purpose: str) -> tuple[Any, Any]:
        """The released columns of a piece, and what is to be counted of them."""

    def of_written(
        self, asked: Asked, connection: Any, cells: str, names: Sequence[str]
    ) -> dict[str, Any]:
        """What is asked of a file of the release, whose cells SQL reads so."""


@dataclass(frozen=True)
class Found:
    """What was counted of one piece or of several."""

    rows: int
    sample: Sample
    unmasked: Mapping[tuple[str, ...], Sample]
    counts: Counts = field(default_factory=dict)
    moments: Mapping[str, OfNumbers] = field(default_factory=dict)
    different: Mapping[str, Sample] = field(default_factory=dict)

    def merged(self, other: Found) -> Found:
        counts = {name: one + other.counts[name] for name, one in self.counts.items()}
        for name, one in counts.items():
            if len(one) > MOST_CATEGORIES:
                told = counted(MOST_CATEGORIES, "category")
                msg = f"column {name!r} has more than {told}, which are counted; use bins or levels"
                raise InputError(msg)
        return Found(
            self.rows + other.rows,
            self.sample.merged(other.sample),
            {name: one.merged(other.unmasked[name]) for name, one in self.unmasked.items()},
            counts,
            {name: one.merged(other.moments[name]) for name, one in self.moments.items()},
            {name: one.merged(other.different[name]) for name, one in self.different.items()},
        )


@dataclass(frozen=True, eq=False)
class RowPlan:
    """How the records of a data set change, and in how many files they come out."""

    asked: Asked
    rows: int
    change: Change
    most: int  # records that are changed at once
    parts: int
    row_bytes: float
    found: Found

    @property
    def recodes(self) -> bool:
        """Whether records keep what can be counted of them: noise leaves none."""
        return self.asked.job.role == "quasi"

    @property
    def slim(self) -> RowPlan:
        """What tasks need of it: no sample, which would go to each of them."""
        sample = self.found.sample
        nothing = Sample.of(sample.records.slice(0, 0), sample.hashes[:0], 0)
        return replace(self, found=Found(self.rows, nothing, {}, {}, self.found.moments))

    @property
    def centres(self) -> dict[str, float]:
        return {name: one.mean for name, one in self.found.moments.items()}

    def of_written(self, connection: Any, cells: str, names: Sequence[str]) -> dict[str, Any]:
        return self.change.of_written(self.asked, connection, cells, names)

    @property
    def sample(self) -> Sample:
        return self.found.sample

    @property
    def unmasked(self) -> Mapping[tuple[str, ...], Sample]:
        return self.found.unmasked

    @property
    def buckets(self) -> int:
        """Into how many parts equal records are gathered, each of which fits in a task."""
        return 2 * self.parts

    @property
    def bins(self) -> int:
        """In how many files a changed piece lies, so that what is released can be taken away."""
        return min(self.parts, self.asked.sizes.bins)


def count(asked: Asked, change: Change, source: Source, piece: Piece, key: bytes) -> Found:
    """One piece, counted; what cannot be used is said with the piece."""
    interruption.go_on()
    try:
        table = asked.read(source, piece)
        counts, moments = change.looked_at(asked, table)
    except InputError as error:
        for part in piece.parts():
            count(asked, change, source, part, key)  # what it says is nearer to the cell
        msg = str(error) if piece.called in str(error) else f"{piece.called}: {error}"
        raise InputError(msg) from None
    interruption.go_on()
    different = {
        name: Sample.of(one, hashes.of_records(one, key), DIFFERENT)
        for name in asked.quasi
        for one in [table.select([name])]
    }
    return Found(len(table), *samples_of(asked, table, key), counts, moments, different)


def planned(asked: Asked, change: Change, found: Found) -> RowPlan:
    """The plan of a data set that has been counted."""
    row_bytes = found.sample.row_bytes
    most = int(min(asked.sizes.task, max(asked.sizes.task_bytes / max(row_bytes, 1.0), 1.0)))
    parts = 1
    while parts * most < found.rows:
        parts *= 2
    settled = change.settled(asked, found)
    return RowPlan(asked, found.rows, settled, most, parts, row_bytes, found)


def alter(stage: Stage, plan: RowPlan, source: Source, piece: Piece) -> dict[str, Any]:
    """Change the records of one piece, each of which draws the file that it goes to."""
    name = scatter.run_of(piece.number)
    return stage.once(name, lambda: _altered(stage, plan, source, piece))


def _altered(stage: Stage, plan: RowPlan, source: Source, piece: Piece) -> None:
    asked = plan.asked
    interruption.go_on()
    table = asked.read(source, piece)
    interruption.go_on()
    made, more = plan.change.of_piece(asked, table, stage, f"piece {piece.number}")
    interruption.go_on()
    keys = stage.key("records"), stage.key("passed on")
    facts = {
        "rows": len(table),
        "was": passed_on(plan, table, keys[1]),
        "passed_on": passed_on(plan, made, keys[1]),
        "records": [str(each) for each in gate.multiset_of(plan, made, keys[0])],
        "more": more,
    }
    with stage.whole_folder(scatter.run_of(piece.number)) as folder:
        words = stage.words(f"scatter {piece.number}")
        places = generator.places(words, len(made), plan.parts, interruption.run())
        if len(made):
            scatter.write_bins(stage, folder, plan, made, places.astype(np.uint16))
        stage.write_facts(folder, facts)


def labels_of(column: Any, of_value: Any) -> Any:
    """Texts for the cells of a column, by a function of its different ones."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    found = whole.dictionary_encode()
    texts = pa.array(of_value(found.dictionary), pa.string())
    return texts.take(found.indices)
