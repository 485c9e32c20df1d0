"""mdav and aggregate."""

from __future__ import annotations

import os

import numpy as np

import tokumei as tk
from bench import problems
from bench.kernel import same_groups
from bench.kernels.groups import shuffled_groups
from bench.peers import TRUTH
from bench.race import SMALL
from tokumei.machine import LEVEL_VARIABLE, LEVELS, level


class Mdav:
    """Times on one and two threads, with each instruction set."""

    params = ((2_000, 20_000), (2, 8), (5, 50), (1, 2), LEVELS)
    param_names = ("rows", "columns", "k", "threads", "instructions")

    def setup(self, rows: int, columns: int, k: int, threads: int, instructions: str) -> None:
        try:
            level({LEVEL_VARIABLE: instructions})
        except ValueError as reason:  # asv's way to leave a combination out
            raise NotImplementedError from reason
        os.environ[LEVEL_VARIABLE] = instructions
        self.x = problems.table("normal", rows, columns)

    def time_mdav(self, rows: int, columns: int, k: int, threads: int, instructions: str) -> None:
        tk.mdav(self.x, k, n_threads=threads)


class MdavQuality:
    """Memory, and what the groups lose."""

    params = (("normal", "microdata", "mixture", "ties"), (2_000, 20_000), (8,), (5, 50))
    param_names = ("problem", "rows", "columns", "k")
    unit = "share"

    def setup(self, problem: str, rows: int, columns: int, k: int) -> None:
        self.x = problems.table(problem, rows, columns)
        self.small = problems.table(problem, min(rows, SMALL), columns)

    def peakmem_mdav(self, problem: str, rows: int, columns: int, k: int) -> None:
        tk.mdav(self.x, k, n_threads=1)

    def track_loss(self, problem: str, rows: int, columns: int, k: int) -> float:
        """SSE/SST."""
        return tk.loss.ilssdm(self.x, tk.mdav(self.x, k, n_threads=1))

    def track_agreement(self, problem: str, rows: int, columns: int, k: int) -> float:
        """1 where a small problem's groups are the truth's, 0 where not."""
        truth = TRUTH.answer("mdav")(self.small, k)
        return float(same_groups(tk.mdav(self.small, k), truth))


class Aggregate:
    params = ((20_000, 1_000_000), (8,), (5,), (1, 2))
    param_names = ("rows", "columns", "k", "threads")
    unit = "largest error"

    def setup(self, rows: int, columns: int, k: int, threads: int) -> None:
        self.x = problems.table("normal", rows, columns)
        self.labels = shuffled_groups(rows, k)

    def time_aggregate(self, rows: int, columns: int, k: int, threads: int) -> None:
        tk.aggregate(self.x, self.labels, n_threads=threads)

    def peakmem_aggregate(self, rows: int, columns: int, k: int, threads: int) -> None:
        tk.aggregate(self.x, self.labels, n_threads=threads)

    def track_agreement(self, rows: int, columns: int, k: int, threads: int) -> float:
        """How far a small problem's values are from the truth's."""
        x, labels = problems.table("normal", SMALL, columns), shuffled_groups(SMALL, k)
        truth = TRUTH.answer("aggregate")(x, labels)
        return float(np.abs(tk.aggregate(x, labels, n_threads=threads) - truth).max())
