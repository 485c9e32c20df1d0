"""Cells scattered over near and far cells: what randomised response and the square wave share."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check.cached import cached_property
from tokumei.noise import generator
from tokumei.noise.channel import Perturbing, whole_numbers
from tokumei.noise.rounding import exp_bounds, log_bounds, up

MOST_CELLS = 2**22


@dataclass(frozen=True, eq=False)
class Scattering(Perturbing):
    """A value's cell becomes a near cell (within `reach`) with probability `near` / 2**64.

    Near cells are equally likely, and so are all others. Released is the middle of a cell; `reach`
    cells more at each end can come out. `edges` are the public edges of the cells.
    """

    lower: float
    upper: float
    integer: bool
    edges: _check.Floats = field(repr=False)
    reach: int
    near: int

    mechanism = "scattering"

    @property
    def cells(self) -> int:
        """How many cells values can lie in."""
        return len(self.edges) - 1

    @property
    def lattice(self) -> float:
        """The width of a cell (of the first one, where widths differ)."""
        return float(self.edges[1] - self.edges[0])

    @property
    def near_probability(self) -> float:
        """The probability of each near cell."""
        return self.near / 2**64 / (2 * self.reach + 1)

    @property
    def far_probability(self) -> float:
        """The probability of each other cell."""
        return (2**64 - self.near) / 2**64 / (self.cells - 1)

    @property
    def epsilon(self) -> float:
        """The largest log ratio of an output's probabilities under two inputs, rounded up."""
        return up(self.exact_epsilon)

    @property
    def exact_epsilon(self) -> Fraction:
        """The same, above the true one by less than 1e-48."""
        near = Fraction(self.near, 2 * self.reach + 1)
        far = Fraction(2**64 - self.near, self.cells - 1)
        return log_bounds(near / far)[1]

    @cached_property
    def released_edges(self) -> _check.Floats:
        """The edges of all cells that can come out."""
        first, last = self.edges[1] - self.edges[0], self.edges[-1] - self.edges[-2]
        further = np.arange(1, self.reach + 1)
        return np.concatenate(
            [
                self.edges[0] - first * further[::-1],
                self.edges,
                self.edges[-1] + last * further,
            ]
        )

    @cached_property
    def released_values(self) -> _check.Floats:
        """The values that can come out: the middles of these cells."""
        edges = self.released_edges
        return np.asarray(edges[:-1] + np.diff(edges) / 2)

    def perturb_of(
        self, values: _check.Floats, key: generator.Key, run: _check.Run
    ) -> _check.Floats:
        """`perturb` of checked values."""
        codes = generator.scatter(
            key, self.codes(values), count=self.cells, reach=self.reach, near=self.near, run=run
        )
        return self.released_values[codes]

    def codes(self, x: _check.Floats) -> _check.Labels:
        """The number of the cell of each value within the bounds."""
        if self.integer and self.cells == self.upper - self.lower + 1:  # one a whole number
            return (x - self.lower).astype(np.int64)
        at = np.searchsorted(self.edges, x, side="right") - 1
        return np.minimum(at, self.cells - 1).astype(np.int64)

    def outputs(self, cells: ArrayLike) -> _check.Floats:
        """The edges of all cells that can come out, whatever the input cells."""
        _check.edges(cells)
        return self.released_edges

    def transition(self, cells: ArrayLike) -> _check.Floats:
        """P(released cell | input cell), a value uniform in its input cell.

        The input cells may be others than the channel's own, within its edges.
        """
        chances = np.full((self.cells + 2 * self.reach, self.cells), self.far_probability)
        for offset in range(2 * self.reach + 1):
            chances[np.arange(self.cells) + offset, np.arange(self.cells)] = self.near_probability
        edges = _check.edges(cells)
        if np.array_equal(edges, self.edges):
            return chances
        return np.asarray(chances @ self._lying_in(edges))

    def _lying_in(self, edges: _check.Floats) -> _check.Floats:
        """How much of each input cell (columns) lies in each of the channel's cells (rows)."""
        if self.integer:
            (first, last), (own_first, own_last) = whole_numbers(edges), whole_numbers(self.edges)
            begin, end, own_begin, own_end = first, last + 1, own_first, own_last + 1
        else:
            begin, end, own_begin, own_end = edges[:-1], edges[1:], self.edges[:-1], self.edges[1:]
        if begin[0] < own_begin[0] or end[-1] > own_end[-1]:
            msg = "cells must lie within the cells of the channel"
            raise ValueError(msg)
        shared = np.minimum(own_end[:, None], end) - np.maximum(own_begin[:, None], begin)
        return np.asarray(np.maximum(shared, 0.0) / (end - begin))

    def log_density(self, y: ArrayLike, x: ArrayLike) -> _check.Floats:
        """log P(y | x) for released values y (rows) and values x (columns)."""
        released = _check.within(
            y,
            float(self.released_edges[0]),
            float(self.released_edges[-1]),
            integer=False,
            clip=False,
            name="y",
        )
        out = np.searchsorted(self.released_edges, released, side="right") - 1
        out = np.minimum(out, len(self.released_values) - 1)
        codes = self.codes(_check.within(x, self.lower, self.upper, integer=False, clip=False))
        is_near = np.abs(out[:, None] - self.reach - codes[None, :]) <= self.reach
        return np.where(is_near, math.log(self.near_probability), math.log(self.far_probability))


def cell_edges(
    lower: float, upper: float, cells: int | ArrayLike | None, *, integer: bool
) -> _check.Floats:
    """The public edges of cells: those given, so many of equal width, or one a whole number."""
    margin = 0.5 if integer else 0.0
    if cells is None and not integer:
        msg = "cells must be given for values that are not whole numbers: how many, or their edges"
        raise TypeError(msg)
    if cells is None:
        cells = int(upper - lower) + 1
    if np.ndim(cells) == 0:
        most = int(upper - lower) + 1 if integer else MOST_CELLS
        count = _check.between(cells, 2, min(most, MOST_CELLS), "cells")  # type: ignore[arg-type]
        return np.linspace(lower - margin, upper + margin, count + 1)
    edges = _check.edges(cells)
    if edges[0] > lower or edges[-1] < upper or len(edges) < 3:
        msg = f"cells must be at least two and hold the bounds {lower:g} to {upper:g}"
        raise ValueError(msg)
    if len(edges) > MOST_CELLS + 1:
        msg = f"cells must be at most {MOST_CELLS}, got {len(edges) - 1}"
        raise ValueError(msg)
    if integer:
        whole_numbers(edges)
    return edges


def near_word(epsilon: float, cells: int, reach: int) -> int:
    """The chance of a near cell, in 2**-64, rounded so that no ratio is above exp(epsilon)."""
    # Of exp(epsilon) from below, so that the chance is from below.
    ratio = exp_bounds(Fraction(min(epsilon, 700.0)))[0]
    window = (2 * reach + 1) * ratio
    chance = window / (window + cells - 1)
    return min(math.floor(chance * 2**64), 2**64 - 1)
