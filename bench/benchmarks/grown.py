"""vmdav, kmember and mondrian."""

from __future__ import annotations

from bench import problems
from bench.kernels import KERNELS
from bench.peers import TRUTH
from bench.race import SMALL


class _Grown:
    """Time and memory, what the groups lose, and whether they are the truth's."""

    name: str
    params: tuple[tuple[object, ...], ...] = (("normal", "ties"), (2_000, 20_000), (5, 50))
    param_names = ("problem", "rows", "k")
    unit = "share"

    def setup(self, problem: str, rows: int, k: int) -> None:
        self.kernel = KERNELS[self.name]
        self.x = problems.table(problem, rows, 8)
        self.small = problems.table(problem, min(rows, SMALL), 8)

    def track_loss(self, problem: str, rows: int, k: int) -> float:
        """SSE/SST."""
        return self.kernel.score(self.kernel.answer(self.x, k), self.x, k)

    def track_agreement(self, problem: str, rows: int, k: int) -> float:
        """1 where a small problem's groups are the truth's, 0 where not."""
        truth = TRUTH.answer(self.name)(self.small, k)
        return float(self.kernel.agree(self.kernel.answer(self.small, k), truth, self.small, k))


class Vmdav(_Grown):
    name = "vmdav"

    def time_vmdav(self, problem: str, rows: int, k: int) -> None:
        self.kernel.answer(self.x, k)

    def peakmem_vmdav(self, problem: str, rows: int, k: int) -> None:
        self.kernel.answer(self.x, k)


class Kmember(_Grown):
    name = "kmember"
    params = (("normal",), (2_000, 10_000), (5, 50))

    def time_kmember(self, problem: str, rows: int, k: int) -> None:
        self.kernel.answer(self.x, k)

    def peakmem_kmember(self, problem: str, rows: int, k: int) -> None:
        self.kernel.answer(self.x, k)


class Mondrian(_Grown):
    name = "mondrian"
    params = (("normal", "ties"), (20_000, 1_000_000), (5, 50))

    def time_mondrian(self, problem: str, rows: int, k: int) -> None:
        self.kernel.answer(self.x, k)

    def peakmem_mondrian(self, problem: str, rows: int, k: int) -> None:
        self.kernel.answer(self.x, k)
