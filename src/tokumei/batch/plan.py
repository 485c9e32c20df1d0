"""What is to be done to a data set, found in one pass: its statistics, its blocks, its cost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tokumei._check import Labels
from tokumei.batch import attributes, hashes, interruption, strata
from tokumei.batch.asked import Asked
from tokumei.batch.attributes import Attribute
from tokumei.batch.cuts import CutTree, in_strata, tree_of
from tokumei.batch.pieces import Piece, Source
from tokumei.batch.sample import Sample
from tokumei.batch.statistics import OfCategories, Statistics
from tokumei.batch.strata import Stratum
from tokumei.privacy import TCloseness
from tokumei.release.errors import InputError
from tokumei.release.mask.moments import Moments
from tokumei.release.mask.quasi_identifiers import QuasiIdentifier

LEAST_TASKS = 16
MOST_SEARCHED = 200_000  # rows for which "auto" searches; more are cut along a path
NEAR = 0.5  # of t that a block may be away from the table, so that its groups have the rest
OVERFULL = 3  # a block of more times its size is divided again


@dataclass(frozen=True)
class Counted:
    """What one piece, or several, were found to hold."""

    rows: int
    statistics: Mapping[str, Statistics]
    sample: Sample
    unmasked: Mapping[tuple[str, ...], Sample]
    strata: Counter[Stratum]
    homes: Sample | None = None
    values: Mapping[str, Counter[Any]] = field(default_factory=dict)  # of sensitive columns

    def merged(self, other: Counted) -> Counted:
        """What both hold; of pieces in any order it is the same."""
        return Counted(
            self.rows + other.rows,
            {name: one.merged(other.statistics[name]) for name, one in self.statistics.items()},  # type: ignore[arg-type]
            self.sample.merged(other.sample),
            {name: one.merged(other.unmasked[name]) for name, one in self.unmasked.items()},
            self.strata + other.strata,
            self.homes.merged(other.homes) if self.homes and other.homes else None,
            {name: one + other.values[name] for name, one in self.values.items()},
        )


@dataclass(frozen=True, eq=False)
class Plan:
    """How a data set is divided, and the scale that all of its records share."""

    asked: Asked
    rows: int
    attributes: tuple[Attribute, ...]
    tree: CutTree
    shelves: tuple[tuple[int, int], ...]  # blocks from the first to before the second
    target: int  # records of a block
    parts: int  # files of the release, a power of two
    row_bytes: float
    sample: Sample
    unmasked: Mapping[tuple[str, ...], Sample]
    strata: Mapping[Stratum, int]  # their numbers; one where none are asked for
    stratum_of: Labels  # by block
    wholes: Mapping[str, Mapping[Any, int]] = field(default_factory=dict)  # values by column
    members: int = 1  # records of a household, where households are asked for

    @property
    def centres(self) -> dict[str, float]:
        """The means of columns, as they were."""
        return {a.name: float(a.mean) for a in self.attributes}

    def of_written(self, connection: Any, cells: str, names: Sequence[str]) -> dict[str, Any]:
        """What more is asked of a file of the release: nothing."""
        return {}

    @property
    def slim(self) -> Plan:
        """What tasks need of it: no sample, which would go to each of them."""
        nothing = Sample.of(self.sample.records.slice(0, 0), self.sample.hashes[:0], 0)
        return replace(self, sample=nothing, unmasked={})

    @property
    def resolutions(self) -> dict[str, Any]:
        """By what period columns of dates are published."""
        forms = {a.name: a.form for a in self.attributes}
        return {n: form.resolution for n, form in forms.items() if isinstance(form, Moments)}

    @property
    def bins(self) -> int:
        """In how many files a masked run lies, so that what is released can be taken away."""
        return min(self.parts, self.asked.sizes.bins)

    @property
    def buckets(self) -> int:
        """Into how many parts households are gathered, each of which fits in a task."""
        return 2 * self.parts

    @property
    def most(self) -> int:
        """So many records are masked together; a block that has more is divided."""
        return OVERFULL * self.target

    @property
    def scales(self) -> Any:
        """What brings the axes of coordinates to one scale."""
        weights = self.asked.step.attribute_weights
        found = [a.scale * weights.get(a.name, 1.0) ** 0.5 for a in self.attributes]
        return np.array([0.0, *found] if self.asked.step.strata else found)

    def away(self, model: TCloseness, table: Any) -> float:
        """How far the sensitive values of some records are from those of the whole table."""
        codes, known = strata.codes_of(table, [model.column])
        whole = self.wholes[model.column]
        places = {value: place for place, value in enumerate(whole)}
        counts = np.bincount(codes, minlength=len(known))
        code = np.array([places[value] for (value,) in known], dtype=np.int64)
        group = np.zeros(len(known), dtype=np.int64)
        return float(model.of_counts(group, code, counts, np.array(list(whole.values())))[0])

    def shows(self, table: Any) -> bool:
        """Whether these records can be groups of their own: that show enough, and near enough."""
        near = all(self.away(m, table) <= NEAR * m.t for m in self.asked.closeness)
        return near and self.asked.shows(table)

    def strata_of(self, table: Any) -> Labels:
        """The stratum of each record of a piece."""
        return strata.numbers_of(self.asked.strata_in(table), self.asked.step.strata, self.strata)

    def routed_at(self, table: Any, quasi: Sequence[Any]) -> Any:
        """The same of the records of a piece; members of a household that stay are at one place."""
        found = self.coordinates(table, quasi)
        if not self.asked.together or not len(table):
            return found
        homes = self.asked.homes_of(table)
        return strata.means_of(found, homes, strata_first=bool(self.asked.step.strata))

    def coordinates(self, table: Any, quasi: Sequence[Any]) -> Any:
        """The records of a piece where blocks are cut; their stratum is cut before all."""
        columns = [a.coordinates(one) for a, one in zip(self.attributes, quasi, strict=True)]
        if self.asked.step.strata:
            columns.insert(0, self.strata_of(table).astype(np.float64))
        return np.asarray(columns).T


def counted(asked: Asked, source: Source, piece: Piece, key: bytes) -> Counted:
    """One piece, counted; what cannot be used is said with the piece."""
    interruption.go_on()
    table, found, of_strata = _read(asked, source, piece)
    interruption.go_on()
    statistics: dict[str, Statistics] = {
        one.name: attributes.statistics_of(one, table.column(one.name)) for one in found
    }
    interruption.go_on()
    most = asked.sizes.sample
    sample, of_unmasked = samples_of(asked, table, key)
    homes = None
    if asked.household:
        home = [asked.household]
        ids = asked.as_read(table.select(home), home)
        strata.codes_of(ids, home)  # none is missing
        homes = Sample.of(table.select(home), hashes.of_records(ids, key), most)
    values = {
        name: Counter({value: n for (value,), n in strata.counts_in(table, name).items()})
        for name in {model.column for model in asked.closeness}
    }
    return Counted(len(table), statistics, sample, of_unmasked, of_strata, homes, values)


def samples_of(
    asked: Asked, table: Any, key: bytes
) -> tuple[Sample, dict[tuple[str, ...], Sample]]:
    """The sample of a piece, and those of what is released as it is, together and by column."""
    most = asked.sizes.sample
    of_unmasked = {}
    if asked.unmasked:
        carried = table.select(asked.unmasked[:1])  # who has so many equals is all that is asked
        for names in ((*asked.unmasked,), *((name,) for name in asked.unmasked)):
            found_hashes = hashes.of_records(table.select(names), key)
            of_unmasked[names] = Sample.of(carried, found_hashes, most)
    return Sample.of(table, hashes.of_records(table, key), most), of_unmasked


def _read(
    asked: Asked, source: Source, piece: Piece
) -> tuple[Any, list[QuasiIdentifier], Counter[Stratum]]:
    """A piece, its quasi-identifiers and strata; what is wrong is said with its row group."""
    try:
        table = asked.read(source, piece)
        cells = table.select(asked.quasi)
        quasi = attributes.read(cells, asked.columns, asked.step) if len(table) else []
        asked.weights_of(table), asked.shows(table)  # no cell of these is missing
        return table, quasi, strata.counts_of(asked.strata_in(table), asked.step.strata)
    except InputError as error:
        for part in piece.parts():
            _read(asked, source, part)  # what it says is nearer to the cell
        msg = str(error) if piece.called in str(error) else f"{piece.called}: {error}"
        raise InputError(msg) from None


def planned(asked: Asked, found: Counted) -> Plan:
    """The plan of a data set that has been counted."""
    if found.rows < asked.k or not found.rows:
        least = f"k must be between 2 and the number of rows ({found.rows}), got {asked.k}"
        raise InputError(least if found.rows else "the data set has no rows")
    for name, one in found.statistics.items():
        if isinstance(one, OfCategories):
            attributes.check_categories(name, one, asked.job.schema)
    asked = _with_method(asked, found.rows)
    cells = found.sample.records.select(asked.quasi)
    quasi = attributes.read(cells, asked.columns, asked.step)
    known = tuple(
        attributes.attribute_of(
            one, cells.column(one.name).type, found.statistics[one.name], asked.step
        )
        for one in quasi
    )
    sizes = asked.sizes
    row_bytes = found.sample.row_bytes
    most = int(min(sizes.task, max(sizes.task_bytes / max(row_bytes, 1.0), 1.0)))
    members = _members(asked, found)
    target = max(min(sizes.block, most), 8 * asked.k * members)
    parts = _power_above(found.rows / min(most, sizes.part))
    nothing = tree_of(np.zeros((0, 1)), np.zeros(0, np.int64), np.ones(1), 0, 1)
    plan = Plan(
        asked, found.rows, known, nothing, (), target, parts, row_bytes,
        found.sample, found.unmasked, strata.numbered(found.strata, asked.k), np.zeros(0, np.int64),
        found.values, members,
    )  # fmt: skip
    x = plan.coordinates(found.sample.records, quasi)
    tree, stratum_of = _cut(plan, x, found.strata)
    return replace(plan, tree=tree, stratum_of=stratum_of, shelves=_shelved(tree.rows, most))


def _members(asked: Asked, found: Counted) -> int:
    """How many records a household has, where households are asked for; k is refused above them."""
    if found.homes is None:
        return 1
    homes, least = found.homes.different(), asked.apart or asked.k
    if found.homes.whole and homes < least:
        msg = f"there are {int(homes)} households, and every group is to have {least} of them"
        raise InputError(msg)
    return math.ceil(found.rows / homes)


def _cut(plan: Plan, x: Any, rows: Mapping[Stratum, int]) -> tuple[CutTree, Labels]:
    """The blocks of the whole table, or of each of its strata; and the stratum of each block."""
    counts, scales = plan.sample.counts, plan.scales
    if not plan.asked.step.strata:
        tree = tree_of(x, counts, scales, plan.rows, plan.target)
        return tree, np.zeros(len(tree), dtype=np.int64)
    totals = np.array([rows[stratum] for stratum in plan.strata])
    own = x[:, 0].astype(np.int64)
    return in_strata(x[:, 1:], own, counts, scales[1:], totals, plan.target)


def _with_method(asked: Asked, rows: int) -> Asked:
    """A job whose method is named: a search of all of a large table would take days.

    What every group is to show besides k is for a search alone, and a short one is taken.
    """
    step = asked.step
    if step.method != "auto" or rows <= MOST_SEARCHED:
        return asked
    quick = replace(step, effort="fast") if asked.searched else replace(step, method="flexdice")
    return replace(asked, job=replace(asked.job, steps=(quick,)))


def _shelved(rows: Any, most: int) -> tuple[tuple[int, int], ...]:
    """Neighbouring blocks that one task masks: not too many records, and tasks enough."""
    most = min(most, max(int(rows.sum()) // LEAST_TASKS, 1))
    shelves, first, held = [], 0, 0
    for block, size in enumerate(rows.tolist()):
        if block > first and held + size > most:
            shelves.append((first, block))
            first, held = block, 0
        held += size
    return (*shelves, (first, len(rows)))


def _power_above(ratio: float) -> int:
    parts = 1
    while parts < ratio:
        parts *= 2
    return parts
