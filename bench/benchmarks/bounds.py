"""Lower bounds."""

from __future__ import annotations

import tokumei as tk
from bench import problems


class LowerBound:
    """Times by method and size, memory, and the bound as a share of what a search reaches."""

    params = (("mixture",), (2_000, 10_000), (3, 5), ("columns", "neighbours"))
    param_names = ("problem", "rows", "k", "method")
    timeout = 900
    unit = "share"

    def setup(self, problem: str, rows: int, k: int, method: str) -> None:
        self.x = problems.table(problem, rows, 8)
        self.reached = tk.loss.ilssdm(self.x, tk.partition(self.x, k))

    def time_lower_bound(self, problem: str, rows: int, k: int, method: str) -> None:
        tk.lower_bound(self.x, k, method=method)

    def peakmem_lower_bound(self, problem: str, rows: int, k: int, method: str) -> None:
        tk.lower_bound(self.x, k, method=method)

    def track_bound(self, problem: str, rows: int, k: int, method: str) -> float:
        return tk.lower_bound(self.x, k, method=method) / self.reached
