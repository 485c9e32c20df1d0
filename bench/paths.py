"""CPU time of the grid and FlexDice paths a record: ``python -m bench.paths``.

Normal records; records whose values are half standard deviations, many of them equal; and three
attributes of 3, 5 and 8 values, where at most 120 records differ. Two builds are compared by
running it in each of them in turns; the last column is a hash of the order, which must be the same.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator

import numpy as np

import tokumei as tk
from bench.kernel import Labels
from bench.problems import Floats

ROWS = (100_000, 400_000)
COLUMNS = (4, 8)
FEW = (3, 5, 8)


def tables(rows: int) -> Iterator[tuple[str, Floats]]:
    """Tables of so many rows, with what they are."""
    rng = np.random.default_rng(5)
    for columns in COLUMNS:
        x = rng.normal(size=(rows, columns))
        yield f"normal x {columns}", tk.standardize(x)
        yield f"halves x {columns}", np.rint(2.0 * x) / 2.0
    values = np.stack([rng.integers(0, few, rows) for few in FEW], axis=1)
    yield "few values x 3", values.astype(np.float64)


def paths(x: Floats) -> dict[str, Callable[[], Labels]]:
    """The paths by name."""
    rows, columns = x.shape
    axis = max(2, round((rows / 64) ** (1 / columns)))
    return {
        "grid": lambda: tk.grid_order(x, n_threads=1),
        "grid, 64 a block": lambda: tk.grid_order(x, blocks_per_axis=axis, n_threads=1),
        "flexdice": lambda: tk.flexdice_order(x, n_threads=1),
        "flexdice, up to 1,024 a block": lambda: tk.flexdice_order(x, c1=1024, n_threads=1),
    }


def main() -> None:
    """Print a line for each path and size of table."""
    for rows in ROWS:
        for kind, x in tables(rows):
            for name, path in paths(x).items():
                before = time.process_time()
                order = path()
                taken = (time.process_time() - before) / rows * 1e6
                digest = hashlib.sha256(order.tobytes()).hexdigest()[:8]
                print(f"{rows:9,} {kind:15} {name:30}  {taken:6.3f} us a record  {digest}")


if __name__ == "__main__":
    main()
