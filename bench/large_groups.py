"""What methods lose that look at large tables in parts: k-member's blocks, V-MDAV's gamma.

    python -m bench.large_groups [widths ROWS] [gammas ROWS]

`widths`: the mean width of groups of 5 in blocks of some sizes over that of the whole table's, a
width being the sum of the ranges as shares of the table's. `gammas`: the sum of squares of the
gamma that stretches of the records chose over that of the best of all eight, which are all run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from bench.measure import one_thread
from bench.problems import SEED, Floats
from tokumei import _check
from tokumei._kernels import group as kernels
from tokumei.microaggregation.methods import vmdav

K = 5
BLOCKS = (4_096, 16_384, 32_768)


def tables(rows: int) -> Iterator[tuple[str, Floats]]:
    """Even, clustered, skewed records, and clumps of seven."""
    rng = np.random.default_rng(SEED)
    centres = rng.normal(size=(400, 8)) * 4
    yield "normal", rng.normal(size=(rows, 8))
    yield "clusters", centres[rng.integers(400, size=rows)] + 0.3 * rng.normal(size=(rows, 8))
    yield "skewed", np.exp(rng.normal(size=(rows, 4)))
    clumps = 10 * rng.normal(size=(rows // 7 + 1, 4))
    yield "clumps", clumps[np.arange(rows) // 7] + 0.1 * rng.normal(size=(rows, 4))


def width(x: Floats, labels: _check.Labels) -> float:
    order = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.flatnonzero(np.diff(labels[order])) + 1])
    unit = ((x - x.min(axis=0)) / np.ptp(x, axis=0))[order]
    sides = np.maximum.reduceat(unit, starts) - np.minimum.reduceat(unit, starts)
    return float((sides.sum(axis=1) * np.bincount(labels)).sum() / len(x))


def widths(rows: int, run: _check.Run) -> Iterator[str]:
    for name, table in tables(rows):
        x = np.asfortranarray(table)
        labels = np.empty(rows, dtype=np.int64)
        kernels.kmember(x, K, labels, run)
        whole = width(x, labels)
        for block in BLOCKS:
            kernels.block_kmember(x, K, block, labels, run)
            yield f"{name}: blocks of {block:,}: {width(x, labels) / whole:.4f}"


def gammas(rows: int, run: _check.Run) -> Iterator[str]:
    for name, table in tables(rows):
        x = np.asfortranarray(table)
        losses = vmdav._best_of_gammas(x, K, run, "record")[1]
        chosen = vmdav._gamma_of_stretches(x, K, run, "record", vmdav.STRETCH)
        best = min(losses, key=lambda gamma: losses[gamma])
        over = losses[chosen] / losses[best]
        yield f"{name}: chosen {chosen:g}, best {best:g}, loss over the best's {over:.4f}"


def main(words: list[str]) -> int:
    run = _check.run(1, None)
    ways = {"widths": widths, "gammas": gammas}
    asked = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    for name, rows in (asked or {"widths": 65_536, "gammas": 200_000}).items():
        for line in ways[name](rows, run):
            print(name, line, flush=True)
    return 0


if __name__ == "__main__":
    one_thread()
    sys.exit(main(sys.argv[1:]))
