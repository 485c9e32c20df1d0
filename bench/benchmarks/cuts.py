"""cut, flexdice (a path and its cut), univariate and mil."""

from __future__ import annotations

from bench import problems
from bench.kernel import Case
from bench.kernels import KERNELS
from bench.peers import TRUTH
from bench.race import SMALL


class _Cut:
    """Time and memory, what the groups lose, and whether they lose as much as the truth's."""

    name: str
    columns = 8
    params: tuple[tuple[int, ...], ...] = ((20_000, 1_000_000), (5, 50))
    param_names = ("rows", "k")
    unit = "share"

    def setup(self, rows: int, k: int) -> None:
        self.kernel = KERNELS[self.name]
        self.arguments = self._arguments(rows, k)

    def _arguments(self, rows: int, k: int) -> tuple[object, ...]:
        case = Case("normal", rows, self.columns, k)
        return self.kernel.arguments(problems.table("normal", rows, self.columns), case)

    def run(self) -> object:
        return self.kernel.answer(*self.arguments)

    def track_loss(self, rows: int, k: int) -> float:
        """SSE/SST."""
        return self.kernel.score(self.run(), *self.arguments)

    def track_agreement(self, rows: int, k: int) -> float:
        """1 where a small problem's groups are as good as the truth's, 0 where not."""
        small = self._arguments(SMALL, k)
        truth = TRUTH.answer(self.name)(*small)
        return float(self.kernel.agree(self.kernel.answer(*small), truth, *small))


class Cut(_Cut):
    name = "cut"
    params = ((20_000, 1_000_000), (5, 50, 1000))

    def track_agreement(self, rows: int, k: int) -> float:
        return super().track_agreement(rows, min(k, SMALL // 3))

    def time_cut(self, rows: int, k: int) -> None:
        self.run()

    def peakmem_cut(self, rows: int, k: int) -> None:
        self.run()


class Flexdice(_Cut):
    name = "flexdice"

    def time_flexdice(self, rows: int, k: int) -> None:
        self.run()

    def peakmem_flexdice(self, rows: int, k: int) -> None:
        self.run()


class Univariate(_Cut):
    name = "univariate"
    columns = 1
    params = ((20_000, 1_000_000), (5, 50, 1000))

    def track_agreement(self, rows: int, k: int) -> float:
        return super().track_agreement(rows, min(k, SMALL // 3))

    def time_univariate(self, rows: int, k: int) -> None:
        self.run()

    def peakmem_univariate(self, rows: int, k: int) -> None:
        self.run()


class Mil(_Cut):
    name = "mil"
    columns = 1

    def time_mil(self, rows: int, k: int) -> None:
        self.run()

    def peakmem_mil(self, rows: int, k: int) -> None:
        self.run()
