"""The path from record to nearest record through equal blocks."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import order as _kernels

MOST_BLOCKS_PER_AXIS = 1 << 30


def grid_order(
    X: ArrayLike,
    *,
    blocks_per_axis: int | ArrayLike | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Order records by a path from each to the nearest, block by block of an equal grid.

    The box around all records is cut into equal blocks. The path starts at the record farthest from
    the mean and goes to the nearest unvisited record of the same block; where there is none, to the
    nearest in the ring of neighbouring blocks, and where these have none either, in the first wider
    ring that has. With one block it is the plain path from nearest record to nearest record.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record. Distances are Euclidean on the values as they are: `standardize`
        first, unless the attributes share a scale.
    blocks_per_axis : int or array_like of int, optional
        Into how many blocks each axis is cut, one number for all axes or one for each. By default
        the blocks are as nearly cubes as whole numbers allow, and so large that there are about as
        many of them as a record has others in its own, where the path is found fastest. That leaves
        one block on axes of little spread.
    n_threads, callback
        How it is run, see `partition`; neither changes the order.

    Returns
    -------
    ndarray of int64, shape (n,)
        The rows of `X` in the order of the path.

    Notes
    -----
    Ties go to the lowest row. Rings count blocks: a block is in ring r around another if their
    numbers differ by at most r on every axis, and by r on one. On an axis of m blocks, x lies in
    block ``min(m - 1, floor((x - min) * (m / (max - min))))``; an axis on which that quotient is
    infinite has one block. The default counts are settled on at most 16,384 records, evenly spaced
    in the table.

    An index of all records finds the nearest one, so neither empty blocks nor one that is crowded
    do harm. Where attributes are many, most blocks are neighbours of most others, and leaving a
    block costs a look at nearly all that remains: there `flexdice_order` is far faster.

    References
    ----------
    R. Suzaki, S. Hashimoto, Y. Kamidoi, S. Wakabayashi, "A technique for k-anonymity based on
    microaggregation toward high dimensional datasets" (in Japanese), section 5.3.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.grid_order([[0, 0], [4, 4], [1, 0], [4, 3]], blocks_per_axis=2)
    array([0, 2, 3, 1])
    """
    x = _check.scaled_table(X)
    counts = counts_of(x, blocks_per_axis)
    return grid_order_of(x, _check.run(n_threads, callback), counts)


def counts_of(x: _check.Floats, blocks_per_axis: int | ArrayLike | None) -> _check.Labels | None:
    """How many blocks there are on each axis, checked; None for as many as suit."""
    if blocks_per_axis is None:
        return None
    return _check.per_axis(blocks_per_axis, x.shape[1], MOST_BLOCKS_PER_AXIS, "blocks_per_axis")


def grid_order_of(
    x: _check.Floats, run: _check.Run, counts: _check.Labels | None = None
) -> _check.Labels:
    """`grid_order` of a checked table, with so many blocks an axis or as many as suit it."""
    order = np.empty(len(x), dtype=np.int64)
    _kernels.grid_order(x, _balanced_counts(x) if counts is None else counts, order, run)
    return order


def _balanced_counts(x: _check.Floats) -> _check.Labels:
    """Block counts per axis for which blocks are as many as a record has others in its block."""
    n, d = x.shape
    least, extent = x.min(axis=0), np.ptp(x, axis=0)
    if not extent.any():
        return np.ones(d, dtype=np.int64)
    sample = x[:: -(-n // 16_384)]
    place = (sample - least) / np.where(extent > 0, extent, 1.0)
    # Cell numbers become one number each by odd multipliers, powers of one without short repeats.
    mixers = np.array([pow(0x9E3779B97F4A7C15, j + 1, 1 << 64) for j in range(d)], dtype=np.uint64)

    def cubes(blocks: float) -> _check.Labels:
        """Counts for blocks as long as the longest axis cut into so many."""
        counts: _check.Labels = np.maximum(1, extent / extent.max() * blocks).astype(np.int64)
        return counts

    def enough(counts: _check.Labels) -> bool:
        cells = np.minimum((place * counts).astype(np.int64), counts - 1).astype(np.uint64)
        sizes = np.unique((cells * mixers).sum(axis=1), return_counts=True)[1]
        pairs = int((sizes * (sizes - 1)).sum())
        # Blocks that are at least as many as the others that a record has in its own, on average.
        return bool(len(sizes) * len(sample) * max(1, len(sample) - 1) >= pairs * n)

    few, many = 1.0, 65_536.0
    for _ in range(24):
        between = math.sqrt(few * many)
        few, many = (few, between) if enough(cubes(between)) else (between, many)
    # Axes of one length would all be cut at once: as many of them as it takes, the lowest first.
    axis = np.arange(d)
    low, high = 0, d
    while low < high:
        cut = (low + high) // 2
        if enough(np.where(axis < cut, cubes(many), cubes(few))):
            high = cut
        else:
            low = cut + 1
    return np.where(axis < low, cubes(many), cubes(few))
