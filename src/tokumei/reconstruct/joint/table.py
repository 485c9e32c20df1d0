"""Tables of two or more attributes behind noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Callback, Floats, Run
from tokumei.noise.channel import Channel
from tokumei.reconstruct.automatic import COVERAGE, distribution_and_draws
from tokumei.reconstruct.cells.distribution import Distribution
from tokumei.reconstruct.cells.iterative_bayes import passes
from tokumei.reconstruct.cells.support import Support, support_of
from tokumei.reconstruct.cells.transitions import CellTransition, transition_of
from tokumei.reconstruct.joint.composite import independent
from tokumei.reconstruct.joint.cross_table import CrossTable
from tokumei.reconstruct.joint.evidence import (
    Joint,
    Released,
    correlations_of,
    joint,
    log_likelihood,
)

MOST_CELLS = 2**26


def table(
    y: ArrayLike,
    channels: Sequence[Channel],
    *,
    cells: Sequence[int | ArrayLike | None] | None = None,
    nominal: Sequence[int] = (),
    max_iter: int = 1000,
    tol: float | None = None,
    start: ArrayLike | None = None,
    bands: bool = True,
    n_threads: int | None = None,
    callback: Callback | None = None,
) -> CrossTable:
    """The joint distribution of several attributes, each released by a channel of its own.

    Margins come from `distribution`. Two attributes begin at the Gaussian copula of their margins,
    with the correlation that the likelihood of their released table supports, or, where one of them
    has no order, at a copula of as many scores of their cells as that supports (both independent
    where independence keeps a probability above 1/20). They are moved from there by EM under a
    prior that holds to the beginning; the strengths of the prior, infinite ones too, are averaged
    by their evidence. More attributes begin at the table that has those of all pairs and is
    otherwise the most even one. What the records say nothing about stays as it began.

    Parameters
    ----------
    y : array_like of shape (n, d)
        Released values, an attribute a column.
    channels : sequence of Channel
        The channel of each attribute.
    cells : sequence, optional
        For each attribute the number of cells or their edges, or None for the default of
        `distribution`.
    nominal : sequence of int
        The attributes whose cells have no order, by number. Of more than 1,000 categories each
        begins independent of the others.
    max_iter : int
        Most passes of EM over one table.
    tol : float, optional
        Plain EM instead, from the product of the margins, stopped where a pass gains less than
        this in log-likelihood: a baseline, without bands.
    start : array_like of shape (m1, m2, ...), optional
        Positive probabilities to begin with, instead of the above.
    bands : bool
        Whether to draw the 100 tables of which credible bands are made.
    n_threads : int, optional
        Number of threads of the margins; it changes no bit.
    callback : callable, optional
        Called now and then with the share done.

    Returns
    -------
    CrossTable
        The cells, their probabilities and credible bands, and correlations; `sample` draws a
        synthetic table.

    Notes
    -----
    Bands carry what is not known of margins, of the correlation and of what the prior left open.
    Tables of more than 2^20 cells are composed of their pairs and not moved on; where 100 tables
    hold more than 2^25 cells together, only correlations have bands.

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
    asked = _asked(y, channels, cells, _check.run(n_threads, callback))
    most = _check.at_least(max_iter, 1, "max_iter")
    axes = len(asked.channels)
    unordered = frozenset(_check.between(axis, 0, axes - 1, "nominal") for axis in nominal)
    _check.flag(bands, "bands")
    begin = None
    if start is not None:
        shape = tuple(support.count for support in asked.supports)
        begin = _check.positive(np.asarray(start).reshape(-1), _size(shape), "start").reshape(shape)
        begin = begin / begin.sum()
    if tol is not None and _check.number(tol, "tol") < 0.0:
        msg = f"tol must not be negative, got {tol:g}"
        raise ValueError(msg)
    silent = asked.run.silent()
    found = [
        distribution_and_draws(column, channel, support_of(channel, support.cells), silent)
        for column, channel, support in zip(asked.y.T, asked.channels, asked.supports, strict=True)
    ]
    margins = tuple(margin for margin, _ in found)
    released = Released(
        asked.transitions,
        [t.codes(column) for t, column in zip(asked.transitions, asked.y.T, strict=True)],
        [support.middles for support in asked.supports],
        unordered,
        most,
        asked.run,
    )
    if tol is not None:
        return _plain(asked, released, margins, begin, tol)
    made = joint(
        released,
        [margin.probabilities for margin in margins],
        [drawn for _, drawn in found],
        begin,
        bands,
    )
    counts = released.counts(*range(axes))
    loglik = log_likelihood(asked.transitions, counts, made.table)
    return _result(asked, released, margins, made, loglik, made.passes < most)


@dataclass(frozen=True)
class _Asked:
    """What is asked for, checked."""

    y: Floats
    channels: tuple[Channel, ...]
    supports: list[Support]
    transitions: list[CellTransition]
    run: Run


def _asked(
    y: ArrayLike,
    channels: Sequence[Channel],
    cells: Sequence[int | ArrayLike | None] | None,
    run: Run,
) -> _Asked:
    released = _check.table(y, "y", largest=None)
    channels = tuple(channels)
    given: Sequence[int | ArrayLike | None] = [None] * len(channels) if cells is None else cells
    for name, found in (("channels", len(channels)), ("cells", len(given))):
        if found != released.shape[1]:
            msg = f"{name} must hold one for each of the {released.shape[1]} columns, got {found}"
            raise ValueError(msg)
    silent = run.silent()
    supports = [support_of(c, edges) for c, edges in zip(channels, given, strict=True)]
    transitions = [transition_of(c, s, silent) for c, s in zip(channels, supports, strict=True)]
    for size in (_size([s.inputs for s in transitions]), _size([s.outputs for s in transitions])):
        if size > MOST_CELLS:
            msg = f"the table would have {size} cells, more than {MOST_CELLS}; take wider cells"
            raise ValueError(msg)
    return _Asked(released, channels, supports, transitions, run)


def _plain(
    asked: _Asked,
    released: Released,
    margins: tuple[Distribution, ...],
    start: Floats | None,
    tol: float,
) -> CrossTable:
    """EM from the product of the margins, stopped at a fixed gain."""
    begin = start
    if begin is None:
        begin = np.maximum(independent([margin.probabilities for margin in margins]), 1e-12)
    probabilities, loglik, n_iter, converged = passes(
        asked.transitions,
        released.counts(*range(len(margins))),
        begin / begin.sum(),
        max_iter=released.passes,
        tol=tol,
        run=asked.run,
    )
    made = Joint(probabilities, None, None, None, n_iter)
    return _result(asked, released, margins, made, loglik, converged)


def _result(
    asked: _Asked,
    released: Released,
    margins: tuple[Distribution, ...],
    made: Joint,
    loglik: float,
    converged: bool,
) -> CrossTable:
    shown = correlations_of(made.table, released.middles)
    low, high = _band(made.drawn, made.table)
    low_r, high_r = _band(made.correlations, shown)
    return CrossTable(
        cells=tuple(support.cells for support in asked.supports),
        probabilities=made.table,
        lower_band=low,
        upper_band=high,
        correlations=shown,
        lower_correlations=low_r,
        upper_correlations=high_r,
        coverage=COVERAGE,
        loglik=loglik,
        freedom=made.freedom,
        n_iter=made.passes,
        converged=converged,
        mechanisms=tuple(channel.mechanism for channel in asked.channels),
        margins=margins,
    )


def _band(drawn: Floats | None, found: Floats) -> tuple[Floats | None, Floats | None]:
    """Where the draws (rows) lie with the probability of the coverage, what was found included."""
    if drawn is None or not len(drawn):
        return None, None
    low, high = np.quantile(drawn, [(1.0 - COVERAGE) / 2, (1.0 + COVERAGE) / 2], axis=0)
    return np.minimum(low, found), np.maximum(high, found)


def _size(shape: Sequence[int]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size
