"""Files read by a child: what it decoded and validated is all that is believed of them."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io import decoder
from tokumei.release.sections import Source
from tokumei.values.cells import GROUPED, NUMBER

ASKED_EVERY = 0.1  # seconds, whether the reading is to end
LEAST_MEMORY = 2 << 30
SHARE_OF_MEMORY = 0.9


def regular(source: Path) -> None:
    """Refuse what is no plain file before it is opened: opening a pipe may never end."""
    with as_input_error(f"cannot read {source.name}"):
        mode = source.stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            msg = f"cannot read {source.name}: it is a pipe or a device, not a file"
            raise InputError(msg)


def decoded(source: Path, form: str, folder: Path, how: Source) -> tuple[Any, str | None]:
    """The table of a file, and the delimiter it has been found to use."""
    target = folder / "input"
    told = told_by_child(source, target, {"format": form, "memory": _memory()} | csv_of(how))
    with as_input_error(f"cannot read {source.name}"), pa.memory_map(str(target)) as file:
        table = pa.ipc.open_stream(file).read_all()
        table.validate(full=True)
    return table, told["delimiter"]


def csv_of(how: Source) -> dict[str, Any]:
    """What a child is told of CSV."""
    return {
        "delimiter": how.delimiter,
        "header": how.header,
        "encoding": how.encoding,
        "numbers": [NUMBER.pattern, GROUPED.pattern],
    }


def told_by_child(
    source: Path,
    target: Path,
    request: Mapping[str, Any],
    go_on: Callable[[], None] = lambda: None,
    called: Callable[[], str] | None = None,
) -> dict[str, Any]:
    """What a child says that decodes a file into another; `go_on` may end it by an exception.

    `called` is how a message names what was read; the file by default.
    """
    asked = {"source": str(source), "target": str(target), **request}
    child = [sys.executable, "-I", decoder.__file__, json.dumps(asked)]
    with as_input_error(f"cannot start the process that reads {source.name}"):
        started = subprocess.Popen(
            child,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system"},
        )
    with started:
        try:
            while True:
                go_on()
                with suppress(subprocess.TimeoutExpired):
                    said = started.communicate(timeout=ASKED_EVERY)[0]
                    break
        except BaseException:
            started.kill()
            raise
    try:
        return _told(source.name, said, started.returncode)
    except InputError as error:
        if called is None:
            raise
        raise InputError(str(error).replace(source.name, called(), 1)) from None


def _told(called: str, said: bytes, code: int) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads(said)
    except ValueError:
        told = {"error": _ended(called, code)}
    if "error" in told:
        raise InputError(told["error"])
    return told


def _ended(called: str, code: int) -> str:
    """What the end of a child that said nothing means."""
    if -code == signal.SIGKILL:
        return f"not enough memory to read {called}"
    return f"cannot read {called}: it is damaged, or larger than the memory there is"


def _memory() -> int:
    """What a child may use: most of what is free."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        free = 0
    return max(LEAST_MEMORY, int(SHARE_OF_MEMORY * free))
