"""How long a call takes.

CPU time of the process comes first: it tells the same story on a machine that others use too, and a
competitor that quietly starts threads gains nothing by it. The best of several repeats is taken, as
what disturbs a measurement only ever makes it longer.
"""

from __future__ import annotations

import gc
import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)


def one_thread() -> None:
    """Keep every library to one thread; they read this when they are first imported."""
    for variable in THREAD_VARIABLES:
        os.environ[variable] = "1"


@dataclass(frozen=True)
class Timing:
    """Seconds of one call, at best."""

    cpu: float
    wall: float
    repeats: int


@dataclass(frozen=True)
class Effort:
    """What measuring may cost, in CPU seconds."""

    repeats: int  # at most
    repeating: float  # no repeat begins that would end after this
    affordable: float  # no call is made that is expected to take longer
    shortest: float = 0.02  # shorter calls are measured several at a time


def timed(call: Callable[[], Any], calls: int = 1) -> tuple[Any, Timing]:
    """The answer of a call, and its mean time over so many calls in a row."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(calls):
            answer = call()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    finally:
        if collecting:
            gc.enable()
    return answer, Timing(cpu / calls, wall / calls, 1)


def best(call: Callable[[], Any], effort: Effort) -> tuple[Any, Timing]:
    """The answer of a call and its best time; at least one call, however long it takes."""
    answer, first = timed(call)
    cpu, wall, repeats = first.cpu, first.wall, 1
    calls = max(1, math.ceil(effort.shortest / max(cpu, 1e-9)))
    left = effort.repeating - cpu
    while repeats < effort.repeats and left > cpu * calls:
        _, timing = timed(call, calls)
        cpu, wall = min(cpu, timing.cpu), min(wall, timing.wall)
        left -= timing.cpu * calls
        repeats += 1
    return answer, Timing(cpu, wall, repeats)


def seconds(value: float) -> str:
    """A time as people read it: 17 us, 3.4 ms, 1,234 s."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= unit:
            return f"{value / unit:.3g} {name}" if value < 1000 else f"{value:,.0f} s"
    return f"{value * 1e9:.3g} ns"
