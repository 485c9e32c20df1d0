"""A reconstructed distribution, with its credible bands and what is trivial beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats
from tokumei.reconstruct.cells.support import Support


@dataclass(frozen=True)
class Distribution:
    """The distribution of true values on cells, reconstructed from released ones.

    It holds probabilities and counts of cells, and no value of a record.

    Attributes
    ----------
    cells : ndarray of shape (m + 1,)
        Edges of the cells; whole numbers 17 to 90 have the edges 16.5, 17.5, ..., 90.5.
    probabilities : ndarray of shape (m,)
        How likely the true value is in each cell, atoms included.
    lower_band, upper_band : ndarray of shape (m,)
        Credible bands: between them each cell's probability lies with probability `coverage`.
    coverage : float
        See above.
    loglik : float
        Log-likelihood of the released cells.
    freedom : float
        Effective degrees of freedom: how many numbers the records determined.
    records : int
        How many values were released.
    mechanism : str
        The channel that released them.
    method : str
        How they were reconstructed.
    integer : bool
        Whether true values are whole numbers.
    atoms, atom_probabilities : ndarray
        The declared atoms, and how likely each is.
    baselines : mapping
        What needs no reconstruction, as probabilities of the same cells: "noisy" (the released
        values, clamped to the bounds), "single normal", and "all at the atom" where one is
        declared. An accuracy says little unless theirs stands beside it.
    """

    cells: Floats
    probabilities: Floats
    lower_band: Floats
    upper_band: Floats
    coverage: float
    loglik: float
    freedom: float
    records: int
    mechanism: str
    method: str
    integer: bool
    atoms: Floats
    atom_probabilities: Floats
    baselines: Mapping[str, Floats] = field(repr=False)

    @property
    def says_nothing(self) -> bool:
        """Whether the bands hold an even spread between the bounds too: nothing else is known."""
        return holds_even(self.lower_band, self.upper_band, np.diff(self.cells))

    @property
    def _support(self) -> Support:
        return Support(self.cells, self.integer, self.atoms)

    @property
    def _without_atoms(self) -> Floats:
        """The probabilities of the cells without their atoms."""
        return self._support.parted(self.probabilities, self.atom_probabilities)

    def mean(self) -> float:
        """The mean of the true values."""
        atoms = float(self.atom_probabilities @ self.atoms)
        return float(self._without_atoms @ self._support.middles) + atoms

    def std(self) -> float:
        """The standard deviation of the true values, each cell's values equally likely."""
        support, mean = self._support, self.mean()
        first, last = support.ends
        width = last - first
        within = width * (width + 2.0) / 12.0 if self.integer else width**2 / 12.0
        cells = float(self._without_atoms @ ((support.middles - mean) ** 2 + within))
        return float(np.sqrt(cells + self.atom_probabilities @ (self.atoms - mean) ** 2))

    def cdf(self, x: ArrayLike) -> Floats:
        """How likely it is that a true value is at most x, for each x."""
        values = _check.column(np.atleast_1d(np.asarray(x)), "x", largest=None)
        first, last = self._support.ends
        sizes = last - first + (1.0 if self.integer else 0.0)
        place = np.floor(values) + 1.0 if self.integer else values
        cumulated = np.concatenate([[0.0], np.cumsum(self._without_atoms)])
        at = self._support.cell_of(np.floor(values) if self.integer else values)
        share = np.clip((place - first[at]) / sizes[at], 0.0, 1.0)
        below = cumulated[at] + share * (cumulated[at + 1] - cumulated[at])
        atoms = (self.atoms[None, :] <= values[:, None]) @ self.atom_probabilities
        return np.asarray(np.minimum(below + atoms, 1.0))

    def quantile(self, p: ArrayLike) -> Floats:
        """The smallest value that a true value does not exceed with probability p, for each p."""
        wanted = _check.column(np.atleast_1d(np.asarray(p)), "p")
        if not ((wanted >= 0.0) & (wanted <= 1.0)).all():
            outside = int(((wanted < 0.0) | (wanted > 1.0)).sum())
            msg = f"p must hold probabilities from 0 to 1, {outside} of {len(wanted)} are not"
            raise ValueError(msg)
        first, last = self._support.ends
        low = np.full(len(wanted), first[0] - (1.0 if self.integer else 0.0))
        high = np.full(len(wanted), last[-1])
        for _ in range(80):  # halving: cells and atoms alike
            middle = np.floor((low + high) / 2) if self.integer else (low + high) / 2
            enough = self.cdf(middle) >= wanted - 1e-12
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.asarray(high)

    def sample(self, count: int, random_state: int | np.random.Generator | None = None) -> Floats:
        """Synthetic values: a cell or an atom by its probability, then any value of the cell."""
        count = _check.at_least(count, 1, "count")
        chance = _check.generator(random_state)
        weights = np.concatenate([self._without_atoms, self.atom_probabilities])
        drawn = chance.choice(len(weights), count, p=weights / weights.sum())
        return values_in(self._support, drawn, chance)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the released histogram, in plain dictionaries and lists."""
        return {
            "mechanism": self.mechanism,
            "method": self.method,
            "records": self.records,
            "coverage": self.coverage,
            "loglik": self.loglik,
            "freedom": self.freedom,
            "integer": self.integer,
            "cells": self.cells.tolist(),
            "probabilities": self.probabilities.tolist(),
            "lower_band": self.lower_band.tolist(),
            "upper_band": self.upper_band.tolist(),
            "atoms": self.atoms.tolist(),
            "atom_probabilities": self.atom_probabilities.tolist(),
            "baselines": {
                name: cells.tolist() for name, cells in self.baselines.items() if name != "noisy"
            },
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def plot(self, truth: ArrayLike | None = None, *, axes: Any = None, title: str = "") -> Any:
        """Draw the reconstruction, its credible band, what was released, and the truth if given.

        Needs matplotlib (``pip install tokumei[report]``).

        Parameters
        ----------
        truth : array_like of shape (m,), optional
            Counts or probabilities of the true values in the same cells, where they are known.
        axes : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.
        title : str
            What to write above.

        Returns
        -------
        matplotlib.figure.Figure
            ``figure.savefig("reconstruction.svg")`` writes it.
        """
        known = None
        if truth is not None:
            known = _check.weights(truth, len(self.probabilities), "truth")
        from tokumei.reconstruct.cells.picture import figure

        return figure(
            self.cells,
            self.baselines["noisy"],
            self.probabilities,
            (self.lower_band, self.upper_band),
            self.coverage,
            known,
            axes,
            title,
        )


def values_in(support: Support, drawn: _check.Labels, chance: np.random.Generator) -> Floats:
    """A value of each cell drawn, by number; numbers beyond the cells are atoms."""
    first, last = support.ends
    cell = np.minimum(drawn, support.count - 1)
    if support.integer:
        values = chance.integers(
            first[cell].astype(np.int64), last[cell].astype(np.int64), endpoint=True
        ).astype(np.float64)
    else:
        values = chance.uniform(first[cell], last[cell])
    is_atom = drawn >= support.count
    values[is_atom] = support.atoms[drawn[is_atom] - support.count]
    return np.asarray(values)


def holds_even(lower: Floats, upper: Floats, sizes: Floats) -> bool:
    """Whether probabilities in proportion to the sizes lie within the bands."""
    even = sizes / sizes.sum()
    return bool(((lower <= even) & (even <= upper)).all())
