"""A bound on what a process may take.

Loaded by `decoder`, in the process that is to have it: imports nothing of tokumei.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

DIE_WITH_PARENT = 1  # of prctl


def bounded(memory: int) -> None:
    """No more memory than that, no image of it on the disk, and no life after the parent."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
            _, hard = resource.getrlimit(what)
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (bound, hard))
    if sys.platform == "linux":
        control: Callable[..., int] = ctypes.CDLL(None).prctl
        control(DIE_WITH_PARENT, signal.SIGKILL)
