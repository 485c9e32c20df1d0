"""Several files that get their names as one: what is to be moved is written down before it is.

A staging folder has an owner, a process that holds a lock in it, and, from the moment that all is
ready, a journal. Where the owner has died, the next process finishes what a journal says and takes
away what has none: nothing is half published for longer than until somebody stages there again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

PREFIX = ".tokumei-"
MAKING = f"{PREFIX}new-"
OWNER, JOURNAL, RESUMES = "owner", "journal", "resumes"
MOMENT = 1.0  # seconds


def made(parent: Path) -> tuple[Path, int]:
    """A new folder that only its owner can enter; it is owned until the descriptor is closed."""
    while True:
        making = Path(tempfile.mkdtemp(prefix=MAKING, dir=parent))
        folder = parent / (PREFIX + making.name.removeprefix(MAKING))
        with suppress(FileNotFoundError):  # another process took away what had no owner yet
            owner = own(making)
            try:
                making.rename(folder)
            except OSError:
                os.close(owner)
                raise
            return folder, owner


def taken(parent: Path, name: str) -> tuple[Path, int]:
    """The folder of long work on that name, as another process left it, or a new one; owned.

    Raises BlockingIOError where its owner is alive.
    """
    tidy(parent)
    folder = parent / f"{PREFIX}{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    if not folder.is_dir() or folder.is_symlink():
        new, owner = made(parent)
        (new / RESUMES).touch()
        new.rename(folder)
        return folder, owner
    owner = os.open(folder / OWNER, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _locked(owner)
    except OSError:
        os.close(owner)
        raise
    return folder, owner


def _locked(descriptor: int) -> None:
    """Hold a lock that a process which was killed may still have, by a child that it was starting:
    for the moment until that child has become a program of its own.
    """
    with suppress(ImportError):
        import fcntl

        end = time.monotonic() + MOMENT
        while time.monotonic() < end:
            with suppress(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            time.sleep(MOMENT / 50)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def own(folder: Path) -> int:
    """Hold the lock of a folder until the descriptor is closed or the process ends."""
    descriptor = os.open(folder / OWNER, os.O_RDWR | os.O_CREAT, 0o600)
    with suppress(ImportError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def move(folder: Path, moves: Mapping[Path, Path], *, first_gone: Iterable[Path]) -> None:
    """Take away some files and give staged ones their names, all or, in the end, all."""
    plan = {
        "gone": [path.name for path in first_gone],
        "moves": [[staged.name, target.name] for staged, target in moves.items()],
    }
    draft = folder / f"{JOURNAL}-draft"
    draft.unlink(missing_ok=True)  # of a process that was killed here, where one goes on
    with draft.open("x", encoding="utf-8") as file:
        file.write(json.dumps(plan))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / JOURNAL)
    _sync(folder)
    finish(folder)


def finish(folder: Path) -> None:
    """Do what the journal of a folder says, if it has one."""
    plan = _plan(folder)
    if plan is None:
        return
    try:
        _carry_out(folder, plan)
    except OSError:
        if all((folder / staged).exists() for staged, _ in plan["moves"]):  # none is at its place
            for name in plan["gone"]:
                with suppress(FileNotFoundError):
                    (folder / _old(name)).replace(folder.parent / name)
            (folder / JOURNAL).unlink()
        raise
    # What has been published is not gone on with, should it not be taken away any more.
    (folder / RESUMES).unlink(missing_ok=True)
    (folder / JOURNAL).unlink()


def tidy(parent: Path) -> None:
    """Finish or take away the folders of processes that have died; long work waits to go on."""
    for folder in sorted(parent.glob(f"{PREFIX}*")):
        with suppress(OSError):
            if not folder.is_symlink() and folder.is_dir() and _is_mine(folder):
                _tidied(folder)


def _is_mine(folder: Path) -> bool:
    return not hasattr(os, "geteuid") or folder.stat().st_uid == os.geteuid()


def _tidied(folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # who is dead cannot be told
        return
    try:
        descriptor = os.open(folder / OWNER, os.O_RDWR)
    except FileNotFoundError:
        if folder.name.startswith(MAKING):
            folder.rmdir()  # if it is still empty; its maker, should it live, makes another
        else:
            shutil.rmtree(folder, ignore_errors=True)
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # OSError: its owner is alive
        if not (folder / RESUMES).exists() or _plan(folder) is not None:
            finish(folder)
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)


def _plan(folder: Path) -> dict[str, Any] | None:
    """What a journal says, or None where there is none that can be followed."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        plan: dict[str, Any] = json.loads((folder / JOURNAL).read_text(encoding="utf-8"))
        names = [*plan["gone"], *(name for pair in plan["moves"] for name in pair)]
        if all(isinstance(name, str) and Path(name).name == name for name in names):
            return plan
    return None


def _carry_out(folder: Path, plan: Mapping[str, Any]) -> None:
    """Each step may have been done already."""
    parent = folder.parent
    if all((folder / staged).exists() for staged, _ in plan["moves"]):
        for name in plan["gone"]:
            with suppress(FileNotFoundError):
                (parent / name).replace(folder / _old(name))
    for staged, name in plan["moves"]:
        with suppress(FileNotFoundError):
            (folder / staged).replace(parent / name)
    _sync(parent)


def _old(name: str) -> str:
    return f"old-{name}"


def _sync(folder: Path) -> None:
    """Names are on the disk."""
    with suppress(PermissionError):  # Windows opens no folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
