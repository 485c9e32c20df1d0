"""A private folder beside the target: what is made in it is nobody's until it is published.

The folder and all in it are gone when the work ends, whichever way: done, refused, an error,
Ctrl-C, or a signal that asks the process to end. What a process killed outright leaves behind, the
next one that stages in the same place finishes or takes away (`journal`).
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import BinaryIO, NoReturn

from tokumei.release.errors import Unfinished, as_input_error
from tokumei.release.io import journal

ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def staging(target: Path) -> Iterator[Path]:
    """A new folder that only its owner can enter, on the target's file system."""
    with ending_raises():
        with as_input_error(f"cannot write in the folder of {target.name}"):
            journal.tidy(target.parent)
            folder, owner = journal.made(target.parent)
        try:
            yield folder
        finally:
            _ended(folder, owner)


@contextmanager
def resumable(target: Path) -> Iterator[Path]:
    """The private folder of long work: where that is stopped, the next process goes on in it.

    It is gone when the work is done, refused or fails. A signal or Ctrl-C leaves it, as a process
    that is killed and what is `Unfinished` do, until the same target is written again.
    """
    with ending_raises():
        with as_input_error(f"cannot write in the folder of {target.name}"):
            folder, owner = journal.taken(target.parent, target.name)
        try:
            yield folder
        except (KeyboardInterrupt, SystemExit, Unfinished):
            os.close(owner)
            raise
        except BaseException:
            _ended(folder, owner)
            raise
        _ended(folder, owner)


def _ended(folder: Path, owner: int) -> None:
    with suppress(OSError):  # what cannot be finished now is left to the next process
        journal.finish(folder)
        shutil.rmtree(folder, ignore_errors=True)
    os.close(owner)


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


def publish(folder: Path, target: Path, staged: Path, audit: str, record: str) -> None:
    """Give what is staged its place and name, with its audit and the private record beside it."""
    beside = {audit_of(target): audit, record_of(target): record}
    moves = {staged: target} | _written(folder, beside)
    # The audit last: a release is never beside an audit that is not its own.
    order = [target, record_of(target), audit_of(target)]
    moves = dict(sorted(moves.items(), key=lambda move: order.index(move[1])))
    with as_input_error(f"cannot write {target.name}"):
        gone = [audit_of(target), refusal_of(target)]
        # A folder takes no other's place while there is something in it.
        gone += [target] if target.is_dir() else []
        journal.move(folder, moves, first_gone=gone)


def publish_refusal(folder: Path, target: Path, audit: str) -> None:
    """Put the audit of a refusal under its own name, and leave the target and its audit alone."""
    with as_input_error(f"cannot write {refusal_of(target).name}"):
        journal.move(folder, _written(folder, {refusal_of(target): audit}), first_gone=[])


def audit_of(target: Path) -> Path:
    """Where the public audit of a file is."""
    return target.with_name(target.name + ".audit.json")


def record_of(target: Path) -> Path:
    """Where the private record of a file is, which is not for publication."""
    return target.with_name(target.name + ".private.json")


def refusal_of(target: Path) -> Path:
    """Where the audit of a refused release is."""
    return target.with_name(target.name + ".refused.json")


def _written(folder: Path, texts: Mapping[Path, str]) -> dict[Path, Path]:
    moves = {}
    for number, (target, text) in enumerate(texts.items()):
        staged = folder / f"text-{number}"
        staged.unlink(missing_ok=True)  # of a process that was killed here, where one goes on
        with created(staged, target) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
        moves[staged] = target
    return moves
