"""A block of records masked: groups are formed among them as in a table of their own.

What comes out depends on which records are in the block, not on the files they were in: they are
put in the order of a keyed hash of the whole record first, so that "the lowest row" of a tie is the
same in every layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei import _check
from tokumei._check import Labels
from tokumei.batch import attributes, hashes
from tokumei.batch.plan import Plan
from tokumei.microaggregation import records
from tokumei.microaggregation.options import Search
from tokumei.microaggregation.partition import partition_of, task
from tokumei.release.errors import InputError
from tokumei.release.mask.quasi_identifiers import Groups

GROUPS_ASKED = 512  # of a block are asked what was to change


@dataclass(frozen=True)
class Masked:
    """The released columns of a block, and what masking it cost."""

    table: Any
    lost: float  # squares, on the scale of the whole table
    groups: int
    changed: dict[str, int]
    owed: dict[str, int]  # cells that groups ask to change and that did not, of some groups


def mask_block(plan: Plan, table: Any, key: bytes) -> Masked:
    """One block, masked by the job's method; its rows come in the order of their hashes."""
    asked, step = plan.asked, plan.asked.step
    run = _check.run(1)
    table = table.combine_chunks().take(pa.array(np.argsort(hashes.of_records(table, key))))
    cells = table.select(asked.quasi)
    quasi = [
        attribute.of_piece(one)
        for attribute, one in zip(
            plan.attributes, attributes.read(cells, asked.columns, step), strict=True
        )
    ]
    try:
        pairs = zip(plan.attributes, quasi, strict=True)
        found = records.join(
            [attribute.embedded(one, step.missing, run) for attribute, one in pairs],
            len(table),
            np.array([step.attribute_weights.get(one.name, 1.0) for one in quasi]),
        )
        options = {each.name: getattr(step, each.name) for each in fields(Search)}
        labels = partition_of(task(found, asked.k, **options, run=run))
        groups = Groups(labels, int(labels.max()) + 1)
        published = {one.name: one.publish(groups, step.missing, run) for one in quasi}
    except ValueError as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    some = pa.array(np.flatnonzero(labels < GROUPS_ASKED))
    made, changed, owed = {}, {}, {}
    for name, one in published.items():
        made[name] = one.in_arrow(cells.column(name))
        changed[name] = _apart(cells.column(name), made[name])
        was, becomes = cells.column(name).take(some), made[name].take(some)
        owed[name] = max(_least(was, labels[labels < GROUPS_ASKED]) - _apart(was, becomes), 0)
    names = asked.roles.released()
    columns = [made[name] if name in made else table.column(name) for name in names]
    lost = records.sse_of(found, labels, groups.count, run)
    return Masked(pa.table(columns, names=names), lost, groups.count, changed, owed)


def merged(blocks: Iterator[tuple[int, Any]], least: int) -> Iterator[Any]:
    """Blocks of fewer records than that go with the next; the last one with the one before."""
    waiting = None
    held = None
    for _, table in blocks:
        if table is None or not len(table):
            continue
        waiting = table if waiting is None else pa.concat_tables([waiting, table])
        if len(waiting) >= least:
            if held is not None:
                yield held
            held, waiting = waiting, None
    if waiting is not None:
        held = waiting if held is None else pa.concat_tables([held, waiting])
    if held is not None:
        yield held


def _least(column: Any, labels: Labels) -> int:
    """How many cells change at least if each group publishes one value, whatever it is."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    codes = np.asarray(whole.dictionary_encode().indices.fill_null(-1)).astype(np.int64)
    pairs, counts = np.unique(labels * (len(codes) + 1) + codes + 1, return_counts=True)
    most = np.zeros(int(labels.max()) + 1, dtype=np.int64)
    np.maximum.at(most, pairs // (len(codes) + 1), counts)
    return len(codes) - int(most.sum())


def _apart(one: Any, other: Any) -> int:
    """How many cells are not what they were."""
    if one.type != other.type:
        return len(one)
    different = pc.fill_null(pc.not_equal(one, other), False)
    lost = pc.not_equal(pc.is_null(one), pc.is_null(other))
    return int(pc.sum(pc.or_(different, lost)).as_py() or 0)
