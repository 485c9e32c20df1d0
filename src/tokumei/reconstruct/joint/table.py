"""Tables of two or more attributes behind noise: EM on cells, started from independence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei import _check
from tokumei._check import Callback, Floats
from tokumei.noise.channel import Channel
from tokumei.reconstruct.automatic import distribution_of
from tokumei.reconstruct.cells.distribution import Distribution, values_in
from tokumei.reconstruct.cells.iterative_bayes import passes
from tokumei.reconstruct.cells.support import Support, support_of
from tokumei.reconstruct.cells.transitions import CellTransition, transition_of

MOST_CELLS = 2**26


@dataclass(frozen=True)
class CrossTable:
    """The joint distribution of several attributes on cells, reconstructed from released values.

    Attributes
    ----------
    cells : tuple of ndarray
        The edges of each attribute's cells.
    probabilities : ndarray of shape (m1, m2, ...)
        How likely the true values are in each cell.
    loglik : float
        Log-likelihood of the released cells.
    n_iter : int
        Passes over the table.
    converged : bool
        Whether the last pass gained less than `tol`.
    mechanisms : tuple of str
        The channel of each attribute.
    margins : tuple of Distribution
        Each attribute by itself; their product is where the passes began.
    """

    cells: tuple[Floats, ...]
    probabilities: Floats
    loglik: float
    n_iter: int
    converged: bool
    mechanisms: tuple[str, ...]
    margins: tuple[Distribution, ...] = field(repr=False)

    def independent(self) -> Floats:
        """The product of the margins the passes began with: the baseline without association."""
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
        """Cells and probabilities in plain dictionaries and lists."""
        return {
            "mechanisms": list(self.mechanisms),
            "loglik": self.loglik,
            "n_iter": self.n_iter,
            "converged": self.converged,
            "cells": [cells.tolist() for cells in self.cells],
            "probabilities": self.probabilities.tolist(),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)


def table(
    y: ArrayLike,
    channels: Sequence[Channel],
    *,
    cells: Sequence[int | ArrayLike | None] | None = None,
    max_iter: int = 1000,
    tol: float = 1.0,
    start: ArrayLike | None = None,
    n_threads: int | None = None,
    callback: Callback | None = None,
) -> CrossTable:
    """The joint distribution of several attributes, each released by a channel of its own.

    EM on the cells of the table (iterative Bayes with the Kronecker product of the channels, which
    is never made), begun at the product of the attributes' own reconstructions. It stops where a
    pass gains less than `tol` in log-likelihood: by default 1, what one more parameter is worth.
    Association is added where the records ask for it; what they say nothing about stays
    independent.

    Parameters
    ----------
    y : array_like of shape (n, d)
        Released values, an attribute a column.
    channels : sequence of Channel
        The channel of each attribute.
    cells : sequence, optional
        For each attribute the number of cells or their edges, or None for the default of
        `distribution`.
    max_iter : int
        Most passes.
    tol : float
        Stop where a pass gains less. Lower values follow the noise.
    start : array_like of shape (m1, m2, ...), optional
        Positive probabilities to begin with, instead of the product of the margins.
    n_threads : int, optional
        Number of threads of the margins; it changes no bit.
    callback : callable, optional
        Called now and then with the share of `max_iter` done.

    Returns
    -------
    CrossTable
        The cells and their probabilities; `sample` draws a synthetic table.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> random = np.random.default_rng(1)
    >>> a = random.integers(0, 4, size=20000)
    >>> x = np.stack([a, np.minimum(a + random.integers(0, 2, size=20000), 3)], axis=1)
    >>> one = tk.noise.randomized_response(2.0, lower=0, upper=3, integer=True)
    >>> y = np.stack([one.perturb(column) for column in x.T], axis=1)
    >>> found = tk.reconstruct.table(y, [one, one])
    >>> bool(found.probabilities[0, 3] < 0.02 < found.independent()[0, 3])
    True
    """
    released = _check.table(y, "y", largest=None)
    channels = tuple(channels)
    given: Sequence[int | ArrayLike | None] = [None] * len(channels) if cells is None else cells
    for name, found in (("channels", len(channels)), ("cells", len(given))):
        if found != released.shape[1]:
            msg = f"{name} must hold one for each of the {released.shape[1]} columns, got {found}"
            raise ValueError(msg)
    run = _check.run(n_threads, callback)
    silent = run.silent()
    supports = [support_of(c, edges) for c, edges in zip(channels, given, strict=True)]
    transitions = [transition_of(c, s, silent) for c, s in zip(channels, supports, strict=True)]
    for size in (_size([s.inputs for s in transitions]), _size([s.outputs for s in transitions])):
        if size > MOST_CELLS:
            msg = f"the table would have {size} cells, more than {MOST_CELLS}; take wider cells"
            raise ValueError(msg)
    margins = tuple(
        distribution_of(column, channel, support_of(channel, support.cells), silent)
        for column, channel, support in zip(released.T, channels, supports, strict=True)
    )
    shape = tuple(support.count for support in supports)
    if start is None:
        begin = np.maximum(independent([margin.probabilities for margin in margins]), 1e-12)
    else:
        begin = _check.positive(np.asarray(start).reshape(-1), _size(shape), "start").reshape(shape)
    probabilities, loglik, n_iter, converged = passes(
        transitions,
        _counts(released, transitions),
        begin / begin.sum(),
        max_iter=max_iter,
        tol=tol,
        run=run,
    )
    return CrossTable(
        tuple(support.cells for support in supports),
        probabilities,
        loglik,
        n_iter,
        converged,
        tuple(channel.mechanism for channel in channels),
        margins,
    )


def independent(margins: Sequence[Floats]) -> Floats:
    """The product of margins."""
    product: NDArray[np.float64] = np.ones(())
    for margin in margins:
        product = np.multiply.outer(product, margin)
    return product


def _size(shape: Sequence[int]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size


def _counts(y: Floats, transitions: Sequence[CellTransition]) -> Floats:
    """How many records were released in each cell of the table."""
    shape = [transition.outputs for transition in transitions]
    codes = [transition.codes(column) for transition, column in zip(transitions, y.T, strict=True)]
    flat = np.ravel_multi_index(codes, shape)
    return np.bincount(flat, minlength=_size(shape)).astype(np.float64).reshape(shape)
