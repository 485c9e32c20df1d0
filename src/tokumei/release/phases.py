"""What a release is doing just now, and how long each phase took.

Whoever wants to hear of it listens; the work itself only says where it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

Hear = Callable[[str], object]


@dataclass
class Phases:
    """The phases of one release so far: seconds of the clock and of the processor, by name."""

    hear: Hear
    seconds: dict[str, float] = field(default_factory=dict)
    processor: dict[str, float] = field(default_factory=dict)


_LISTENING: ContextVar[Phases | None] = ContextVar("phases", default=None)


@contextmanager
def heard_by(hear: Hear) -> Iterator[Phases]:
    """Tell `hear` the name of each phase that begins inside; their times are kept."""
    phases = Phases(hear)
    token = _LISTENING.set(phases)
    try:
        yield phases
    finally:
        _LISTENING.reset(token)


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Around one phase of the work."""
    phases = _LISTENING.get()
    if phases is None:
        yield
        return
    phases.hear(name)
    clock, processor = time.perf_counter(), time.process_time()
    try:
        yield
    finally:
        for times, spent in (
            (phases.seconds, time.perf_counter() - clock),
            (phases.processor, time.process_time() - processor),
        ):
            times[name] = times.get(name, 0.0) + spent
