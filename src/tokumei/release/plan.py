"""What a job would do, before it does it: its steps, its roles, and how long it may take."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tokumei.release import pipeline
from tokumei.release.errors import InputError, counted
from tokumei.release.io import files
from tokumei.release.io.frames import Frame
from tokumei.release.job import Job, requested_of, shown_of

SAMPLES = (1_000, 2_000)  # rows that are worked on to see how long they take
SEED = 0  # which rows are taken changes no release


@dataclass(frozen=True)
class Plan:
    """What a job would do to its file; it holds names and counts, and no cell.

    Attributes
    ----------
    rows : int
        The records of the file.
    roles : dict
        The role of each column.
    requested : dict
        What is asked for, section by section.
    seconds : float or None
        Processor time that the steps may take, by what a sample took; None where a sample cannot be
        worked on.
    """

    rows: int
    roles: dict[str, str]
    requested: dict[str, Any]
    seconds: float | None

    def lines(self) -> list[tuple[str, str]]:
        """The plan, line by line: what is said of what."""
        by_role: dict[str, list[str]] = {}
        for name, role in self.roles.items():
            by_role.setdefault(role, []).append(name)
        asked = self.requested
        found = [("read", f"{asked['source']['path']}: {counted(self.rows, 'row')}")]
        found += [(role, ", ".join(names)) for role, names in by_role.items()]
        found += [("step", _told(step, "do")) for step in asked["steps"]]
        found += [("ask", _told(model, "model")) for model in asked.get("privacy", ())]
        found.append(("write", f"{asked['output']['path']} and its audit, if every check passes"))
        known = "not known" if self.seconds is None else f"about {max(self.seconds, 0.1):.2g} s"
        found.append(("time", f"{known} for the steps, by a sample"))
        return found


def plan_of(job: Job) -> Plan:
    """The plan of a job whose source and output are files; nothing is written beside the source."""
    source, target = pipeline.places(job)
    files.check(source, target, job.source.delimiter)
    with TemporaryDirectory(prefix="tokumei-") as folder:
        frame = pipeline.records_of(job, Path(folder))
    quiet = replace(job, run=job.run.silent())
    roles, seconds = _tried(quiet, frame)
    # What is promised is said whole, also where it is the default.
    requested = requested_of(job) | {"privacy": shown_of(job)["privacy"]}
    return Plan(len(frame), roles, requested, seconds)


def _tried(job: Job, frame: Frame) -> tuple[dict[str, str], float | None]:
    """The roles, and the time by two samples: what grows as n to some power does so to the end."""
    order = np.random.default_rng(SEED).permutation(len(frame))
    sizes = [size for size in SAMPLES if size < len(frame)] or [len(frame)]
    took, roles = [], dict.fromkeys(frame.columns, "not known")
    for size in sizes:
        begin = time.process_time()
        try:
            made = pipeline.make(job, frame[np.sort(order[:size]).tolist(), :], {})
        except InputError:
            if size == len(frame):
                raise
            return roles, None
        took.append(time.process_time() - begin)
        roles = dict(made.roles.roles)
    power = 1.0 if len(took) < 2 else float(np.clip(np.log2(took[1] / took[0]), 1.0, 2.0))
    return roles, float(took[-1] * (len(frame) / sizes[-1]) ** power)


def _told(options: dict[str, Any], tag: str) -> str:
    more = ", ".join(
        f"{name} = {json.dumps(value, ensure_ascii=False)}"
        for name, value in options.items()
        if name not in (tag, "trees", "orders")
    )
    return f"{options[tag]}{': ' * bool(more)}{more}"
