"""What a release is doing just now, and how long each phase took.

Whoever wants to hear of it listens; the work itself only says where it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

Hear = Callable[[str], object]


@dataclass
class Phases:
    """The phases of one release so far: seconds of the clock and of the processor, by name."""

    hear: Hear
    seconds: dict[str, float] = field(default_factory=dict)
    processor: dict[str, float] = field(default_factory=dict)
    inside: bool = False
    outer: Phases | None = None

    def rounded(self) -> dict[str, float]:
        """The seconds of the clock of each phase, as a person reads them."""
        return {name: float(f"{spent:.3g}") for name, spent in self.seconds.items()}


_LISTENING: ContextVar[Phases | None] = ContextVar("phases", default=None)


@contextmanager
def heard_by(hear: Hear) -> Iterator[Phases]:
    """Tell `hear` the name of each phase that begins inside; their times are kept.

    Who listened before hears of them too, and has their times.
    """
    outer = _LISTENING.get()
    both = hear if outer is None else lambda name: (outer.hear(name), hear(name))
    phases = Phases(both, outer=outer)
    token = _LISTENING.set(phases)
    try:
        yield phases
    finally:
        _LISTENING.reset(token)


def counted() -> AbstractContextManager[Phases]:
    """Keep the times of the phases inside."""
    return heard_by(lambda name: None)


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Around one phase of the work; one inside another is a part of it, and is not told."""
    phases = _LISTENING.get()
    if phases is None or phases.inside:
        yield
        return
    phases.inside = True
    phases.hear(name)
    clock, processor = time.perf_counter(), time.process_time()
    try:
        yield
    finally:
        phases.inside = False
        spent = time.perf_counter() - clock, time.process_time() - processor
        each: Phases | None = phases
        while each is not None:
            for times, more in zip((each.seconds, each.processor), spent, strict=True):
                times[name] = times.get(name, 0.0) + more
            each = each.outer
