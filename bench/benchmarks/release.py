"""What judging a release costs beside making it: the gate's questions and the masking, CPU time."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from bench import problems
from tokumei.release import pipeline
from tokumei.release.gate.answers import Check
from tokumei.release.io import files, frames
from tokumei.release.io.written import InMemory, Written, written_file
from tokumei.release.job import gather
from tokumei.release.mask.step import Microaggregate

COLUMNS = 8
PLACES = ("memory", ".parquet", ".csv")


def table(rows: int) -> pa.Table:
    """Half of the columns are masked, and half go with them."""
    values = problems.microdata(rows, COLUMNS, np.random.default_rng(problems.SEED))
    return pa.table({f"x{column}": values[:, column] for column in range(COLUMNS)})


def masked(source: pa.Table) -> pipeline.Attempt:
    names = source.column_names
    half = COLUMNS // 2
    asked = {"k": 5, "effort": "fast", "n_threads": 1, "quasi": names[:half], "other": names[half:]}
    job = gather(Microaggregate, asked)
    return pipeline.make(job, frames.frame_of(source), {"format": "memory"})


def written(attempt: pipeline.Attempt, place: str, folder: Path) -> Written:
    if place == "memory":
        return InMemory(attempt.released, attempt.roles.released())
    path = folder / f"release{place}"
    layout = files.layout_of(path)
    with path.open("wb") as file:
        files.write(attempt.released.to_native(), file, layout)
    return written_file(path, layout, attempt.roles)


def judged(attempt: pipeline.Attempt, release: Written) -> list[Check]:
    return attempt.drafts[-1].examine(release, attempt.origin, None)


class Gate:
    params = (PLACES, (100_000, 1_000_000))
    param_names = ("place", "rows")
    timeout = 600

    def setup(self, place: str, rows: int) -> None:
        self.folder = TemporaryDirectory()
        self.attempt = masked(table(rows))
        self.release = written(self.attempt, place, Path(self.folder.name))

    def teardown(self, place: str, rows: int) -> None:
        self.folder.cleanup()

    def time_judgement(self, place: str, rows: int) -> None:
        judged(self.attempt, self.release)

    def peakmem_judgement(self, place: str, rows: int) -> None:
        judged(self.attempt, self.release)


if __name__ == "__main__":
    source = table(1_000_000)
    begin = time.process_time()
    made = masked(source)
    making = time.process_time() - begin
    with TemporaryDirectory() as name:
        for place in PLACES:
            release = written(made, place, Path(name))
            begin = time.process_time()
            passed = all(check.passed for check in judged(made, release))
            spent = time.process_time() - begin
            print(f"{place:9} judged in {spent / making:.2f} of the masking, passed: {passed}")
