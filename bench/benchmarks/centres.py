"""nearest_centres: new rows to the groups that are there."""

from __future__ import annotations

from bench import problems
from bench.kernel import Case
from bench.kernels import KERNELS


class NearestCentres:
    """Time and memory, and how far the rows are from the centres that were found."""

    params = (("normal", "ties"), (2_000, 100_000), (5, 50))
    param_names = ("problem", "rows", "k")

    def setup(self, problem: str, rows: int, k: int) -> None:
        self.kernel = KERNELS["nearest_centres"]
        table = problems.table(problem, rows, 8)
        self.arguments = self.kernel.arguments(table, Case(problem, rows=rows, k=k))

    def time_nearest_centres(self, problem: str, rows: int, k: int) -> None:
        self.kernel.answer(*self.arguments)

    def peakmem_nearest_centres(self, problem: str, rows: int, k: int) -> None:
        self.kernel.answer(*self.arguments)

    def track_squares(self, problem: str, rows: int, k: int) -> float:
        """Squared distances to the centres, added up."""
        return self.kernel.score(self.kernel.answer(*self.arguments), *self.arguments)
