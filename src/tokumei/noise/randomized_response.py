"""Randomised response: the true cell with a known probability, else any other cell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.noise.scattering import Scattering, cell_edges, near_word


@dataclass(frozen=True, eq=False)
class RandomizedResponse(Scattering):
    """k-ary randomised response; made by `tokumei.noise.randomized_response`."""

    mechanism = "randomized-response"

    @property
    def retention(self) -> float:
        """The probability that the true cell comes out."""
        return self.near_probability


def randomized_response(
    epsilon: float,
    *,
    lower: float,
    upper: float,
    integer: bool = False,
    cells: int | ArrayLike | None = None,
    max_retention: float | None = None,
) -> RandomizedResponse:
    """Randomised response for one attribute in m public cells (or m categories by their codes).

    The true cell comes out with probability ``exp(epsilon) / (exp(epsilon) + m - 1)``, every other
    one equally likely.

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
    max_retention : float, optional
        The largest probability of the true cell. Linkage is bounded without it, but a released
        cell may then be almost surely the true one.

    Returns
    -------
    RandomizedResponse
        The channel.

    Examples
    --------
    >>> import tokumei as tk
    >>> channel = tk.noise.randomized_response(2.0, lower=1, upper=16, integer=True)
    >>> round(channel.retention, 4)
    0.33
    """
    epsilon = _check.above_zero(epsilon, "epsilon")
    integer = _check.flag(integer, "integer")
    lower, upper = _check.bounds(lower, upper, integer=integer)
    edges = cell_edges(lower, upper, cells, integer=integer)
    near = near_word(epsilon, len(edges) - 1, 0)
    if max_retention is not None:
        least = 1.0 / (len(edges) - 1)
        most = Fraction(_check.inside(max_retention, least, 1.0, "max_retention"))
        near = min(near, math.floor(most * 2**64))
    return RandomizedResponse(lower, upper, integer, edges, 0, near)
