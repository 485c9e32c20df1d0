"""Draws of a posterior from those of its normal approximation, by chains that correct them.

Behind wide noise the approximation may spread what the records do determine, as the mean of the
values, more than twice too far. Each of its draws begins a chain of Metropolis steps that hold
to the approximation (Cotter, Roberts, Stuart & White 2013), so that only what the posterior has
beside it decides whether a step is taken: nothing where the approximation is exact, in however many
directions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tokumei._check import Floats
from tokumei.reconstruct.smoothing.systems import Factor

# Shares of a step that are drawn anew, in turns, and how often they take turns.
STEPS, TURNS = (1.0, 0.5, 0.25, 0.12), 20


def corrected(
    remainder: Callable[[Floats], Floats], factor: Factor, count: int, chance: np.random.Generator
) -> Floats:
    """Moves (rows) from the middle of a normal approximation, as the posterior has them.

    `remainder` says of moves the log posterior less that of the approximation, to a constant;
    `factor` is that of the approximation's precision.
    """
    at = chance.standard_normal((count, len(factor.upper)))
    moves = factor.solve(at, half=True)
    value = remainder(moves)
    for _ in range(TURNS):
        for share in STEPS:
            new = float(np.sqrt(1.0 - share**2)) * at + share * chance.standard_normal(at.shape)
            ahead = factor.solve(new, half=True)
            there = remainder(ahead)
            # A chain that begins where nothing is possible takes any step to where something is.
            taken = there + chance.standard_exponential(count) > value
            at[taken], moves[taken], value[taken] = new[taken], ahead[taken], there[taken]
    return moves
