"""Iterative Bayes: EM on cells, for every channel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Callback, Floats, Run
from tokumei._kernels import reconstruct as _kernels
from tokumei.noise.channel import Channel
from tokumei.reconstruct.cells.support import support_of
from tokumei.reconstruct.cells.transitions import CellTransition, layout, transition_of


@dataclass(frozen=True)
class BayesCells:
    """Probabilities of cells, as iterative Bayes left them.

    Attributes
    ----------
    cells : ndarray of shape (m + 1,)
        Edges of the cells.
    probabilities : ndarray of shape (m,)
        How likely the true value is in each cell.
    loglik : float
        Log-likelihood of the released cells.
    n_iter : int
        Passes over the cells.
    converged : bool
        Whether the last pass gained less than `tol`.
    """

    cells: Floats
    probabilities: Floats
    loglik: float
    n_iter: int
    converged: bool


def iterative_bayes(
    y: ArrayLike,
    channel: Channel,
    *,
    max_iter: int,
    tol: float = 0.0,
    smooth: float = 0.0,
    accelerate: bool = False,
    cells: int | ArrayLike | None = None,
    start: ArrayLike | None = None,
    lower: float | None = None,
    upper: float | None = None,
    integer: bool | None = None,
    callback: Callback | None = None,
) -> BayesCells:
    """The distribution of the true values on cells, by the iterative Bayesian technique (IBT).

    Each pass asks of every released value which cell it came from, were the current probabilities
    true, and takes the shares found for the next ones. The likelihood never falls, and its maximum
    is a handful of spikes wherever the noise is wider than the cells. When to stop is therefore
    part of the question, and `max_iter` has no default; `distribution` chooses by itself.

    Parameters
    ----------
    y : array_like of shape (n,)
        Released values.
    channel : Channel
        The channel that released them.
    max_iter : int
        Most passes. Under Laplace noise that is wider than the cells, 30 to 300 from a uniform
        start; many more only where cells are few and the noise is narrow.
    tol : float
        Stop where a pass (a pair of passes, if accelerated) changes the log-likelihood by less.
        0 makes all passes.
    smooth : float
        From 0 to 1: how much of a cell its two neighbours take and give after each pass (EMS); 1/2
        gives the weights 1/4, 1/2, 1/4.
    accelerate : bool
        Extrapolate (SQUAREM): the same maximum in far fewer passes, and the likelihood still does
        not fall. Not with `smooth`. It goes where plain passes would go later: not a way to stop
        early.
    cells : int or array_like, optional
        The number of cells of equal width, or their edges. By default the channel's own cells; for
        Laplace noise one for each whole number up to 200, else 100.
    start : array_like, optional
        Positive probabilities to start from; uniform by default.
    lower, upper, integer : optional
        Bounds of the true values and whether they are whole numbers, if other than the channel's.
    callback : callable, optional
        Called now and then with the share of `max_iter` done.

    Returns
    -------
    BayesCells
        The probabilities, and how they were reached.

    Notes
    -----
    A pass costs O(cells) for Laplace noise, randomised response and the square wave on the
    channel's own cells, and O(cells x released cells) otherwise. It runs on one thread, with the
    same bits on every instruction set.

    Examples
    --------
    >>> import tokumei as tk
    >>> channel = tk.noise.randomized_response(2.0, lower=1, upper=4, integer=True)
    >>> found = tk.reconstruct.iterative_bayes([1, 1, 1, 2, 2, 3, 1, 4], channel, max_iter=50)
    >>> found.probabilities.round(2)
    array([0.66, 0.25, 0.05, 0.05])
    """
    released = _check.column(y, "y")
    support = support_of(channel, cells, lower=lower, upper=upper, integer=integer)
    run = _check.run(1, callback)
    transition = transition_of(channel, support, run.silent())
    probabilities = np.full(support.count, 1.0 / support.count)
    if start is not None:
        probabilities = starting(start, (support.count,))
    found = passes(
        [transition],
        transition.counts(released),
        probabilities,
        max_iter=max_iter,
        tol=tol,
        smooth=smooth,
        accelerate=accelerate,
        run=run,
    )
    return BayesCells(support.cells, *found)


def starting(values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Probabilities to start from: positive, one a cell."""
    array = np.asarray(values)
    if array.shape != shape:
        msg = f"start must hold one number for each of the cells {shape}, got shape {array.shape}"
        raise ValueError(msg)
    start = _check.positive(array.reshape(-1), array.size, "start").reshape(shape)
    return np.asarray(start / start.sum())


def passes(
    transitions: list[CellTransition],
    counts: Floats,
    start: Floats,
    *,
    max_iter: int,
    tol: float = 0.0,
    smooth: float = 0.0,
    accelerate: bool = False,
    run: Run,
) -> tuple[Floats, float, int, bool]:
    """EM on a table of cells: probabilities, log-likelihood, passes made, whether it came to rest.

    `counts` are those of the released cells, one axis for each transition. Both they and `start`
    may be rows of tables, each on its own; likelihood and passes are those of the last.
    """
    max_iter = _check.at_least(max_iter, 1, "max_iter")
    tol = _check.number(tol, "tol")
    smooth = _check.number(smooth, "smooth")
    if tol < 0.0:
        msg = f"tol must not be negative, got {tol:g}"
        raise ValueError(msg)
    if not 0.0 <= smooth <= 1.0:
        msg = f"smooth must be from 0 to 1, got {smooth:g}"
        raise ValueError(msg)
    if _check.flag(accelerate, "accelerate") and smooth > 0.0:
        msg = "accelerate cannot be combined with smooth: there is no likelihood to climb"
        raise ValueError(msg)
    axes, coefficients = layout(transitions)
    at = np.ascontiguousarray(start, dtype=np.float64).reshape(-1).copy()
    found = _kernels.iterative_bayes(
        axes,
        coefficients,
        np.ascontiguousarray(counts).reshape(-1),
        at,
        max_iter,
        tol,
        smooth,
        accelerate,
        run,
    )
    return at.reshape(start.shape), *found
