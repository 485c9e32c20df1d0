"""A private folder beside the target: what is made in it is nobody's until it is published.

The folder and all in it are gone when the work ends, whichever way: done, refused, an error,
Ctrl-C, or a signal that asks the process to end. Only a process killed outright leaves it behind.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import BinaryIO, NoReturn

from tokumei.release.errors import as_input_error

ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def staging(target: Path) -> Iterator[Path]:
    """A new folder that only its owner can enter, on the target's file system."""
    with ending_raises():
        with as_input_error(f"cannot write in the folder of {target.name}"):
            folder = Path(tempfile.mkdtemp(prefix=".tokumei-", dir=target.parent))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def ending_raises() -> Iterator[None]:
    """Let signals that ask the process to end raise SystemExit, where the program has no answer."""
    here = threading.current_thread() is threading.main_thread()
    mine = [s for s in ENDING_SIGNALS if here and signal.getsignal(s) is signal.SIG_DFL]
    for number in mine:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


@contextmanager
def created(path: Path, target: Path) -> Iterator[BinaryIO]:
    """A new file that only its owner can read; on the disk when the block is left."""
    with as_input_error(f"cannot write {target.name}"), open(path, "xb", opener=_private) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def publish(staged: Path, audit: str, target: Path) -> None:
    """Give a staged file its place and name, and put its audit beside it."""
    beside = _staged_audit(audit, staged.parent, target)
    _replace(staged, target)
    _replace(beside, audit_of(target))


def publish_audit(audit: str, folder: Path, target: Path) -> None:
    """Put an audit where that of the target belongs, and leave the target alone."""
    _replace(_staged_audit(audit, folder, target), audit_of(target))


def audit_of(target: Path) -> Path:
    """Where the audit of a file is."""
    return target.with_name(target.name + ".audit.json")


def _staged_audit(audit: str, folder: Path, target: Path) -> Path:
    staged = folder / "audit"
    with created(staged, audit_of(target)) as file:
        file.write(audit.encode("utf-8", "backslashreplace"))
    return staged


def _replace(staged: Path, target: Path) -> None:
    # One step, which nobody can see half done.
    with as_input_error(f"cannot write {target.name}"):
        staged.replace(target)
