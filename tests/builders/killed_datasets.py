"""Data sets whose process is killed: forked for it, at a random moment, again and again.

``COUNT FOLDER [KIND ...]`` kills at random moments; ``steps FOLDER [KIND ...]`` kills each kind at
set steps of what is done to the disk. This process begins no threads, which a fork would not have.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from builders.commands import environment
from builders.killed import dies_after, dies_within, end_with
from builders.kinds_of_runs import WORK, source_of

import tokumei as tk
from tokumei.batch import asked, dataset, stage, verdict

SMALL = asked.Sizes(block=256, task=700, sample=1 << 12, bins=2)
KEY = np.arange(8, dtype=np.uint32) + 1
STEPS = (10, 30, 60, 100, 150)


def prepared(folder, kind="plain", rows=4000):
    """A source, and releases that are small and made with the same key each time."""
    dataset.How.__init__.__defaults__ = (False, None, SMALL, None, None, None, None)
    stage.generator.key = lambda: KEY.copy()
    verdict.attacks = lambda plan: []
    verdict.attacked = lambda plan, step, records: []
    return source_of(kind, folder / "in", rows)


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


class Kind:
    """The runs of one kind: what they give undisturbed, and what was seen when they were killed."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder / name
        self.folder.mkdir()
        self.found, self.resumed, self.begun = {}, 0, 0
        prepared(self.folder, name)
        begin = time.perf_counter()
        child = os.fork()
        if child == 0:
            end_with(self.work)
        os.waitpid(child, 0)
        self.longest = 1.1 * (time.perf_counter() - begin)
        self.whole = told(self.folder / "out")
        for path in ("out.audit.json", "out.private.json"):
            (self.folder / path).unlink()
        shutil.rmtree(self.folder / "out")

    def work(self):
        WORK[self.name](self.folder / "in", self.folder / "out", n_threads=1)

    def staged(self):
        return list(self.folder.glob(".tokumei-*"))

    def killed_at(self, share):
        """Kill it after that share of its time."""
        begin, anew = time.perf_counter(), not self.staged()
        died = dies_within(share * self.longest, self.work)
        if anew and not died:  # as long as runs take now: other work on the machine comes and goes
            self.longest = 1.1 * (time.perf_counter() - begin)
        self.seen(died)

    def seen(self, died):
        what = f"{state(self.folder)}{'' if died else ', done'}"
        self.found[what] = self.found.get(what, 0) + 1
        self.resumed += any((each / "plan").exists() for each in self.staged())

    def ended(self):
        """What was seen, when the last run has come to its end."""
        self.work()
        left = sorted(path.name for path in self.folder.iterdir())
        same = told(self.folder / "out") == self.whole
        return {"found": self.found, "resumed": self.resumed, "same": same, "left": left}


def killed(folder, *asked):
    """What a process of its own sees that kills runs: what of each kind, by its name."""
    done = subprocess.run(
        [sys.executable, __file__, asked[0], folder, *asked[1:]],
        capture_output=True, text=True, check=True,
        env=environment() | {"PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def assert_nothing_is_half(seen):
    """The next run gave the same release, none was half, and nothing else was left."""
    assert seen["same"]
    assert not {"wrong", "wrong, done"} & set(seen["found"])
    assert seen["left"] == ["in", "out", "out.audit.json", "out.private.json"]


def main(count, folder, names):
    kinds = [Kind(name, folder) for name in names]
    rng = random.Random(0)
    for turn in range(0 if count == "steps" else int(count)):
        kinds[turn % len(kinds)].killed_at(rng.random())
    for step in STEPS if count == "steps" else ():
        for kind in kinds:
            kind.seen(dies_after(step, kind.work))
    print(json.dumps({kind.name: kind.ended() for kind in kinds}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:] or list(WORK))
