"""How likely each cell of true values is to become each released one, as the kernels take it.

Beyond the bounds of the true values all released values of a Laplace channel say the same, so two
open end cells hold them and nothing is lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tokumei._check import Floats, Labels, Run
from tokumei._kernels import reconstruct as _kernels
from tokumei.noise.channel import Channel, whole_numbers
from tokumei.noise.laplace import Laplace
from tokumei.noise.scattering import Scattering
from tokumei.reconstruct.cells.support import Support

DENSE, LAPLACE, RANDOMISED_RESPONSE, SQUARE_WAVE = range(4)


@dataclass(frozen=True)
class CellTransition:
    """P(released cell | true cell) of one attribute, and the inner edges of released cells.

    A released value belongs to cell number ``searchsorted(borders, y, side="right")``.
    """

    axis: Labels
    coefficients: Floats
    borders: Floats
    run: Run

    @property
    def inputs(self) -> int:
        """How many true cells."""
        return int(self.axis[1])

    @property
    def outputs(self) -> int:
        """How many released cells."""
        return int(self.axis[2])

    def codes(self, y: Floats) -> Labels:
        """The released cell of each released value."""
        return np.searchsorted(self.borders, y, side="right").astype(np.int64)

    def counts(self, y: Floats) -> Floats:
        """How many released values lie in each released cell."""
        return np.bincount(self.codes(y), minlength=self.outputs).astype(np.float64)

    def forward(self, probabilities: Floats) -> Floats:
        """The probabilities of released cells."""
        return product([self], probabilities, forward=True)

    def matrix(self) -> Floats:
        """All of it: released cells x true cells."""
        out = np.empty((self.outputs, self.inputs))
        _kernels.transition_matrix(self.axis, self.coefficients, out.reshape(-1), self.run)
        return out


def product(transitions: list[CellTransition], values: Floats, *, forward: bool) -> Floats:
    """T p of a table of cells, or T' w; one transition for each axis."""
    axes, coefficients = layout(transitions)
    shape = [transition.outputs if forward else transition.inputs for transition in transitions]
    out = np.empty(int(np.prod(shape)))
    flat = np.ascontiguousarray(values, dtype=np.float64).reshape(-1)
    _kernels.transition_cells(axes, coefficients, flat, out, forward, transitions[0].run)
    return out.reshape(shape)


def layout(transitions: list[CellTransition]) -> tuple[Labels, Floats]:
    """The two lists by which the kernels know transitions."""
    return (
        np.concatenate([transition.axis for transition in transitions]),
        np.concatenate([transition.coefficients for transition in transitions]),
    )


def transition_of(channel: Channel, support: Support, run: Run) -> CellTransition:
    """The quickest form of a channel's transition probabilities on these cells."""
    if isinstance(channel, Laplace):
        return _laplace(channel, support, run)
    if isinstance(channel, Scattering) and np.array_equal(channel.edges, support.cells):
        return _scattering(channel, run)
    matrix = np.ascontiguousarray(channel.transition(support.cells))
    axis = np.array([DENSE, matrix.shape[1], matrix.shape[0], 0])
    borders = channel.outputs(support.cells)[1:-1]
    return CellTransition(axis, matrix.reshape(-1), borders, run)


def atom_columns(channel: Channel, support: Support, transition: CellTransition) -> Floats:
    """P(released cell | atom), an atom a column."""
    at = support.cell_of(support.atoms)
    if not isinstance(channel, Laplace):
        return transition.matrix()[:, at]
    decay, caught = _carried(channel, support)
    up, down, stay = _point_shares(channel, support.cells[at], support.cells[at + 1], support.atoms)
    columns = []
    for number, cell in enumerate(at):
        axis = np.array([LAPLACE, 1, transition.outputs, cell + 1])
        shares = np.array([up[number], down[number], stay[number]])
        coefficients = np.concatenate([decay, caught, shares])
        columns.append(replace(transition, axis=axis, coefficients=coefficients).matrix()[:, 0])
    return np.stack(columns, axis=1) if columns else np.empty((transition.outputs, 0))


def _scattering(channel: Scattering, run: Run) -> CellTransition:
    m, outputs = channel.cells, channel.cells + 2 * channel.reach
    far = np.full(outputs, channel.far_probability)
    more = channel.near_probability - channel.far_probability
    borders = channel.released_edges[1:-1]
    if channel.reach == 0 and more >= 0.0:
        axis = np.array([RANDOMISED_RESPONSE, m, m, 0])
        return CellTransition(axis, np.concatenate([far, np.full(m, more)]), borders, run)
    first = np.arange(m, dtype=np.float64)
    coefficients = [far, np.full(outputs, more), first, first + 2 * channel.reach + 1]
    axis = np.array([SQUARE_WAVE, m, outputs, 0])
    return CellTransition(axis, np.concatenate(coefficients), borders, run)


def _laplace(channel: Laplace, support: Support, run: Run) -> CellTransition:
    decay, caught = _carried(channel, support)
    shares = _cell_shares(channel, support)
    axis = np.array([LAPLACE, support.count, support.count + 2, 1])
    return CellTransition(axis, np.concatenate([decay, caught, *shares]), support.cells, run)


def _rate(channel: Laplace) -> float:
    """The log ratio of two values that are 1 apart."""
    return channel.rate / 2**64 / channel.lattice


def _carried(channel: Laplace, support: Support) -> tuple[Floats, Floats]:
    """What goes on beyond each released cell of what reaches it, and what stays."""
    sizes = np.diff(support.cells)
    if channel.integer:
        first, last = whole_numbers(support.cells)
        sizes = last - first + 1
    on = _rate(channel) * sizes
    return (
        np.concatenate([[0.0], np.exp(-on), [0.0]]),
        np.concatenate([[1.0], -np.expm1(-on), [1.0]]),
    )


def _point_shares(
    channel: Laplace, low: Floats, high: Floats, points: Floats
) -> tuple[Floats, Floats, Floats]:
    """The chances that a point leaves its cell [low, high) upwards, downwards, and not."""
    rate = _rate(channel)
    if channel.integer:
        # The first whole numbers beyond the edges; each side has ratio^steps / (1 + ratio).
        ratio = np.exp(-rate)
        above, below = np.ceil(high) - points, points - np.ceil(low) + 1
        up, down = (np.exp(-rate * steps) / (1.0 + ratio) for steps in (above, below))
        single = (above == 1.0) & (below == 1.0)
        return up, down, np.where(single, np.tanh(rate / 2), 1.0 - up - down)
    up, down = 0.5 * np.exp(-rate * (high - points)), 0.5 * np.exp(-rate * (points - low))
    stay = -0.5 * (np.expm1(-rate * (high - points)) + np.expm1(-rate * (points - low)))
    return up, down, stay


def _cell_shares(channel: Laplace, support: Support) -> tuple[Floats, Floats, Floats]:
    """The same of each cell, its values equally likely."""
    rate = _rate(channel)
    low, high = support.cells[:-1], support.cells[1:]
    first, last = support.ends
    if not support.integer:
        size = rate * (high - low)
        up = -np.expm1(-size) / (2.0 * size)
        series = np.zeros_like(size)  # 1 - (1 - exp(-s)) / s, which cancels where s is small
        for power in range(16, 0, -1):
            series = (1.0 - series) * size / (power + 1)
        return up, up, np.where(size < 1.0, series, 1.0 - 2.0 * up)
    # A geometric sequence: the whole number nearest to the edge, then those before it.
    count = last - first + 1
    fewer = np.where(count == 1, 1.0, np.expm1(-rate * count) / (count * np.expm1(-rate)))
    up = _point_shares(channel, low, high, last)[0] * fewer
    down = _point_shares(channel, low, high, first)[1] * fewer
    alone = _point_shares(channel, low, high, first)[2]
    return up, down, np.where(count == 1, alone, 1.0 - up - down)
