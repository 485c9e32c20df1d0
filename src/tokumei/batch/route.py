"""Records on their way to their blocks: a piece is read once, and lies in block files after it.

A block file is one of Arrow, in the types of the input, with a record batch for each block of a
shelf. Each piece has its own, written under another name first, so that pieces can be routed in any
order, twice, or by two workers at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.batch import attributes, hashes, interruption
from tokumei.batch.asked import Scattered
from tokumei.batch.divide import divided
from tokumei.batch.pieces import Piece, Source
from tokumei.batch.plan import Plan
from tokumei.batch.stage import Stage

SPILL = "spill"


def place_of(piece: int) -> str:
    """Where a piece has its block files."""
    return f"{SPILL}/piece-{piece:06d}"


def shelf_file(folder: Path, shelf: int) -> Path:
    return folder / f"shelf-{shelf:05d}.arrow"


def route(stage: Stage, plan: Plan, source: Source, piece: Piece) -> dict[str, Any]:
    """Write the block files of one piece; how many records each block has from it."""
    done = stage.facts(place_of(piece.number))
    if done is not None:
        return done
    asked, run = plan.asked, interruption.run()
    interruption.go_on()
    table = asked.read(source, piece)
    if not len(table):
        with stage.whole_folder(place_of(piece.number)) as folder:
            return stage.write_facts(folder, {"rows": 0, "blocks": {}, "passed_on": 0})
    quasi = attributes.read(table.select(asked.quasi), asked.columns, asked.step)
    blocks = plan.tree.blocks(plan.routed_at(table, quasi), run)
    interruption.go_on()
    narrow = blocks.astype(np.uint16 if len(plan.tree) <= 1 << 16 else np.int64)
    order = np.argsort(narrow, kind="stable")
    counts = np.bincount(blocks, minlength=len(plan.tree))
    interruption.go_on()
    sorted_table = table.take(pa.array(order))
    ends = np.concatenate([[0], np.cumsum(counts)])
    with stage.whole_folder(place_of(piece.number)) as folder:
        for shelf, (first, last) in enumerate(plan.shelves):
            if ends[first] == ends[last]:
                continue
            interruption.go_on()
            with stage.new_table(shelf_file(folder, shelf), table.schema) as file:
                for block in range(first, last):
                    part = sorted_table.slice(ends[block], ends[block + 1] - ends[block])
                    for batch in part.combine_chunks().to_batches() or [_empty(table.schema)]:
                        file.write_batch(batch)
        used = np.flatnonzero(counts)
        return stage.write_facts(
            folder,
            {
                "rows": len(table),
                "blocks": {int(b): int(counts[b]) for b in used},
                "passed_on": passed_on(plan, table, stage.key("passed on")),
            },
        )


def passed_on(plan: Scattered, table: Any, key: bytes) -> int:
    """A hash of the records' cells that are released as they are: a sum, in any order the same."""
    names = [name for name in plan.asked.roles.released() if name not in plan.asked.quasi]
    if not names:
        return 0
    return int(hashes.of_records(table.select(names), key).sum(dtype=np.uint64))


def tables_of(
    stage: Stage, plan: Plan, pieces: list[int], shelf: int, rows: dict[int, int]
) -> Iterator[tuple[int, Any]]:
    """The stratum and the records of each block of a shelf, from the files of all pieces."""
    first, last = plan.shelves[shelf]
    readers = []
    for piece in pieces:
        path = shelf_file(stage.path / place_of(piece), shelf)
        if path.exists():
            readers.append(stage.open_table(path))
    for block in range(first, last):
        if rows.get(block, 0) > plan.most:
            tables = _divided(plan, readers, block - first, rows[block])
        elif readers:
            batches = [reader.get_batch(block - first) for reader in readers]
            tables = iter([pa.Table.from_batches(batches)])
        else:
            continue
        for table in tables:
            yield int(plan.stratum_of[block]), table


def _divided(plan: Plan, readers: list[Any], place: int, rows: int) -> Iterator[Any]:
    """A block of many more records than were expected, in parts."""

    def batches() -> Iterator[Any]:
        for reader in readers:
            yield pa.Table.from_batches([reader.get_batch(place)])

    def coordinates(table: Any) -> Any:
        asked = plan.asked
        quasi = attributes.read(table.select(asked.quasi), asked.columns, asked.step)
        return plan.routed_at(table, quasi)

    return divided(batches, coordinates, plan.scales, rows, plan.most)


def tasks_of(plan: Plan, rows: dict[int, int]) -> Iterator[list[int]]:
    """Shelves that one task masks: one, or neighbours where a part of a stratum were too small."""
    of_block = np.array([rows.get(block, 0) for block in range(len(plan.tree))])
    enough = 2 * plan.asked.k * plan.members
    tasks: list[list[int]] = []
    waiting: list[int] = []
    for shelf, (_, last) in enumerate(plan.shelves):
        waiting.append(shelf)
        inside = slice(plan.shelves[waiting[0]][0], last)
        if last == len(of_block) or not of_block[inside].any():
            continue
        # A stratum that goes on must have records enough on both sides.
        same = plan.stratum_of == plan.stratum_of[last - 1]
        here, after = of_block[inside][same[inside]].sum(), of_block[last:][same[last:]].sum()
        if not after or (here >= enough and after >= enough):
            tasks.append(waiting)
            waiting = []
    if waiting and tasks and not of_block[plan.shelves[waiting[0]][0] :].any():
        tasks[-1] += waiting
    elif waiting:
        tasks.append(waiting)
    yield from tasks


def consumed(stage: Stage, pieces: list[int], shelf: int) -> None:
    """Take away the block files of a shelf that has been masked."""
    for piece in pieces:
        shelf_file(stage.path / place_of(piece), shelf).unlink(missing_ok=True)


def _empty(schema: Any) -> Any:
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
