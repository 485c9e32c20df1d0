"""The loss of a data set in blocks beside that of the same method on the whole table."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.dataset_problems import drawn
from tokumei import _check
from tokumei.batch import attributes, blocks, dataset, plan, verdict
from tokumei.batch.asked import SIZES
from tokumei.batch.asking import plan_of
from tokumei.batch.pieces import Generated
from tokumei.batch.workers import workers
from tokumei.microaggregation import records
from tokumei.microaggregation.partition import partition_of, task
from tokumei.release.job import gather
from tokumei.release.mask.step import Microaggregate
from tokumei.release.sections import ACCEPTABLE


def compared(
    kind: str, rows: int, method: str, k: int, block: int = SIZES.block
) -> tuple[float, float, int]:
    """SSE/SST in per cent in memory and in blocks, and how many blocks there are."""
    table = drawn(kind, rows)
    asked: dict[str, Any] = {"k": k, "quasi": table.column_names, "method": method}
    asked["accept_risk"] = dict.fromkeys(ACCEPTABLE, "invented numbers")
    job = gather(Microaggregate, asked, source="in", target="out")
    sizes = replace(SIZES, block=block)
    source = Generated(lambda number: table, 1)
    with workers(1) as hands:
        found = plan_of(source, job, sizes, bytes(32), hands)
    memory = in_memory(found, table)
    with tempfile.TemporaryDirectory() as folder:
        attacks, verdict.attacks = verdict.attacks, lambda plan: []  # they change no loss
        try:
            how = dataset.How(sizes=sizes)
            release = dataset.from_dataset(source, Path(folder) / "out", job, how)
        finally:
            verdict.attacks = attacks
    return memory, float(release.record["achieved"]["loss_percent"]), len(found.tree)  # type: ignore[index]


def in_memory(found: plan.Plan, table: Any) -> float:
    """The same on the whole table, on the scale of the plan."""
    run, asked = _check.run(1), found.asked
    quasi = attributes.read(table.select(asked.quasi), asked.columns, asked.step)
    pairs = zip(found.attributes, quasi, strict=True)
    whole = records.join([a.embedded(one, "refuse", run) for a, one in pairs], len(table))
    labels = partition_of(task(whole, asked.k, method=asked.step.method, run=run))
    lost = float(blocks.costs_of(whole, labels, run).sum())
    return 100.0 * lost / records.sst_of(whole, run)
