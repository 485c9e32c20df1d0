"""What risk remains: classes and special uniques of large tables."""

from __future__ import annotations

import time

import numpy as np

import tokumei as tk
from bench import problems
from bench.problems import Floats

# How many values columns have: a census-like file, ten alike ones, and ten of which some have many.
TABLES = {
    "census": (2, 2, 5, 6, 7, 9, 15, 16, 40, 74),
    "alike": (10,) * 10,
    "many values": (6, 7, 9, 15, 16, 2000, 3000, 4000, 5000, 6000),
}


def table(name: str, rows: int, columns: int = 10) -> Floats:
    """Skewed categories, independent of one another: none rare where columns are alike."""
    rng = np.random.default_rng(problems.SEED)
    skew = 1 if name == "alike" else 3
    return np.floor(rng.random((rows, columns)) ** skew * TABLES[name][-columns:])


class Risk:
    params = (tuple(TABLES), (100_000, 1_000_000))
    param_names = ("table", "rows")
    timeout = 600

    def setup(self, name: str, rows: int) -> None:
        self.table = table(name, rows)

    def time_class_sizes(self, name: str, rows: int) -> None:
        tk.risk.class_sizes(self.table[:, :8])

    def time_special_uniques(self, name: str, rows: int) -> None:
        tk.risk.special_uniques(self.table, largest=4)

    def peakmem_special_uniques(self, name: str, rows: int) -> None:
        tk.risk.special_uniques(self.table, largest=4)


if __name__ == "__main__":
    for name in TABLES:
        drawn = table(name, 1_000_000)
        begin = time.process_time()
        tk.risk.class_sizes(drawn[:, :8])
        middle = time.process_time()
        found = tk.risk.special_uniques(drawn, largest=4)
        end = time.process_time()
        print(
            f"{name:<12} classes of 1e6 x 8 {middle - begin:.2f} s, special uniques of 1e6 x 10 "
            f"{end - middle:.2f} s, {sum(found.sizes):,} minimal uniques"
        )
