"""Where a data set's time goes: tasks, their schedule on free cores, and the dearest steps in them.

Tasks are timed by the processor that their threads take, so that other work on the machine changes
little of it, and by how long they waited for anything but a core: for the disk, or for each other
(the kernel knows how long a thread was ready and had none). In their order they are laid on cores
that have nothing else to do, phase by phase, between what the main thread does alone: the time that
such a machine would take. Steps are functions by the time in themselves, of a run in one thread.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

STEPS = 16
BESIDE = {"attacks": "mask_shelves"}  # tasks that are done while others are


class Watch:
    """Tasks as they are done: name, seconds of the processor, of the clock but without a core."""

    def __init__(self, profile: cProfile.Profile | None) -> None:
        self.tasks: list[tuple[str, float, float]] = []
        self.profile = profile

    def over(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def watched(stop: Event, task: Callable[..., Any], *arguments: Any) -> Any:
            begin, processor = time.perf_counter() - without_core(), time.thread_time()
            try:
                if self.profile is None:
                    return real(stop, task, *arguments)
                return self.profile.runcall(real, stop, task, *arguments)
            finally:
                spent, processor = (
                    time.perf_counter() - without_core() - begin,
                    time.thread_time() - processor,
                )
                self.tasks.append((task.__name__, processor, max(spent, processor)))

        return watched

    def laid_out(self, cores: int) -> Iterator[tuple[str, int, float, float, float]]:
        """Each kind of task: how many, their seconds of the processor, those that they waited for
        anything but a core, and those until the last core is done."""
        phases = [(BESIDE.get(name, name), cpu, spent) for name, cpu, spent in self.tasks]
        for phase in dict.fromkeys(name for name, _, _ in phases):
            inside = [(cpu, spent) for name, cpu, spent in phases if name == phase]
            ends = [0.0] * cores
            for _, spent in inside:
                ends[ends.index(min(ends))] += spent
            used = sum(cpu for cpu, _ in inside)
            yield phase, len(inside), used, sum(spent for _, spent in inside) - used, max(ends)


def without_core() -> float:
    """Seconds that this thread has been ready and had no core, where the system tells."""
    with suppress(OSError):
        found = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").read_text()
        return int(found.split()[1]) / 1e9
    return 0.0


def watched(work: Callable[[], object], cores: int, profiled: bool) -> dict[str, Any]:
    """The work, and what was seen of it; its tasks laid on so many cores."""
    from tokumei.batch import interruption

    watch = Watch(cProfile.Profile(time.thread_time) if profiled else None)
    real = interruption.heeding
    interruption.heeding = watch.over(real)
    before, main = resource.getrusage(resource.RUSAGE_SELF), time.thread_time()
    try:
        work()
    finally:
        interruption.heeding = real
    main, after = time.thread_time() - main, resource.getrusage(resource.RUSAGE_SELF)
    steps = []
    if watch.profile is not None:
        found: Any = pstats.Stats(watch.profile)
        own = sorted(((one[2], one[0], key) for key, one in found.stats.items()), reverse=True)
        steps = [(f"{Path(key[0]).name} {key[2]}", calls, own) for own, calls, key in own[:STEPS]]
    return {
        "main": main,
        "tasks": list(watch.laid_out(cores)),
        "steps": steps,
        "system": after.ru_stime - before.ru_stime,
        "user": after.ru_utime - before.ru_utime,
    }


def lines(found: dict[str, Any], rows: float, asked: argparse.Namespace) -> Iterator[str]:
    """What is printed: microseconds a row."""
    cores = asked.threads
    ideal = found["main"]
    yield f"  {'tasks':<34}{'':>8}{'CPU us a row':>14}{'waited, s':>12}{f'{cores} cores, s':>14}"
    for name, count, used, waited, end in found["tasks"]:
        ideal += end
        yield f"  {name:<34}{count:>8}{1e6 * used / rows:>14.3f}{waited:>12.2f}{end:>14.2f}"
    own = found["main"]
    yield f"  {'main thread':<34}{'':>8}{1e6 * own / rows:>14.3f}{'':>12}{own:>14.2f}"
    yield f"  {rows / ideal:,.0f} rows/s if {cores} cores did nothing else ({ideal:.2f} s)"
    user, system = (1e6 * found[name] / rows for name in ("user", "system"))
    yield f"  the program itself took {user:.3f} CPU us a row, the system for it {system:.3f}"
    for name, calls, own in found["steps"]:
        yield f"  {name:<34}{calls:>8}{1e6 * own / rows:>14.3f}"
