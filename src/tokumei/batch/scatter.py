"""Masked records to the files of the release, each to any place of any file with equal chance.

In two passes, each in memory that does not grow with the table. First every masked record draws its
file; then the records of each file are put in a random order (Rao 1961; Sandelius 1962). The draws
are of the secure generator, exact, under a key that is wiped with the folder it lies in: neither
where a record was in the input, nor in which block, is left in where it stands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei import _check
from tokumei._check import Labels
from tokumei.batch import blocks as masking
from tokumei.batch import gate
from tokumei.batch.plan import Plan
from tokumei.batch.route import blocks_of, consumed
from tokumei.batch.stage import Stage, write_facts
from tokumei.noise import generator
from tokumei.release.io import files, plain

RUNS, PARTS = "runs", "parts"


def run_of(shelf: int) -> str:
    """Where the masked records of a task are, by the file of the release that they go to."""
    return f"{RUNS}/run-{shelf:05d}"


def name_of(part: int) -> str:
    """A file of the release."""
    return f"part-{part:05d}.parquet"


def bin_file(folder: Path, number: int) -> Path:
    return folder / f"bin-{number:03d}.arrow"


def mask_shelves(stage: Stage, plan: Plan, pieces: list[int], shelves: list[int]) -> dict[str, Any]:
    """Mask the blocks of neighbouring shelves, and let each record draw its file."""
    done = stage.facts(run_of(shelves[0]))
    if done is None:
        done = _masked(stage, plan, pieces, shelves)
    for shelf in shelves:  # what is masked is not needed again
        consumed(stage, pieces, shelf)
    return done


def _masked(stage: Stage, plan: Plan, pieces: list[int], shelves: list[int]) -> dict[str, Any]:
    key, facts = stage.key("ties"), gate.Facts()
    least = max(2 * plan.asked.k, 1)
    every = (one for shelf in shelves for one in blocks_of(stage, plan, pieces, shelf))
    made = []
    for table in masking.merged(every, least):
        masked = masking.mask_block(plan, table, key)
        facts += gate.of_block(plan, masked, stage.key("passed on"), stage.key("records"))
        made.append(masked.table)
    with stage.whole_folder(run_of(shelves[0])) as folder:
        if made:
            table = pa.concat_tables(made).combine_chunks()
            words = stage.words(f"scatter {shelves[0]}")
            places = generator.places(words, len(table), plan.parts, _check.run(1))
            _write_bins(folder, plan, table, places.astype(np.uint16))
        return write_facts(folder, facts.kept())


def _write_bins(folder: Path, plan: Plan, table: Any, places: Labels) -> None:
    scattered = table.take(pa.array(np.argsort(places, kind="stable")))
    ends = np.concatenate([[0], np.cumsum(np.bincount(places, minlength=plan.parts))])
    each = plan.parts // plan.bins
    for number in range(plan.bins):
        with pa.ipc.new_file(str(bin_file(folder, number)), table.schema) as file:
            for part in range(number * each, (number + 1) * each):
                rows = scattered.slice(ends[part], ends[part + 1] - ends[part])
                for batch in rows.combine_chunks().to_batches() or [_nothing(table.schema)]:
                    file.write_batch(batch)


def write_part(stage: Stage, plan: Plan, runs: list[int], part: int) -> dict[str, Any]:
    """One file of the release, in a random order; and what the gate finds when it is read again."""
    done = stage.facts(f"{PARTS}/{part:05d}")
    if done is not None:
        return done
    each = plan.parts // plan.bins
    batches = []
    for first in runs:
        path = bin_file(stage.path / run_of(first), part // each)
        if path.exists():
            reader = pa.ipc.open_file(pa.OSFile(str(path)))
            batches.append(reader.get_batch(part % each))
    table = pa.Table.from_batches(batches).combine_chunks()
    order = generator.order(stage.words(f"part {part}"), len(table), _check.run(1))
    released = plain.remade(table.take(pa.array(order)))
    with stage.whole_folder(f"{PARTS}/{part:05d}") as folder:
        path = folder / name_of(part)
        with path.open("xb") as file:
            path.chmod(0o600)
            write(released, file)
        facts = gate.of_file(plan, path, stage.key("records"))
        return write_facts(folder, facts | {"sha256": files.sha256_of(path)})


def write(table: Any, file: Any) -> None:
    """Parquet with nothing but its cells; dictionaries where texts repeat, not of numbers."""
    import pyarrow.parquet as pq

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
