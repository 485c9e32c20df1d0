"""The square wave: a cell near the true one with a known probability, else any other cell."""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.noise.scattering import MOST_CELLS, Scattering, cell_edges, near_word


@dataclass(frozen=True, eq=False)
class SquareWave(Scattering):
    """The square wave on cells; made by `tokumei.noise.square_wave`."""

    mechanism = "square-wave"


def square_wave(
    epsilon: float,
    *,
    lower: float,
    upper: float,
    integer: bool = False,
    cells: int | ArrayLike | None = None,
    reach: int | None = None,
) -> SquareWave:
    """The square wave for one attribute in m public cells.

    Each of the 2 reach + 1 cells around the true one comes out exp(epsilon) times as often as any
    other; `reach` cells beyond each end of the bounds can come out too. Where cells are many it
    says more than randomised response, because what it says is near the truth.

    Parameters
    ----------
    epsilon : float
        The largest log ratio of an output's probabilities, for instance of `shares`.
    lower, upper : float
        Public bounds of the values. Never taken from the data here.
    integer : bool
        The values are whole numbers.
    cells : int or array_like, optional
        The number of cells of equal width between the bounds, or their edges. One for each whole
        number by default. What is released is the middle of a cell.
    reach : int, optional
        How many cells at each side are near. By default what lets most be learnt from an output
        (Li, Wang, Lopuhaä-Zwakenberg, Skoric & Li, SIGMOD 2020).

    Returns
    -------
    SquareWave
        The channel.

    Examples
    --------
    >>> import tokumei as tk
    >>> channel = tk.noise.square_wave(1.0, lower=0, upper=99999, integer=True, cells=100)
    >>> channel.reach
    25
    """
    epsilon = _check.above_zero(epsilon, "epsilon")
    integer = _check.flag(integer, "integer")
    lower, upper = _check.bounds(lower, upper, integer=integer)
    edges = cell_edges(lower, upper, cells, integer=integer)
    count = len(edges) - 1
    if reach is None:
        reach = math.floor(best_reach(epsilon) * count)
    reach = _check.between(reach, 0, MOST_CELLS, "reach")
    near = near_word(epsilon, count, reach)
    return SquareWave(lower, upper, integer, edges, reach, near)


def best_reach(epsilon: float) -> float:
    """The half width of the window as a share of the bounds: from 1/2 (epsilon 0) down to 0."""
    if epsilon < 1e-3:
        return 0.5 - epsilon / 6
    if epsilon > 700:
        return 0.0
    grown = math.exp(epsilon)
    return (epsilon * grown - math.expm1(epsilon)) / (2 * grown * (math.expm1(epsilon) - epsilon))
