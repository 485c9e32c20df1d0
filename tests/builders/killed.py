"""Runs that die: a masking in a process forked for it, killed at a step or after a time."""

import os
import signal
import sys
import time
from pathlib import Path

import tokumei as tk
from tokumei.release import pipeline  # noqa: F401 - loaded before anything is forked
from tokumei.release.io import files, reading
from tokumei.release.sections import ACCEPTABLE

ACCEPTED = dict.fromkeys(ACCEPTABLE, "invented people, for a test")
STEPS = ("replace", "fsync", "unlink", "rename")


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
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    calls = [0]
    for name in STEPS:
        real = getattr(os, name)

        def counted(*a, real=real, **k):
            calls[0] += 1
            if calls[0] > step:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*a, **k)

        setattr(os, name, counted)
    work()
    os._exit(0)


def dies_within(seconds, work):
    """Kill the work after that time; whether it was still at it."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    end, ended = time.monotonic() + seconds, 0
    while not ended and time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.005)
    if not ended:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == -signal.SIGKILL


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


def main(count, folder):
    import random

    reading.decoded = files.reading.decoded = read_here
    (folder / "in.csv").write_text("age,x\n" + "".join(f"{i},v{i}\n" for i in range(300)))
    rng, found = random.Random(0), {}
    begin = time.perf_counter()
    child = os.fork()
    if child == 0:
        mask(folder)
        os._exit(0)
    os.waitpid(child, 0)
    longest = 1.2 * (time.perf_counter() - begin)
    for _ in range(count):
        died = dies_within(rng.random() * longest, lambda: mask(folder))
        seen = f"{state(folder)}{'' if died else ', done'}"
        found[seen] = found.get(seen, 0) + 1
    mask(folder)  # last: it tidies
    left = sorted(path.name for path in folder.iterdir())
    print({"found": found, "at the end": state(folder), "left": left})


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
