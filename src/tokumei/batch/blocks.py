"""A block of records masked: groups are formed among them as in a table of their own.

What comes out depends on which records are in the block, not on the files they were in: they are
put in the order of a keyed hash of the whole record first, so that "the lowest row" of a tie is the
same in every layout.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei.batch import attributes, hashes, interruption, strata
from tokumei.batch.plan import Plan
from tokumei.microaggregation.options import Search
from tokumei.microaggregation.partition import partition_of, task
from tokumei.microaggregation.publish.aggregate import aggregate_of
from tokumei.microaggregation.records import Records, Table, join
from tokumei.microaggregation.search.rules import Sensitive
from tokumei.release.errors import InputError
from tokumei.release.mask.masking import in_search
from tokumei.release.mask.quasi_identifiers import Groups, NumericColumn, QuasiIdentifier

GROUP, WEIGHT = "tokumei group", "tokumei weight"
GROUPS_ASKED = 512  # of a block are asked what was to change


@dataclass(frozen=True)
class Formed:
    """The records of a block in their order, their groups, and what each group costs."""

    table: Any
    quasi: Sequence[QuasiIdentifier]
    labels: Labels
    costs: Floats


@dataclass(frozen=True)
class Masked:
    """The released columns of records, and what masking them cost."""

    table: Any
    lost: float  # squares, on the scale of the whole table
    groups: int
    changed: dict[str, int]
    owed: dict[str, int]  # cells that groups ask to change and that did not, of some groups
    crossing: int  # groups of several strata
    was: Any = None  # where means are weighted: the records as they were, their groups and weights


def formed(
    plan: Plan,
    table: Any,
    key: bytes,
    method: str | None = None,
    run: _check.Run | None = None,
    across: bool = False,
) -> Formed:
    """The groups of a block: by the job's method, or by another; of several strata, in each."""
    asked, step = plan.asked, plan.asked.step
    run = run or interruption.run()
    table = table.combine_chunks().take(pa.array(np.argsort(hashes.of_records(table, key))))
    quasi = _read(plan, table)
    if not plan.shows(table):
        msg = (
            "a data set is masked in blocks of neighbours, some of which do not hold so many "
            "different values of a sensitive column, or households, or are too far from the table "
            "for t; ask for less, or mask it in memory"
        )
        raise InputError(msg)
    try:
        found = _records(plan, quasi, len(table), run)
        options: dict[str, Any] = {e.name: getattr(step, e.name) for e in fields(Search)}
        if method is not None and not asked.searched:
            options = {"method": method}
        else:
            options["record_weights"] = in_search(asked.weights_of(table), step)
        options["sensitive"] = _sensitive(plan, table)
        if asked.household:
            options["households"] = asked.homes_of(table)
            options["min_households"] = asked.apart or None
        if across and step.strata:
            options["strata"] = plan.strata_of(table)
        labels = partition_of(task(found, asked.k, **options, run=run))
    except ValueError as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    return Formed(table, quasi, labels, costs_of(found, labels, run))


def _sensitive(plan: Plan, table: Any) -> tuple[Sensitive, ...] | None:
    """What every group is to show, as the search takes it."""
    asked = plan.asked
    found = [
        Sensitive(strata.codes_of(table, [name])[0], least=n) for name, n in asked.diversity.items()
    ]
    for model in asked.closeness:
        # A block away from the table leaves its groups less: distances add up at most.
        left = model.t - plan.away(model, table)
        codes = strata.codes_of(table, [model.column])[0]
        found.append(Sensitive(codes, farthest=max(left, 0.0)))
    return tuple(found) or None


def as_grouped(plan: Plan, table: Any, labels: Labels) -> Formed:
    """A block whose groups are known."""
    run, quasi = interruption.run(), _read(plan, table)
    return Formed(
        table, quasi, labels, costs_of(_records(plan, quasi, len(table), run), labels, run)
    )


def published(plan: Plan, block: Formed, left: Labels | None = None) -> Masked:
    """What the groups of a block publish; the groups in `left` stay out of it."""
    asked, step, run = plan.asked, plan.asked.step, interruption.run()
    kept = np.ones(len(block.costs), dtype=bool)
    kept[left if left is not None else []] = False
    groups = Groups(block.labels, len(block.costs), asked.weights_of(block.table))
    rows = kept[block.labels]
    few = pa.array(np.flatnonzero(rows & (block.labels < GROUPS_ASKED)))
    table = block.table if left is None else block.table.filter(pa.array(rows))
    of_few = block.labels[np.asarray(few)]
    made, changed, owed = {}, {}, {}
    for one in block.quasi:
        cells = block.table.column(one.name)
        try:
            made[one.name] = one.publish(groups, step.missing, run).in_arrow(cells)
        except ValueError as error:  # a group without weight; the message is the library's own
            raise InputError(str(error)) from None
        was, becomes = cells.take(few), made[one.name].take(few)
        asked_for = _least(was, of_few)
        owed[one.name] = max(asked_for - _apart(was, becomes), 0)
        if left is not None:
            made[one.name] = made[one.name].filter(pa.array(rows))
        changed[one.name] = _apart(table.column(one.name), made[one.name])
    names = asked.roles.released()
    columns = [made[name] if name in made else table.column(name) for name in names]
    lost = math.fsum(block.costs[kept])
    crossing = strata.crossing(block.labels, plan.strata_of(block.table)) if step.strata else 0
    was = None if groups.weights is None else _as_they_were(block, groups, rows)
    masked = pa.table(columns, names=names)
    return Masked(masked, lost, int(kept.sum()), changed, owed, crossing, was)


def _as_they_were(block: Formed, groups: Groups, kept: Any) -> Any:
    """The numbers of records whose means are published, with their groups and weights."""
    columns = {
        one.name: one.values[kept]
        for one in block.quasi
        if isinstance(one, NumericColumn) and one.kind == "numeric" and one.how == "mean"
    }
    assert groups.weights is not None
    return pa.table({GROUP: block.labels[kept], WEIGHT: groups.weights[kept], **columns})


def merged(
    tables: Iterator[tuple[int, Any]], least: int, enough: Callable[[Any], bool]
) -> Iterator[Any]:
    """Blocks of fewer records than that, or which have not enough for one group, go with the next
    one of their stratum; the last one of a stratum with the one before.
    """
    for _, of_stratum in groupby(tables, key=lambda each: each[0]):
        yield from _merged((table for _, table in of_stratum), least, enough)


def _merged(tables: Iterator[Any], least: int, enough: Callable[[Any], bool]) -> Iterator[Any]:
    waiting = None
    held = None
    for table in tables:
        if not len(table):
            continue
        waiting = table if waiting is None else pa.concat_tables([waiting, table])
        if len(waiting) >= least and enough(waiting):
            if held is not None:
                yield held
            held, waiting = waiting, None
    if waiting is not None:
        held = waiting if held is None else pa.concat_tables([held, waiting])
    if held is not None:
        yield held


def costs_of(x: Table, labels: Labels, run: _check.Run) -> Floats:
    """The sum of squares of each group, terms added in the order of the records."""
    groups = int(labels.max()) + 1
    numbers = x.numbers if isinstance(x, Records) else x
    means = aggregate_of(numbers, labels, groups, "mean", None, run)
    squares = np.zeros(len(numbers))
    for values, mean in zip(numbers.T, means.T, strict=True):
        apart = values - mean
        apart *= apart
        squares += apart
    costs: Floats = np.bincount(labels, squares, groups).astype(np.float64)
    if not isinstance(x, Records):
        return costs
    sizes = np.bincount(labels, minlength=groups)
    for codes, weight in zip(x.codes.T, x.weights, strict=True):
        there = codes >= 0
        span = int(codes.max()) + 2
        pairs, counts = np.unique(labels[there] * span + codes[there], return_counts=True)
        alike = np.bincount(pairs // span, counts.astype(np.float64) ** 2, groups)
        costs += weight * (np.bincount(labels[there], minlength=groups) - alike / sizes)
    return costs


def _read(plan: Plan, table: Any) -> list[QuasiIdentifier]:
    asked = plan.asked
    found = attributes.read(table.select(asked.quasi), asked.columns, asked.step)
    return [a.of_piece(one) for a, one in zip(plan.attributes, found, strict=True)]


def _records(plan: Plan, quasi: Sequence[QuasiIdentifier], rows: int, run: _check.Run) -> Table:
    """Quasi-identifiers as records on the scale of the whole table."""
    step = plan.asked.step
    pairs = zip(plan.attributes, quasi, strict=True)
    weights = np.array([step.attribute_weights.get(one.name, 1.0) for one in quasi])
    return join([a.embedded(one, step.missing, run) for a, one in pairs], rows, weights)


def _least(column: Any, labels: Labels) -> int:
    """How many cells change at least if each group publishes one value, whatever it is."""
    if not len(labels):
        return 0
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_floating(whole.type):
        whole = pc.add(whole, pa.scalar(0.0, whole.type))  # one zero
    codes = np.asarray(whole.dictionary_encode().indices.fill_null(-1)).astype(np.int64)
    pairs, counts = np.unique(labels * (len(codes) + 1) + codes + 1, return_counts=True)
    most = np.zeros(int(labels.max()) + 1, dtype=np.int64)
    np.maximum.at(most, pairs // (len(codes) + 1), counts)
    return len(codes) - int(most.sum())


def _apart(one: Any, other: Any) -> int:
    """How many cells are not what they were."""
    if one.type != other.type:
        return len(one)
    different = pc.not_equal(one, other)
    if not one.null_count and not other.null_count:
        return int(pc.sum(different).as_py() or 0)
    different = pc.fill_null(different, False)
    lost = pc.not_equal(pc.is_null(one), pc.is_null(other))
    return int(pc.sum(pc.or_(different, lost)).as_py() or 0)
