"""Columns of a data set recoded: by what a cell says, and by how often categories are there.

Levels, bins, top and bottom coding look at a cell alone. Shares and exchanges look at the counts of
all categories, which are exact; then each category has its label, or its chances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei._check import Floats
from tokumei.batch import interruption
from tokumei.batch.asked import Asked
from tokumei.batch.rowwise import Counts, Found, labels_of
from tokumei.batch.stage import Stage
from tokumei.batch.statistics import OfNumbers
from tokumei.noise import generator
from tokumei.recode.chance import draw
from tokumei.recode.pram import Transition, invariant_for, retention
from tokumei.release.errors import InputError
from tokumei.release.recode.columns import numeric, recoded
from tokumei.release.recode.step import Recode
from tokumei.values.column import Column


@dataclass(frozen=True)
class Recoding:
    """A step of recoding, and what all records together say of it.

    `labels` are of the categories of columns with a share, `chances` those of an exchange;
    `before` is how many categories a column had, where they were counted.
    """

    labels: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    chances: Mapping[str, Transition] = field(default_factory=dict)
    before: Mapping[str, int] = field(default_factory=dict)

    @property
    def draws(self) -> bool:
        return bool(self.chances)

    def looked_at(self, asked: Asked, table: Any) -> tuple[Counts, Mapping[str, OfNumbers]]:
        counts: dict[str, Counter[Any]] = {}
        for name in named(asked.step):
            column = table.column(name)
            if name in asked.step.share or name in asked.step.pram:
                values, often = _counted(_prepared(asked, name, column))
                counts[name] = Counter(dict(zip(values, often, strict=True)))
            else:  # what is wrong with a cell is said now
                self._alone(asked, name, _encoded(column).dictionary)
        return counts, {}

    def settled(self, asked: Asked, found: Found) -> Recoding:
        step: Recode = asked.step
        labels, chances, before = {}, {}, {}
        for name, counts in found.counts.items():
            values = list(counts)
            times = np.array([counts[value] for value in values], dtype=np.int64)
            kind = found.sample.records.schema.field(name).type
            column = Column(_prepared(asked, name, pa.array(values, kind)))
            one = recoded(name, column, asked.columns, step, times)
            labels[name] = dict(zip(values, one.cells, strict=True))
            before[name] = one.before
            if name in step.pram:
                chances[name] = _chances(name, one.cells, times, step)
        for name, sample in found.different.items():
            before.setdefault(name, round(sample.different()))
        return replace(self, labels=labels, chances=chances, before=before)

    def of_piece(self, asked: Asked, table: Any, stage: Stage, purpose: str) -> tuple[Any, Any]:
        made, counts, changed = {}, {}, {}
        for name in named(asked.step):
            column = table.column(name)
            if name in self.labels:
                known = self.labels[name]
                prepared = _prepared(asked, name, column)
                cells = labels_of(prepared, lambda d, k=known: [k[v] for v in d.to_pylist()])
            else:
                cells = labels_of(column, lambda d, n=name: self._alone(asked, n, d))
            if name in self.chances:
                now = self._exchanged(name, cells, stage, f"exchange of {name!r}, {purpose}")
                changed[name] = int(pc.sum(pc.not_equal(cells, now)).as_py() or 0)
                cells = now
            made[name] = cells
            counts[name] = dict(zip(*_counted(cells), strict=True))
            interruption.go_on()
        names = asked.roles.released()
        columns = [made[name] if name in made else table.column(name) for name in names]
        return pa.table(columns, names=names), {"counts": counts, "changed": changed}

    def achieved(
        self, asked: Asked, rows: int, made: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """What was reached, as the audit says it."""
        recoded_, exchanged = {}, {}
        for name in named(asked.step):
            labels = {label for piece in made for label in piece["counts"][name]}
            recoded_[name] = {"categories_before": self.before[name], "categories": len(labels)}
            if name in self.chances:
                least = float(np.diag(self.chances[name].matrix).min())
                share = sum(piece["changed"][name] for piece in made) / rows
                exchanged[name] = {
                    "changed": float(f"{share:.3g}"),
                    "least_retention": float(f"{least:.3g}"),
                }
        return {"recoded": recoded_} | ({"exchanged": exchanged} if exchanged else {})

    def of_written(
        self, asked: Asked, connection: Any, cells: str, names: Sequence[str]
    ) -> dict[str, Any]:
        """How often each category of the columns that are recoded was written."""
        found = {}
        for name in named(asked.step):
            value = f"nullif(CAST(c{names.index(name)} AS VARCHAR), '')"
            question = f"SELECT {value} AS v, count(*) FROM {cells} WHERE v IS NOT NULL GROUP BY v"
            found[name] = dict(connection.execute(question).fetchall())
        return {"categories": found}

    def _alone(self, asked: Asked, name: str, different: Any) -> list[str | None]:
        return recoded(name, Column(different), asked.columns, asked.step).cells

    def _exchanged(self, name: str, cells: Any, stage: Stage, purpose: str) -> Any:
        chances = self.chances[name]
        place = {category: code for code, category in enumerate(chances.categories)}
        found = _encoded(cells)
        codes_of = np.array([place[each] for each in found.dictionary.to_pylist()], dtype=np.int64)
        present = found.indices.is_valid().to_numpy(zero_copy_only=False)
        codes = codes_of[np.asarray(found.indices.drop_null())]
        parts = iter(range(len(codes) + 1))

        def words(count: int) -> Any:
            """64 bits of the secure generator for each of so many draws."""
            part = next(parts)
            drawn = [
                generator.places(
                    stage.words(f"{purpose}, {part}, {which}"), count, 1 << bits, interruption.run()
                ).astype(np.uint64)
                for which, bits in enumerate((31, 31, 2))
            ]
            return drawn[0] << np.uint64(33) | drawn[1] << np.uint64(2) | drawn[2]

        now = np.full(len(cells), -1, dtype=np.int64)
        now[present] = draw(codes, chances.matrix, words)
        names = pa.array([str(each) for each in chances.categories], pa.string())
        return names.take(pa.array(now, mask=~present))


def named(step: Recode) -> list[str]:
    """The columns that are recoded."""
    found = {name for each in (step.share, step.level, step.pram) for name in each}
    return sorted(found | {name for each in numeric(step).values() for name in each})


def with_shares(step: Recode, quasi: list[str]) -> Recode:
    """A step in which the share of all columns is that of each that names none."""
    if step.least_share is None:
        return step
    coded = {*step.top, *step.bottom}
    shares = {name: step.least_share for name in quasi if name not in coded} | dict(step.share)
    return replace(step, share=shares, least_share=None)


def _prepared(asked: Asked, name: str, column: Any) -> Any:
    """What is counted of a column: of one with bins, a number of the bin of each cell."""
    if name not in asked.step.bins:
        return column
    edges: Floats = np.asarray(asked.step.bins[name], dtype=np.float64)
    values = Column(column).asked_for_numbers()[0]
    absent = np.isnan(values)
    outside = int((~absent & ((values < edges[0]) | (values > edges[-1]))).sum())
    if outside:
        msg = f"column {name!r}: edges must span all values; {outside} of {len(values)} are outside"
        raise InputError(msg)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    return pa.array(edges[place] / 2 + edges[place + 1] / 2, mask=absent)


def _chances(name: str, cells: list[str | None], times: Any, step: Recode) -> Transition:
    counts: Counter[str] = Counter()
    for cell, often in zip(cells, times.tolist(), strict=True):
        if cell is not None:
            counts[cell] += often
    known = sorted(counts)
    if not 2 <= len(known) <= 500:
        msg = (
            f"column {name!r} has {len(known)} categories; pram exchanges those of columns that "
            "have 2 to 500, also after a share, a level or bins"
        )
        raise InputError(msg)
    stays = retention(known, step.pram[name])
    often = np.array([counts[each] for each in stays.categories], dtype=np.int64)
    return invariant_for(often, stays, step.pram_alpha, step.pram_least)


def _encoded(column: Any) -> Any:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return whole.dictionary_encode()


def _counted(cells: Any) -> tuple[list[Any], list[int]]:
    found = _encoded(cells)
    often = np.bincount(np.asarray(found.indices.drop_null()), minlength=len(found.dictionary))
    return found.dictionary.to_pylist(), often.tolist()
