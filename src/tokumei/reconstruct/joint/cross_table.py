"""A reconstructed table of several attributes, with credible bands."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei import _check
from tokumei._check import Floats
from tokumei.reconstruct.cells.distribution import Distribution, values_in
from tokumei.reconstruct.cells.support import Support
from tokumei.reconstruct.joint.composite import independent


@dataclass(frozen=True)
class CrossTable:
    """The joint distribution of several attributes on cells, reconstructed from released values.

    Attributes
    ----------
    cells : tuple of ndarray
        The edges of each attribute's cells.
    probabilities : ndarray of shape (m1, m2, ...)
        How likely the true values are in each cell.
    lower_band, upper_band : ndarray of shape (m1, m2, ...), or None
        Credible bands: between them each cell's probability lies with probability `coverage`. None
        where they were not asked for or the table is too large for them.
    correlations : ndarray of shape (d, d)
        Of the middles of the cells; it says nothing of attributes whose cells have no order.
    lower_correlations, upper_correlations : ndarray of shape (d, d), or None
        Credible bands of the correlations.
    coverage : float
        See above.
    loglik : float
        Log-likelihood of the released cells.
    freedom : float or None
        Effective degrees of freedom by which the table was moved away from where it began.
    n_iter : int
        Passes over tables.
    converged : bool
        Whether the passes ended by themselves, before `max_iter`.
    mechanisms : tuple of str
        The channel of each attribute.
    margins : tuple of Distribution
        Each attribute by itself.
    """

    cells: tuple[Floats, ...]
    probabilities: Floats
    lower_band: Floats | None
    upper_band: Floats | None
    correlations: Floats
    lower_correlations: Floats | None
    upper_correlations: Floats | None
    coverage: float
    loglik: float
    freedom: float | None
    n_iter: int
    converged: bool
    mechanisms: tuple[str, ...]
    margins: tuple[Distribution, ...] = field(repr=False)

    def independent(self) -> Floats:
        """The product of the margins: the baseline without association."""
        return independent([margin.probabilities for margin in self.margins])

    def margin(self, *attributes: int) -> Floats:
        """The probabilities of some attributes, the others summed over."""
        axes = len(self.cells)
        kept = [_check.between(number, 0, axes - 1, "attributes") for number in attributes]
        if len(set(kept)) < len(kept):
            msg = "attributes must differ from each other"
            raise ValueError(msg)
        others = tuple(axis for axis in range(axes) if axis not in kept)
        summed = self.probabilities.sum(axis=others)
        return np.asarray(summed.transpose(np.argsort(np.argsort(kept))))

    def sample(self, count: int, random_state: int | np.random.Generator | None = None) -> Floats:
        """A synthetic table: a cell by its probability, then any values of that cell."""
        count = _check.at_least(count, 1, "count")
        chance = _check.generator(random_state)
        flat = self.probabilities.reshape(-1)
        drawn = chance.choice(flat.size, count, p=flat / flat.sum())
        numbers = np.unravel_index(drawn, self.probabilities.shape)
        columns = [
            values_in(Support(cells, margin.integer, np.empty(0)), number.astype(np.int64), chance)
            for cells, margin, number in zip(self.cells, self.margins, numbers, strict=True)
        ]
        return np.stack(columns, axis=1)

    def to_dict(self) -> dict[str, Any]:
        """Cells, probabilities and bands in plain dictionaries and lists."""
        bands = {
            name: None if band is None else band.tolist()
            for name, band in (
                ("lower_band", self.lower_band),
                ("upper_band", self.upper_band),
                ("lower_correlations", self.lower_correlations),
                ("upper_correlations", self.upper_correlations),
            )
        }
        return {
            "mechanisms": list(self.mechanisms),
            "coverage": self.coverage,
            "loglik": self.loglik,
            "freedom": self.freedom,
            "n_iter": self.n_iter,
            "converged": self.converged,
            "cells": [cells.tolist() for cells in self.cells],
            "probabilities": self.probabilities.tolist(),
            "correlations": self.correlations.tolist(),
            **bands,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)
