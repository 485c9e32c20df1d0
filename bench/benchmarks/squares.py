"""standardize and sse."""

from __future__ import annotations

import numpy as np

import tokumei as tk
from bench import problems
from bench.kernel import Case
from bench.kernels.groups import shuffled_groups
from bench.kernels.squares import raw_table
from bench.peers import TRUTH
from bench.race import SMALL


class Standardize:
    params = ((20_000, 1_000_000), (8,), (1, 2))
    param_names = ("rows", "columns", "threads")
    unit = "largest error"

    def setup(self, rows: int, columns: int, threads: int) -> None:
        (self.x,) = raw_table(problems.table("microdata", rows, columns), Case("microdata"))

    def time_standardize(self, rows: int, columns: int, threads: int) -> None:
        tk.standardize(self.x, n_threads=threads)

    def peakmem_standardize(self, rows: int, columns: int, threads: int) -> None:
        tk.standardize(self.x, n_threads=threads)

    def track_agreement(self, rows: int, columns: int, threads: int) -> float:
        """How far a small problem's values are from the truth's."""
        x = self.x[:SMALL]
        truth = TRUTH.answer("standardize")(x)
        return float(np.abs(tk.standardize(x, n_threads=threads) - truth).max())


class Sse:
    params = ((20_000, 1_000_000), (8,), (5,), (1, 2))
    param_names = ("rows", "columns", "k", "threads")
    unit = "relative error"

    def setup(self, rows: int, columns: int, k: int, threads: int) -> None:
        self.x = problems.table("normal", rows, columns)
        self.labels = shuffled_groups(rows, k)

    def time_sse(self, rows: int, columns: int, k: int, threads: int) -> None:
        tk.loss.sse(self.x, self.labels, n_threads=threads)

    def peakmem_sse(self, rows: int, columns: int, k: int, threads: int) -> None:
        tk.loss.sse(self.x, self.labels, n_threads=threads)

    def track_agreement(self, rows: int, columns: int, k: int, threads: int) -> float:
        """How far a small problem's sum is from the truth's."""
        x, labels = problems.table("normal", SMALL, columns), shuffled_groups(SMALL, k)
        truth: float = TRUTH.answer("sse")(x, labels)
        return abs(tk.loss.sse(x, labels, n_threads=threads) / truth - 1)
