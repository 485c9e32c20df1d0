"""How even the blocks of a plan are: the sample of a table of any size, and records drawn anew."""

from __future__ import annotations

import numpy as np

from bench.dataset_problems import drawn
from tokumei import _check
from tokumei.batch.asked import SIZES
from tokumei.batch.cuts import tree_of

TRIED = 1 << 22  # records that are routed to see how many each block gets


def simulated(kind: str, rows: int) -> dict[str, float]:
    """The blocks of a table of so many rows, and the largest and least share that fell to one."""
    sizes = SIZES
    x = coordinates(kind, min(sizes.sample, rows), 0)
    scales = 1.0 / np.maximum(x.std(axis=0), 1e-300)
    counts = np.ones(len(x), dtype=np.int64)
    tree = tree_of(x, counts, scales, rows, sizes.block)
    run = _check.run(1)
    found = np.bincount(tree.blocks(coordinates(kind, TRIED, 1), run), minlength=len(tree))
    expected = TRIED * tree.rows / tree.rows.sum()
    # Of so few records in a block chance is a part, which a table of `rows` has not.
    chance = 1.0 / np.sqrt(expected)
    ratio = found / expected
    spread = np.sqrt(max(float(np.var(ratio)) - float((chance**2).mean()), 0.0))
    return {
        "blocks": len(tree),
        "rows a block": float(tree.rows.mean()),
        "standard deviation of rows against the plan": spread,
        "most against the plan": 1.0 + 4.5 * spread,
        "depth": float(np.log2(len(tree))),
    }


def coordinates(
    kind: str, rows: int, piece: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Records as cuts see them; a category is its rank by frequency."""
    table = drawn(kind, rows, piece)
    columns = []
    for column in table.columns:
        values = np.asarray(column)
        if values.dtype.kind not in "fi":
            _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
            values = np.argsort(np.argsort(-counts))[codes]
        columns.append(values.astype(np.float64))
    return np.asfortranarray(np.column_stack(columns))
