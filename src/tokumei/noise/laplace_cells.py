"""The chances of Laplace noise to lead from one cell to another, in closed form."""

from __future__ import annotations

import numpy as np

from tokumei import _check


def between_cells(
    starts: _check.Floats,
    sizes: _check.Floats,
    decay: float,
    below: int,
    above: int,
    integer: bool,
) -> _check.Floats:
    """Chances from each inner cell to each cell, which lie side by side; the end cells are open.

    A cell is so many whole numbers (or so much length). A sum of a geometric sequence (an integral
    of an exponential) over a cell, to the left or the right of a point, has a closed form.
    """
    unit = -np.expm1(-decay) if integer else decay
    held = -np.expm1(-decay * sizes)  # 1 - exp(-decay size)
    # The mean over a cell of the chance to get beyond its end, and what its neighbours take of it.
    both = 1.0 + np.exp(-decay) if integer else 2.0
    leaving = np.exp(-decay) if integer else 1.0
    beyond = held / (unit * sizes) * leaving / both
    inner = slice(below, len(sizes) - above)
    ends = starts + sizes
    gap_right = np.maximum(starts[:, None] - ends[None, inner], 0.0)
    gap_left = np.maximum(starts[None, inner] - ends[:, None], 0.0)
    taken = held.copy()
    taken[[0, -1]] = 1.0
    chances: _check.Floats = np.exp(-decay * (gap_right + gap_left))
    chances *= taken[:, None] * beyond[None, inner]
    row = np.arange(below, len(sizes) - above)
    chances[row, np.arange(len(row))] = _staying(sizes[inner], beyond[inner], decay, integer)
    return chances


def _staying(
    sizes: _check.Floats, beyond: _check.Floats, decay: float, integer: bool
) -> _check.Floats:
    """The chance to stay in a cell, 1 - 2 beyond, without cancellation in small cells."""
    u = decay * sizes
    if integer:
        # The tenth of a scale is no small cell of whole numbers: 1 - 2 beyond loses few digits.
        return np.asarray(np.where(sizes == 1, np.tanh(decay / 2), 1.0 - 2.0 * beyond))
    series = np.zeros_like(u)
    for power in range(16, 0, -1):
        series = (1.0 - series) * u / (power + 1)
    return np.asarray(np.where(u < 1.0, series, 1.0 - 2.0 * beyond))
