"""Data sets whose process is killed: forked for it, at a random moment, again and again."""

import json
import os
import random
import sys
import time
from pathlib import Path

import numpy as np
from builders.datasets import folder_of, mask, people
from builders.killed import dies_within

import tokumei as tk
from tokumei.batch import asked, dataset, stage, verdict

SMALL = asked.Sizes(block=256, task=700, sample=1 << 12, bins=2)
KEY = np.arange(8, dtype=np.uint32) + 1


def prepared(folder, rows=4000):
    """A source, and releases that are small and made with the same key each time."""
    dataset.How.__init__.__defaults__ = (False, None, SMALL, None, None)
    stage.generator.key = lambda: KEY.copy()
    verdict.attacks = lambda plan: []
    return folder_of(folder / "in", people(rows), files=4, group=300)


def work(folder):
    mask(folder / "in", folder / "out", n_threads=1)


def told(folder):
    """The bytes of every file, by its name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def state(folder):
    """What stands at the target: nothing, a release without its audit, a whole one, or wrong."""
    audit = folder / "out.audit.json"
    if not audit.exists():
        return "bare" if (folder / "out").exists() else "absent"
    try:
        tk.release.verify(folder / "out")
    except tk.release.InputError:
        return "wrong"
    return "whole"


def main(count, folder):
    prepared(folder)
    begin = time.perf_counter()
    child = os.fork()  # this process begins no threads, which a fork would not have
    if child == 0:
        work(folder)
        os._exit(0)
    os.waitpid(child, 0)
    longest = 1.1 * (time.perf_counter() - begin)
    whole = told(folder / "out")
    for path in ("out.audit.json", "out.private.json"):
        (folder / path).unlink()
    for path in (folder / "out").iterdir():
        path.unlink()
    (folder / "out").rmdir()
    rng, found, resumed = random.Random(0), {}, 0
    for _ in range(count):
        begin, anew = time.perf_counter(), not list(folder.glob(".tokumei-*"))
        died = dies_within(rng.random() * longest, lambda: work(folder))
        if anew and not died:  # as long as runs take now: other work on the machine comes and goes
            longest = 1.1 * (time.perf_counter() - begin)
        seen = f"{state(folder)}{'' if died else ', done'}"
        found[seen] = found.get(seen, 0) + 1
        resumed += any((each / "plan").exists() for each in folder.glob(".tokumei-*"))
    work(folder)
    left = sorted(path.name for path in folder.iterdir())
    same = told(folder / "out") == whole
    print(json.dumps({"found": found, "resumed": resumed, "same": same, "left": left}))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
