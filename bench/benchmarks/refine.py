"""refine."""

from __future__ import annotations

import tokumei as tk
from bench import problems
from tokumei.microaggregation.options import Effort


class Refine:
    """Times by effort and threads, memory, and the loss as a share of MDAV's."""

    params = (("mixture", "microdata"), (2_000, 50_000), (5, 10), ("fast", 1.0), (1, 2))
    param_names = ("problem", "rows", "k", "effort", "threads")
    unit = "share"

    def setup(self, problem: str, rows: int, k: int, effort: Effort | float, threads: int) -> None:
        self.x = problems.table(problem, rows, 8)
        self.start = tk.mdav(self.x, k)

    def time_refine(
        self, problem: str, rows: int, k: int, effort: Effort | float, threads: int
    ) -> None:
        tk.refine(self.x, self.start, k, effort=effort, n_threads=threads)

    def peakmem_refine(
        self, problem: str, rows: int, k: int, effort: Effort | float, threads: int
    ) -> None:
        tk.refine(self.x, self.start, k, effort=effort, n_threads=threads)

    def track_loss(
        self, problem: str, rows: int, k: int, effort: Effort | float, threads: int
    ) -> float:
        """SSE as a share of MDAV's."""
        refined = tk.refine(self.x, self.start, k, effort=effort, n_threads=threads)
        return tk.loss.sse(self.x, refined) / tk.loss.sse(self.x, self.start)
