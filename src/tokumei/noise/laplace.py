"""Laplace noise on a fixed lattice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.noise import generator
from tokumei.noise.channel import Perturbing, whole_numbers
from tokumei.noise.laplace_cells import between_cells
from tokumei.noise.rounding import up

# Lattice steps in the scale: so fine that the continuous density is right to 1e-7.
STEPS = 1024
# The kernel's rates, and numbers that a double holds exactly with room for the noise.
LEAST_RATE, MOST_RATE = 2**33, 2**84
MOST_CODE = 2**51
# What the open end cells of the outputs hold at most, as a power: exp(-21) < 1e-9.
TAIL = 21.0


@dataclass(frozen=True)
class Laplace(Perturbing):
    """Laplace noise; made by `tokumei.noise.laplace`.

    Values are rounded to the lattice within the bounds; a two-sided geometric number of steps is
    added, sampled exactly. `rate` / 2**64 is the exact log ratio of one step.
    """

    scale: float
    lower: float
    upper: float
    integer: bool
    lattice: float
    rate: int

    mechanism = "laplace"

    @property
    def epsilon(self) -> float:
        """The largest log ratio of an output's probabilities under two inputs, rounded up."""
        return up(self.exact_epsilon)

    @property
    def exact_epsilon(self) -> Fraction:
        """The same without rounding."""
        first, last = self._codes()
        return Fraction((last - first) * self.rate, 2**64)

    def _codes(self) -> tuple[int, int]:
        """The first and the last lattice point within the bounds."""
        return math.ceil(self.lower / self.lattice), math.floor(self.upper / self.lattice)

    def perturb_of(
        self, values: _check.Floats, key: generator.Key, run: _check.Run
    ) -> _check.Floats:
        """`perturb` of checked values."""
        steps = generator.discrete_laplace(key, self.rate, len(values), run)
        codes = np.clip(np.rint(values / self.lattice), *self._codes()).astype(np.int64) + steps
        if int(np.abs(codes).max()) >= 2**53:
            msg = "a draw of noise is beyond what a double holds exactly"
            raise OverflowError(msg)
        return np.asarray(codes * self.lattice, dtype=np.float64)

    def outputs(self, cells: ArrayLike) -> _check.Floats:
        """The input cells, continued by whole cells until the end cells hold less than 1e-9.

        The first and the last cell are open: they hold all beyond them.
        """
        edges = _check.edges(cells)
        below, above = self._further(edges)
        widths = np.diff(edges)
        return np.concatenate(
            [
                edges[0] - widths[0] * np.arange(below, 0, -1),
                edges,
                edges[-1] + widths[-1] * np.arange(1, above + 1),
            ]
        )

    def _further(self, edges: _check.Floats) -> tuple[int, int]:
        """How many whole cells continue the input cells at each end."""
        reach = TAIL * self.scale
        first, last = edges[1] - edges[0], edges[-1] - edges[-2]
        return math.ceil(reach / first) + 1, math.ceil(reach / last) + 1

    def transition(self, cells: ArrayLike) -> _check.Floats:
        """P(output cell | input cell) for `outputs` of these cells, a value uniform in its cell.

        Whole numbers are uniform over those in the cell [a, b).
        """
        edges = _check.edges(cells)
        below, above = self._further(edges)
        out = self.outputs(edges)
        if self.integer:
            whole_numbers(edges)
            first, last = whole_numbers(out)
            starts, counts = first, last - first + 1
        else:
            starts, counts = out[:-1], np.diff(out)
        return between_cells(starts, counts, self._decay(), below, above, self.integer)

    def _decay(self) -> float:
        """The log ratio of two values that are 1 apart."""
        return self.rate / 2**64 / self.lattice

    def log_density(self, y: ArrayLike, x: ArrayLike) -> _check.Floats:
        """log P(y | x) / lattice, for each y (rows) and x (columns)."""
        released = _check.column(y, "y")
        values = _check.column(x, "x")
        if self.integer:
            peak = math.log(math.tanh(self._decay() / 2))
        else:
            peak = math.log(self._decay() / 2)
        distance = np.abs(released[:, None] - values[None, :])
        return np.asarray(peak - distance * self._decay(), dtype=np.float64)


def laplace(
    scale: float,
    *,
    lower: float,
    upper: float,
    integer: bool = False,
    lattice: float | None = None,
) -> Laplace:
    """Laplace noise for one attribute with public bounds.

    Parameters
    ----------
    scale : float
        The mean size of the noise, for instance of `pk_scale`.
    lower, upper : float
        Public bounds of the values. Never taken from the data here.
    integer : bool
        The values are whole numbers, and so are the released ones.
    lattice : float, optional
        The step of the lattice of released values, a power of two not above scale / 1024. By
        default the largest one that is not above the width / 1024 either; 1 for whole numbers.

    Returns
    -------
    Laplace
        The channel.

    Examples
    --------
    >>> import tokumei as tk
    >>> channel = tk.noise.laplace(14.0508, lower=17, upper=90, integer=True)
    >>> released = channel.perturb([17, 30, 90])
    >>> released == released.round()
    array([ True,  True,  True])
    """
    scale = _check.above_zero(scale, "scale")
    integer = _check.flag(integer, "integer")
    lower, upper = _check.bounds(lower, upper, integer=integer)
    lattice = _lattice(scale, lower, upper, integer, lattice)
    rate = math.floor(Fraction(lattice) * 2**64 / Fraction(scale))
    if max(abs(lower), abs(upper)) > MOST_CODE * lattice or rate < LEAST_RATE:
        msg = (
            "the bounds or the scale are too large for exact noise on this lattice; "
            "subtract a public offset, or change the unit"
        )
        raise ValueError(msg)
    if rate > MOST_RATE:
        msg = "scale must be at least 2**-20 of the lattice"
        raise ValueError(msg)
    return Laplace(scale, lower, upper, integer, lattice, rate)


def _lattice(scale: float, lower: float, upper: float, integer: bool, step: float | None) -> float:
    if integer:
        if step not in (None, 1):
            msg = f"the lattice of whole numbers has step 1, got {step}"
            raise ValueError(msg)
        return 1.0
    finest = min(scale, upper - lower) / STEPS
    if step is None:
        return math.ldexp(1.0, math.frexp(finest)[1] - 1)
    lattice = _check.above_zero(step, "lattice")
    if math.frexp(lattice)[0] != 0.5 or lattice > min(scale / STEPS, upper - lower):
        msg = (
            f"lattice must be a power of two not above scale / {STEPS} and the width of the "
            f"bounds, got {lattice:g}"
        )
        raise ValueError(msg)
    return lattice
