"""The loss of a data set in blocks beside that of the same method on the whole table.

Blocks form the dearest groups again by MDAV, across their borders. The same pass over the groups of
the whole table says how much of the difference is due to it.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.dataset_problems import drawn
from tokumei import _check
from tokumei.batch import attributes, blocks, borders, dataset, plan, verdict
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
) -> tuple[float, float, float, int]:
    """SSE/SST in per cent in memory, there with the dearest groups formed again, and in blocks; and
    how many blocks there are."""
    table = drawn(kind, rows)
    asked: dict[str, Any] = {"k": k, "quasi": table.column_names, "method": method}
    asked["accept_risk"] = dict.fromkeys(ACCEPTABLE, "invented numbers")
    job = gather(Microaggregate, asked, source="in", target="out")
    sizes = replace(SIZES, block=block)
    source = Generated(lambda number: table, 1)
    with workers(1) as hands:
        found = plan_of(source, job, sizes, bytes(32), hands)
    memory, again = in_memory(found, table)
    with tempfile.TemporaryDirectory() as folder:
        attacks, verdict.attacks = verdict.attacks, lambda plan: []  # they change no loss
        try:
            how = dataset.How(sizes=sizes)
            release = dataset.from_dataset(source, Path(folder) / "out", job, how)
        finally:
            verdict.attacks = attacks
    lost = float(release.record["achieved"]["loss_percent"])  # type: ignore[index]
    return memory, again, lost, len(found.tree)


def in_memory(found: plan.Plan, table: Any) -> tuple[float, float]:
    """The same on the whole table, on the scale of the plan; and with the dearest groups again."""
    run, asked = _check.run(1), found.asked
    quasi = attributes.read(table.select(asked.quasi), asked.columns, asked.step)
    pairs = zip(found.attributes, quasi, strict=True)
    whole = records.join([a.embedded(one, "refuse", run) for a, one in pairs], len(table))
    labels = partition_of(task(whole, asked.k, method=asked.step.method, run=run))
    costs = blocks.costs_of(whole, labels, run)
    total, left = records.sst_of(whole, run), borders.dearest(costs, borders.SHARE)
    rows = np.flatnonzero(np.isin(labels, left))
    few = _some(whole, rows)
    formed = partition_of(task(few, asked.k, method=borders.METHOD, run=run))
    was, becomes = float(costs[left].sum()), float(blocks.costs_of(few, formed, run).sum())
    lost = float(costs.sum())
    return 100.0 * lost / total, 100.0 * (lost - was + min(was, becomes)) / total


def _some(whole: records.Table, rows: Any) -> records.Table:
    """Those rows of a table of records."""
    if not isinstance(whole, records.Records):
        return np.asfortranarray(whole[rows])
    numbers, codes = (np.asfortranarray(each[rows]) for each in (whole.numbers, whole.codes))
    return records.Records(numbers, codes, whole.weights)
