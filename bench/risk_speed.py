"""What counts and attacks of large tables cost, CPU time of one core: limits that were promised."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

import tokumei as tk
from bench import problems
from bench.benchmarks.risk import TABLES, table
from bench.problems import Floats
from tokumei.release import pipeline
from tokumei.release.gate.found import examine as found
from tokumei.release.io import frames
from tokumei.release.job import gather
from tokumei.release.mask.step import Microaggregate

ROWS, COLUMNS = 1_000_000, 8
SPECIAL, CLASSES = 10.0, 5.0  # seconds


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """CPU time of a call, and what it returns."""
    begin = time.process_time()
    answer = call()
    return time.process_time() - begin, answer


def fast_enough() -> bool:
    """Whether no limit is exceeded; each is printed with what was measured."""
    verdicts = [second_half()]
    for name in TABLES:
        special, both = partial(_special, table(name, ROWS)), partial(_classes, table(name, ROWS))
        what = f"special uniques to size 4, 1e6 x 10, {name}"
        verdicts.append(said(what, seconds(special)[0], SPECIAL))
        verdicts.append(said(f"classes and linkage, 1e6 x 8, {name}", seconds(both)[0], CLASSES))
    return all(verdicts)


def _special(drawn: Floats) -> None:
    tk.risk.special_uniques(drawn, largest=4)


def _classes(drawn: Floats) -> None:
    tk.risk.class_sizes(drawn[:, :COLUMNS])
    tk.risk.reidentification(drawn[:, :COLUMNS])


def second_half() -> bool:
    """Whether attacks on a release cost less than to make it."""
    values = problems.microdata(ROWS, COLUMNS, np.random.default_rng(problems.SEED))
    source = frames.frame_of(pa.table({f"x{j}": values[:, j] for j in range(COLUMNS)}))
    names = source.columns
    asked = {"k": 5, "effort": "fast", "n_threads": 1, "quasi": names[:6], "sensitive": names[6:]}
    job = gather(Microaggregate, asked)
    making, made = seconds(lambda: pipeline.make(job, source, {"format": "memory"}))
    spent, checks = seconds(
        lambda: found.examine(job, made.roles, made.read, made.released, pipeline.remade)
    )
    for check in checks:
        print(f"  {check.name}: {check.verdict}, {check.detail}", flush=True)
    return said("second half of the gate, 1e6 x 8", spent, making)


def said(what: str, spent: float, limit: float) -> bool:
    """Whether it is within the limit; both are printed."""
    print(f"  {what}: {spent:.1f} s, at most {limit:.1f} s", flush=True)
    return spent <= limit
