"""npn_order, grid_order, flexdice_order and hilbert_order."""

from __future__ import annotations

from bench import problems
from bench.kernels import KERNELS
from bench.kernels.orders import length_of_path
from bench.peers import TRUTH
from bench.race import SMALL


class _Order:
    """Time and memory of an order, the length of its path, and whether it is the truth's."""

    name: str
    params: tuple[tuple[object, ...], ...] = (("normal", "microdata"), (2_000, 20_000), (2, 8))
    param_names = ("problem", "rows", "columns")
    unit = "step"

    def setup(self, problem: str, rows: int, columns: int) -> None:
        self.order = KERNELS[self.name].answer
        self.x = problems.table(problem, rows, columns)
        self.small = problems.table(problem, min(rows, SMALL), columns)

    def track_loss(self, problem: str, rows: int, columns: int) -> float:
        """The mean step from record to record."""
        return length_of_path(self.order(self.x), self.x) / rows

    def track_agreement(self, problem: str, rows: int, columns: int) -> float:
        """1 where a small problem's order is the truth's, 0 where not."""
        truth = TRUTH.answer(self.name)(self.small)
        return float(KERNELS[self.name].agree(self.order(self.small), truth, self.small))


class NpnOrder(_Order):
    name = "npn_order"

    def time_npn_order(self, problem: str, rows: int, columns: int) -> None:
        self.order(self.x)

    def peakmem_npn_order(self, problem: str, rows: int, columns: int) -> None:
        self.order(self.x)


class GridOrder(_Order):
    name = "grid_order"
    params = (("normal", "microdata"), (2_000, 20_000), (2, 4))

    def time_grid_order(self, problem: str, rows: int, columns: int) -> None:
        self.order(self.x)

    def peakmem_grid_order(self, problem: str, rows: int, columns: int) -> None:
        self.order(self.x)


class FlexdiceOrder(_Order):
    name = "flexdice_order"
    params = (("normal", "microdata"), (20_000, 1_000_000), (8, 50))

    def setup(self, problem: str, rows: int, columns: int) -> None:
        if rows * columns > 10_000_000:  # asv's way to leave a combination out
            raise NotImplementedError
        super().setup(problem, rows, columns)

    def time_flexdice_order(self, problem: str, rows: int, columns: int) -> None:
        self.order(self.x)

    def peakmem_flexdice_order(self, problem: str, rows: int, columns: int) -> None:
        self.order(self.x)


class HilbertOrder(_Order):
    name = "hilbert_order"
    params = (("normal", "microdata"), (20_000, 1_000_000), (8,))

    def time_hilbert_order(self, problem: str, rows: int, columns: int) -> None:
        self.order(self.x)

    def peakmem_hilbert_order(self, problem: str, rows: int, columns: int) -> None:
        self.order(self.x)
