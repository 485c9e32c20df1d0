"""Runs that die: a masking in a process forked for it, killed at a step or after a time."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn
from unittest import mock

from builders.commands import environment

import tokumei as tk
from tokumei.release import pipeline  # noqa: F401 - loaded before anything is forked
from tokumei.release.io import files, journal, reading
from tokumei.release.sections import ACCEPTABLE

ACCEPTED = dict.fromkeys(ACCEPTABLE, "invented people, for a test")
STEPS = ("replace", "fsync", "unlink", "rename")


class Killed(KeyboardInterrupt):
    """What ends a process without a word, as far as a test of its own process can."""


@contextmanager
def killed_at(call, owner, name):
    """The n-th call of a function ends the process, so to speak."""
    real, calls = getattr(owner, name), []

    def counted(*arguments, **options):
        calls.append(name)
        if len(calls) == call:
            raise Killed
        return real(*arguments, **options)

    with mock.patch.object(owner, name, counted):
        try:
            yield
        except Killed:
            return
    msg = f"{name} was called {len(calls)} times"
    raise AssertionError(msg)


def mask(folder):
    tk.release.mask_file(
        folder / "in.csv",
        folder / "out.csv",
        k=2,
        quasi=["age"],
        other="*",
        accept_risk=ACCEPTED,
        n_threads=1,
    )


def read_here(source, form, folder, how):
    """Cells without a child, which takes most of the time of so small a masking."""
    import pyarrow as pa

    lines = [line.split(",") for line in source.read_text().splitlines()]
    return pa.table(dict(zip(lines[0], zip(*lines[1:], strict=True), strict=True))), ","


def dies_after(step, work):
    """Whether the process died: at the n-th of the calls that change what is on the disk."""
    child = os.fork()
    if child == 0:
        _kill_after(step)
        end_with(work)
    return _was_killed(os.waitpid(child, 0)[1])


def _kill_after(step):
    calls = [0]
    for name in STEPS:
        real = getattr(os, name)

        def counted(*a, real=real, **k):
            calls[0] += 1
            if calls[0] > step:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*a, **k)

        setattr(os, name, counted)


def dies_within(seconds, work):
    """Kill the work after that time; whether it was still at it."""
    child = os.fork()
    if child == 0:
        end_with(work)
    end, ended = time.monotonic() + seconds, 0
    while not ended and time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.005)
    if not ended:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    return _was_killed(status)


def end_with(work) -> NoReturn:
    """Do the work of a forked process, and end it: what comes after is its parent's."""
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _was_killed(status):
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, -signal.SIGKILL), "the work failed"
    return code == -signal.SIGKILL


def state(folder):
    """What stands beside the target: whole (a pair), bare (no audit), absent, or wrong."""
    target, audit = folder / "out.csv", folder / "out.csv.audit.json"
    if not audit.exists():
        return "bare" if target.exists() else "absent"
    try:
        tk.release.verify(target)
    except tk.release.InputError:
        return "wrong"
    return "whole"


def names(folder):
    """What is in the folder beside what is masked."""
    return sorted(path.name for path in folder.iterdir() if path.name != "in.csv")


def killed_at_steps(folder):
    """What is there after a run that dies at its first step, its second, ..., and then tidied.

    Where a first release is asked for, each one begins with nothing.
    """
    seen = []
    anew = not names(folder)
    while dies_after(len(seen), lambda: mask(folder)):
        after = {"state": state(folder), "left": names(folder)}
        journal.tidy(folder)
        seen.append(after | {"tidied": state(folder), "names": names(folder)})
        for name in names(folder) if anew else ():
            (folder / name).unlink()
    return seen


def killed_at_moments(folder, count):
    """What is there after runs that die at random moments, and after one that ends."""
    reading.decoded = files.reading.decoded = read_here
    rng, found = random.Random(0), {}
    begin = time.perf_counter()
    child = os.fork()
    if child == 0:
        end_with(lambda: mask(folder))
    _was_killed(os.waitpid(child, 0)[1])
    longest = 1.2 * (time.perf_counter() - begin)
    for _ in range(count):
        died = dies_within(rng.random() * longest, lambda: mask(folder))
        seen = f"{state(folder)}{'' if died else ', done'}"
        found[seen] = found.get(seen, 0) + 1
    mask(folder)  # last: it tidies
    return {"found": found, "at the end": state(folder), "names": names(folder)}


def killed(folder, how):
    """The same of a process that begins no thread before it forks: at "steps", or so many."""
    done = subprocess.run(
        [sys.executable, __file__, how, folder],
        capture_output=True, text=True, check=True,
        env=environment() | {"PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def main(how, folder):
    if not (folder / "in.csv").exists():
        (folder / "in.csv").write_text("age,x\n" + "".join(f"{i},v{i}\n" for i in range(300)))
    found = killed_at_steps(folder) if how == "steps" else killed_at_moments(folder, int(how))
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
