"""Masked records to the files of the release, each to any place of any file with equal chance.

In two passes, each in memory that does not grow with the table. First every masked record draws its
file; then the records of each file are put in a random order (Rao 1961; Sandelius 1962). The draws
are of the secure generator, exact, under a key that is wiped with the folder it lies in: neither
where a record was in the input, nor in which block, is left in where it stands.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Labels
from tokumei.batch import blocks as masking
from tokumei.batch import borders, gate, interruption
from tokumei.batch.asked import Scattered
from tokumei.batch.borders import Dear
from tokumei.batch.plan import Plan
from tokumei.batch.route import consumed, tables_of
from tokumei.batch.stage import Stage
from tokumei.noise import generator
from tokumei.release.io import files, plain

RUNS, PARTS, HELD = "runs", "parts", "held.arrow"


def run_of(shelf: int) -> str:
    """Where the masked records of a task are, by the file of the release that they go to."""
    return f"{RUNS}/run-{shelf:05d}"


def name_of(plan: Scattered, part: int) -> str:
    """A file of the release."""
    return f"part-{part:05d}.{plan.asked.job.output.files}"


def bin_file(folder: Path, number: int) -> Path:
    return folder / f"bin-{number:03d}.arrow"


def mask_shelves(
    stage: Stage, plan: Plan, pieces: list[int], shelves: list[int], rows: dict[int, int]
) -> dict[str, Any]:
    """Mask the blocks of neighbouring shelves, which have so many records each.

    Groups that may be among the dearest of the table are left over for `mask_dearest`.
    """
    done = stage.once(run_of(shelves[0]), lambda: _masked(stage, plan, pieces, shelves, rows))
    for shelf in shelves:  # what is masked is not needed again
        consumed(stage, pieces, shelf)
    return done


def _masked(
    stage: Stage, plan: Plan, pieces: list[int], shelves: list[int], rows: dict[int, int]
) -> None:
    key, made = stage.key("ties"), _Made(stage, plan)
    rests: list[Any] = []
    costs: Counter[int] = Counter()
    left_over = 0
    every = (t for shelf in shelves for t in tables_of(stage, plan, pieces, shelf, rows))
    for table in masking.merged(every, max(2 * plan.asked.k, 1), plan.shows):
        interruption.go_on()
        block = masking.formed(plan, table, key)
        left = borders.dearest(block.costs, borders.LIKELY)
        costs += borders.counted(block.costs)
        made.add(block, left)
        rests.append(borders.rest_of(block, left, left_over))
        left_over += len(left)
    with stage.whole_folder(run_of(shelves[0])) as folder:
        if left_over:
            _hold(stage, folder, pa.concat_tables(rests))
        made.write(folder, f"scatter {shelves[0]}", costs=costs)


def _hold(stage: Stage, folder: Path, rest: Any) -> None:
    with stage.new_table(folder / HELD, rest.schema) as file:
        file.write_table(rest)


def again_of(plan: Plan, shelf: int) -> int:
    """The run of what a task left over."""
    return len(plan.shelves) + 1 + shelf


def mask_dearest(stage: Stage, plan: Plan, shelf: int, dear: Dear) -> dict[str, Any]:
    """Mask what a task left over: as it was, or grouped anew where it is among the dearest of all.

    What costs most after that is left over once more, for `mask_held`.
    """
    name, own = run_of(again_of(plan, shelf)), stage.path / run_of(shelf) / HELD
    done = stage.once(name, lambda: _dearest_masked(stage, plan, shelf, dear))
    own.unlink(missing_ok=True)
    return done


def _dearest_masked(stage: Stage, plan: Plan, shelf: int, dear: Dear) -> None:
    made, path = _Made(stage, plan), stage.path / run_of(shelf) / HELD
    held = None
    if path.exists():
        table = stage.open_table(path).read_all()
        numbers = np.asarray(table.column(masking.GROUP)).astype(np.int64)
        block = borders.before(plan, table.drop_columns(masking.GROUP), numbers)
        left = borders.among(block.costs, dear)
        made.add(block, left)
        if len(left):
            interruption.go_on()
            rest = borders.rest_of(block, left, 0)
            again = borders.again(plan, [rest], stage.key("ties"))
            left = borders.dearest(again.costs, borders.held_share(plan) / borders.SHARE)
            made.add(again, left)
            held = borders.rest_of(again, left, 0)
    number = again_of(plan, shelf)
    with stage.whole_folder(run_of(number)) as folder:
        if held is not None and len(held):
            _hold(stage, folder, held)
        made.write(folder, f"scatter {number}")


def mask_held(stage: Stage, plan: Plan, runs: list[int], threads: int) -> dict[str, Any]:
    """Mask the records whose groups cost most of all, from all over the table."""
    name = run_of(len(plan.shelves))
    done = stage.facts(name)
    if done is not None:
        return done
    rests, groups = [], 0
    for first in runs:
        path = stage.path / run_of(first) / HELD
        if path.exists():
            table = stage.open_table(path).read_all()
            place = table.schema.get_field_index(masking.GROUP)
            numbers = np.asarray(table.column(place)) + groups
            rests.append(table.set_column(place, masking.GROUP, pa.array(numbers)))
            groups = int(numbers.max()) + 1
    made = _Made(stage, plan)
    if rests:
        made.add(borders.again(plan, rests, stage.key("ties"), interruption.run(threads)), None)
    with stage.whole_folder(name) as folder:
        return made.write(folder, "scatter what was held")


class _Made:
    """Masked records on their way to a run, and what is known of them."""

    def __init__(self, stage: Stage, plan: Plan) -> None:
        self.stage, self.plan = stage, plan
        self.facts, self.tables = gate.Facts(), list[Any]()
        self.keys = stage.key("passed on"), stage.key("records")

    def add(self, block: masking.Formed, left: Labels | None) -> None:
        """What a block publishes but for the groups that are left over."""
        masked = masking.published(self.plan, block, left)
        if len(masked.table):
            self.facts += gate.of_block(self.plan, masked, *self.keys)
            self.tables.append(masked.table)

    def write(self, folder: Path, purpose: str, **more: Any) -> dict[str, Any]:
        """The records by the files that they draw; and what is known of them, with more."""
        if self.tables:
            table = pa.concat_tables(self.tables).combine_chunks()
            words, run = self.stage.words(purpose), interruption.run()
            places = generator.places(words, len(table), self.plan.parts, run)
            write_bins(self.stage, folder, self.plan, table, places.astype(np.uint16))
        return self.stage.write_facts(folder, self.facts.kept() | more)


def write_bins(stage: Stage, folder: Path, plan: Scattered, table: Any, places: Labels) -> None:
    """Write the records by the files that they draw."""
    scattered = table.take(pa.array(np.argsort(places, kind="stable")))
    ends = np.concatenate([[0], np.cumsum(np.bincount(places, minlength=plan.parts))])
    each = plan.parts // plan.bins
    for number in range(plan.bins):
        with stage.new_table(bin_file(folder, number), table.schema) as file:
            for part in range(number * each, (number + 1) * each):
                rows = scattered.slice(ends[part], ends[part + 1] - ends[part])
                for batch in rows.combine_chunks().to_batches() or [_nothing(table.schema)]:
                    file.write_batch(batch)


def write_part(stage: Stage, plan: Scattered, runs: list[int], part: int) -> dict[str, Any]:
    """One file of the release, in a random order; and what the gate finds when it is read again."""
    return stage.once(f"{PARTS}/{part:05d}", lambda: _written(stage, plan, runs, part))


def _written(stage: Stage, plan: Scattered, runs: list[int], part: int) -> None:
    each = plan.parts // plan.bins
    batches = []
    for first in runs:
        path = bin_file(stage.path / run_of(first), part // each)
        if path.exists():
            reader = stage.open_table(path)
            batches.append(reader.get_batch(part % each))
    table = pa.Table.from_batches(batches)
    interruption.go_on()
    order = generator.order(stage.words(f"part {part}"), len(table), interruption.run())
    released = _in_order(table, pa.array(order))
    with stage.whole_folder(f"{PARTS}/{part:05d}") as folder:
        path = folder / name_of(plan, part)
        with path.open("xb") as file:
            path.chmod(0o600)
            write(released, file, plan.asked.layout)
        interruption.go_on()
        facts = gate.of_file(plan, path, released, stage.key("records"))
        stage.write_facts(folder, facts | {"sha256": files.sha256_of(path)})


def _in_order(table: Any, order: Any) -> Any:
    """The table made again in that order, column by column: what each takes is used again."""
    made = []
    for name in table.column_names:
        interruption.go_on()
        column = table.column(name).combine_chunks()
        made.append(plain.remade(pa.table([column.take(order)], names=[name])).column(0))
    return pa.table(made, names=table.column_names)


def write(table: Any, file: Any, layout: files.Layout) -> None:
    """Nothing but its cells; Parquet has dictionaries where texts repeat, not of numbers."""
    import pyarrow.parquet as pq

    if layout.format == "csv":
        files.write(table, file, layout)
        return
    texts = [
        field.name
        for field in table.schema
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
    ]
    pq.write_table(table, file, use_dictionary=texts)


def bin_consumed(stage: Stage, runs: list[int], number: int) -> None:
    """Take away the masked records of a bin whose files are written."""
    for first in runs:
        bin_file(stage.path / run_of(first), number).unlink(missing_ok=True)


def _nothing(schema: Any) -> Any:
    return pa.RecordBatch.from_arrays([pa.array([], f.type) for f in schema], schema=schema)
