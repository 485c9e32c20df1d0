"""The automatic choice: which reconstructions a channel asks for, averaged, with credible bands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Run
from tokumei.noise.channel import Channel
from tokumei.noise.laplace import Laplace
from tokumei.reconstruct.baselines import baselines
from tokumei.reconstruct.cells.distribution import Distribution
from tokumei.reconstruct.cells.resolution import Coarse
from tokumei.reconstruct.cells.support import Support, support_of
from tokumei.reconstruct.cells.transitions import CellTransition, atom_columns, transition_of
from tokumei.reconstruct.estimates import (
    CellEstimate,
    cell_estimate,
    mixture_estimate,
    smooth_estimate,
)
from tokumei.reconstruct.smoothing.smoothness import MOST_CELLS

COVERAGE = 0.9


def distribution(
    y: ArrayLike,
    channel: Channel,
    *,
    lower: float | None = None,
    upper: float | None = None,
    integer: bool | None = None,
    atoms: ArrayLike = (),
    cells: int | ArrayLike | None = None,
    n_threads: int | None = None,
) -> Distribution:
    """The distribution of the true values behind released ones, reconstructed automatically.

    Laplace noise without atoms: the mean of a smooth log-density (the evidence-weighted average
    over orders and strengths of smoothing) and of mixtures of 1 to 6 normals (evidence-weighted,
    too). With atoms: the smooth log-density with the atoms beside it. Other channels: the mean of
    the smooth log-density and of what EM on cells makes of it, stopped where a pass gains less
    than 1 in log-likelihood.

    Parameters
    ----------
    y : array_like of shape (n,)
        Released values, in any order, not clamped to the bounds.
    channel : Channel
        The channel that released them.
    lower, upper : float, optional
        Public bounds of the true values; the channel's by default.
    integer : bool, optional
        Whether true values are whole numbers; as the channel has it by default.
    atoms : array_like
        Values known to be shared by many records exactly, such as 0 for amounts. Under wide noise
        only such knowledge tells an atom from its neighbourhood.
    cells : int or array_like, optional
        The number of cells of equal width, or their edges. By default the channel's own cells; for
        Laplace noise one for each whole number up to 200, else 100.
    n_threads : int, optional
        Number of threads of the mixtures; it changes no bit.

    Returns
    -------
    Distribution
        Cells, probabilities and credible bands, and trivial baselines beside them.

    See Also
    --------
    smooth : The smooth log-density alone.
    iterative_bayes : EM on cells alone.
    LaplaceMixture : One mixture.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> x = np.random.default_rng(1).binomial(40, 0.5, size=5000)
    >>> channel = tk.noise.laplace(4.0, lower=0, upper=40, integer=True)
    >>> found = tk.reconstruct.distribution(channel.perturb(x), channel)
    >>> bool(abs(found.mean() - 20) < 1)
    True
    """
    released = _check.column(y, "y")
    support = support_of(channel, cells, lower=lower, upper=upper, integer=integer, atoms=atoms)
    return distribution_of(released, channel, support, _check.run(n_threads))


def distribution_of(y: Floats, channel: Channel, support: Support, run: Run) -> Distribution:
    """`distribution` of checked values on given cells."""
    return distribution_and_draws(y, channel, support, run)[0]


def distribution_and_draws(
    y: Floats, channel: Channel, support: Support, run: Run
) -> tuple[Distribution, Floats]:
    """`distribution` of checked values on given cells, and distributions as likely (rows)."""
    transition = transition_of(channel, support, run)
    coarse = Coarse(support, MOST_CELLS)
    estimates = [smooth_estimate(y, channel, coarse, (1, 2, 3), run)]
    method = "smooth log-density"
    if isinstance(channel, Laplace) and not len(support.atoms):
        estimates.append(mixture_estimate(y, channel, coarse, run))
        method += " and mixtures"
    elif not isinstance(channel, Laplace):
        counts = transition.counts(y)
        estimates.append(cell_estimate(transition, counts, support, estimates[0]))
        method += " and EM on cells from it"
    # Of mixtures there are none: so few parameters leave too little open.
    drawn = np.concatenate([support.joined(one.draws) for one in estimates])
    return _put_together(y, channel, support, transition, estimates, drawn, method), drawn


def smooth(
    y: ArrayLike,
    channel: Channel,
    *,
    orders: Sequence[int] = (1, 2, 3),
    lower: float | None = None,
    upper: float | None = None,
    integer: bool | None = None,
    atoms: ArrayLike = (),
    cells: int | ArrayLike | None = None,
) -> Distribution:
    """The smooth log-density of the true values: evidence-weighted random walks over cells.

    The log-probabilities of neighbouring cells differ by small normal steps (order 1), their slopes
    do (order 2), or their curvatures (order 3). Each order and strength of smoothing is fitted and
    counts in proportion to its evidence.

    Parameters
    ----------
    y : array_like of shape (n,)
        Released values.
    channel : Channel
        The channel that released them.
    orders : sequence of int
        Which orders to weigh, of 1, 2 and 3.
    lower, upper, integer, atoms, cells
        As for `distribution`.

    Returns
    -------
    Distribution
        Cells, probabilities and credible bands.

    Notes
    -----
    More than 200 cells are fitted in groups of equally many, and the density is interpolated.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> x = np.random.default_rng(2).normal(50, 10, size=4000).clip(0, 100)
    >>> channel = tk.noise.laplace(20.0, lower=0, upper=100)
    >>> found = tk.reconstruct.smooth(channel.perturb(x), channel, cells=20)
    >>> bool(abs(found.mean() - 50) < 2)
    True
    """
    wanted = tuple(sorted({_check.between(order, 1, 3, "orders") for order in orders}))
    if not wanted:
        msg = "orders must name at least one of 1, 2 and 3"
        raise ValueError(msg)
    released = _check.column(y, "y")
    support = support_of(channel, cells, lower=lower, upper=upper, integer=integer, atoms=atoms)
    run = _check.run()
    transition = transition_of(channel, support, run)
    found = smooth_estimate(released, channel, Coarse(support, MOST_CELLS), wanted, run)
    drawn = support.joined(found.draws)
    return _put_together(
        released, channel, support, transition, [found], drawn, "smooth log-density"
    )


def _put_together(
    y: Floats,
    channel: Channel,
    support: Support,
    transition: CellTransition,
    estimates: list[CellEstimate],
    drawn: Floats,
    method: str,
) -> Distribution:
    found = np.mean([one.probabilities for one in estimates], axis=0)
    cells, atoms = support.joined(found), found[support.count :]
    low, high = np.quantile(drawn, [(1.0 - COVERAGE) / 2, (1.0 + COVERAGE) / 2], axis=0)
    counts = transition.counts(y)
    expected = transition.forward(found[: support.count])
    expected = expected + atom_columns(channel, support, transition) @ atoms
    return Distribution(
        cells=support.cells,
        probabilities=cells,
        lower_band=np.minimum(low, cells),
        upper_band=np.maximum(high, cells),
        coverage=COVERAGE,
        loglik=float(counts @ np.log(np.maximum(expected, 1e-300))),
        freedom=float(np.mean([one.freedom for one in estimates])),
        records=len(y),
        mechanism=channel.mechanism,
        method=method,
        integer=support.integer,
        atoms=support.atoms,
        atom_probabilities=atoms,
        baselines=baselines(y, channel, support, cells, atoms, transition.run),
    )
