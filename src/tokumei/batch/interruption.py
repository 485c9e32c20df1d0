"""Work that is to end soon: a task asks between its steps, and its kernels ask inside them.

The thread that does a task knows the event that says so; who does tasks elsewhere, as a cluster
does, has ways of its own, and nothing is asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tokumei import _check

_here = threading.local()


class Stopped(Exception):
    """The task was left; nobody waits for it any more."""


def heeding(stop: threading.Event, task: Callable[..., Any], *arguments: Any) -> Any:
    """Do a task that is left soon after the event."""
    _here.stop = stop
    return task(*arguments)


def go_on() -> None:
    """Leave the task here, where it is to end."""
    stop = getattr(_here, "stop", None)
    if stop is not None and stop.is_set():
        raise Stopped


def run(threads: int = 1) -> _check.Run:
    """How kernels of a task are run."""
    return _check.run(threads, lambda done: go_on())
