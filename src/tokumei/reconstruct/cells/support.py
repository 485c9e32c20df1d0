"""Where true values can be: bounds, cells, whole numbers, and atoms that many records share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei.noise.channel import Channel, whole_numbers
from tokumei.noise.scattering import Scattering

# Whole numbers have a cell each as long as an eye could tell the cells apart.
MOST_UNIT_CELLS = 200
CELLS = 100


@dataclass(frozen=True)
class Support:
    """Cells of the true values. Atoms are single values, each with a probability of its own."""

    cells: Floats
    integer: bool
    atoms: Floats

    @property
    def count(self) -> int:
        """How many cells."""
        return len(self.cells) - 1

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The first and the last value of each cell: whole numbers where values are."""
        if self.integer:
            return whole_numbers(self.cells)
        return self.cells[:-1], self.cells[1:]

    @property
    def middles(self) -> Floats:
        """The mean of the values of each cell."""
        first, last = self.ends
        return np.asarray((first + last) / 2)

    def cell_of(self, values: Floats) -> Labels:
        """The number of the cell of each value; values beyond the ends are in the end cells."""
        at = np.searchsorted(self.cells, values, side="right") - 1
        return np.clip(at, 0, self.count - 1).astype(np.int64)

    def joined(self, probabilities: Floats) -> Floats:
        """Probabilities of cells from those of cells and atoms: of one distribution, or of rows."""
        cells = probabilities[..., : self.count].copy()
        for number, cell in enumerate(self.cell_of(self.atoms)):
            cells[..., cell] += probabilities[..., self.count + number]
        return cells

    def parted(self, cells: Floats, atoms: Floats) -> Floats:
        """What is left in each cell without its atoms."""
        inside = cells.copy()
        for number, cell in enumerate(self.cell_of(self.atoms)):
            inside[..., cell] -= atoms[..., number]
        return np.maximum(inside, 0.0)


def support_of(
    channel: Channel,
    cells: int | ArrayLike | None,
    *,
    lower: float | None = None,
    upper: float | None = None,
    integer: bool | None = None,
    atoms: ArrayLike = (),
) -> Support:
    """What is said of the true values, checked; the channel says what is left open."""
    _check.instance(channel, Channel, "channel")
    integer = channel.integer if integer is None else _check.flag(integer, "integer")
    lower, upper = _check.bounds(
        channel.lower if lower is None else lower,
        channel.upper if upper is None else upper,
        integer=integer,
    )
    points = _atoms(atoms, lower, upper, integer)
    if cells is None and isinstance(channel, Scattering):
        return Support(channel.edges, integer, points)
    margin = 0.5 if integer else 0.0
    if cells is None:
        unit = integer and upper - lower < MOST_UNIT_CELLS
        cells = int(upper - lower) + 1 if unit else CELLS
    if np.ndim(cells) == 0:
        most = int(upper - lower) + 1 if integer else 2**22
        count = _check.between(cells, 1, most, "cells")  # type: ignore[arg-type]
        edges = np.linspace(lower - margin, upper + margin, count + 1)
    else:
        edges = _check.edges(cells)
    if integer:
        whole_numbers(edges)
    if edges[0] > lower or edges[-1] < upper:
        msg = f"cells must cover the bounds {lower:g} to {upper:g}"
        raise ValueError(msg)
    return Support(edges, integer, points)


def _atoms(values: ArrayLike, lower: float, upper: float, integer: bool) -> Floats:
    if np.size(np.asarray(values)) == 0:
        return np.empty(0)
    atoms = _check.within(
        np.atleast_1d(np.asarray(values)), lower, upper, integer=integer, clip=False, name="atoms"
    )
    if len(np.unique(atoms)) < len(atoms):
        msg = "atoms must differ from each other"
        raise ValueError(msg)
    return np.sort(atoms)
