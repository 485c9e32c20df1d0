"""Estimates of cells by different models, each with what it cost and with draws for bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei.noise.channel import Channel
from tokumei.noise.laplace import Laplace
from tokumei.reconstruct.cells.iterative_bayes import passes
from tokumei.reconstruct.cells.resolution import Coarse
from tokumei.reconstruct.cells.support import Support
from tokumei.reconstruct.cells.transitions import CellTransition, atom_columns, transition_of
from tokumei.reconstruct.mixture.laplace_mixture import LaplaceMixture
from tokumei.reconstruct.smoothing.evidence_weighted import COMPONENTS, GAIN, STARTS, weigh
from tokumei.reconstruct.smoothing.smoothness import draws, fit_all, weights_of

DRAWS = 400
# Mixtures of whole numbers work on a cell for each; beyond so many the difference is not seen.
MOST_WHOLE = 1000
# EM on cells from a smooth beginning stops where a pass gains no more than one parameter is worth.
PASSES, GAIN_OF_PASS = 1000, 1.0
LEAST = 1e-12


@dataclass(frozen=True)
class Estimate:
    """Probabilities of cells, then of atoms; what they cost; and distributions as likely."""

    probabilities: Floats
    freedom: float
    draws: Floats


def smooth_estimate(
    y: Floats, channel: Channel, coarse: Coarse, orders: Sequence[int], run: Run
) -> Estimate:
    """The smooth log-density, averaged over orders and strengths by their evidence."""
    support = coarse.support
    transition = transition_of(channel, support, run)
    columns = [transition.matrix(), atom_columns(channel, support, transition)]
    counts = transition.counts(y)
    fits = fit_all(np.concatenate(columns, axis=1), counts, len(support.atoms), orders, run)
    weights = weights_of([fit.evidence for fit in fits])
    probabilities = np.sum([w * fit.probabilities for w, fit in zip(weights, fits, strict=True)], 0)
    freedom = sum(w * fit.freedom for w, fit in zip(weights, fits, strict=True) if w > 1e-3)
    return Estimate(
        coarse.refined(probabilities[None, :])[0],
        freedom,
        coarse.refined(draws(fits, weights, DRAWS)),
    )


def mixture_estimate(y: Floats, channel: Laplace, coarse: Coarse, run: Run) -> Estimate:
    """Mixtures cut to the bounds, averaged over their numbers of components by their evidence."""
    support = coarse.support
    transition = transition_of(channel, support, run)
    matrix, counts = transition.matrix(), transition.counts(y)
    first, last = support.ends
    lower, upper = float(first[0]), float(last[-1])
    whole = support.integer and upper - lower < MOST_WHOLE
    if support.integer and not whole:
        lower, upper = lower - 0.5, upper + 0.5
    most = len(np.unique(y))
    weighed = [
        weigh(
            LaplaceMixture(
                number,
                channel.scale,
                lower=lower,
                upper=upper,
                integer=whole,
                n_init=STARTS,
                tol=GAIN,
            ).fit_of(y, run),
            support.cells,
            matrix,
            counts,
            run,
        )
        for number in COMPONENTS
        if number <= most
    ]
    weights = weights_of([one.evidence for one in weighed])
    chance = np.random.default_rng(0)
    numbers = chance.multinomial(DRAWS, weights)
    drawn = [one.draws(n, chance) for one, n in zip(weighed, numbers, strict=True) if n]
    found = np.sum([w * one.probabilities for w, one in zip(weights, weighed, strict=True)], axis=0)
    freedom = float(sum(w * one.freedom for w, one in zip(weights, weighed, strict=True)))
    return Estimate(
        coarse.refined(found[None, :])[0], freedom, coarse.refined(np.concatenate(drawn))
    )


def cell_estimate(
    transition: CellTransition, counts: Floats, support: Support, begin: Estimate
) -> Estimate:
    """EM on cells from a smooth beginning; its draws are fits to counts drawn anew."""
    run = transition.run

    def fitted(counts: Floats, begin: Floats) -> Floats:
        start = np.maximum(support.joined(begin), LEAST)
        found, *_ = passes(
            [transition], counts, start / start.sum(), max_iter=PASSES, tol=GAIN_OF_PASS, run=run
        )
        # EM sees whole cells: an atom keeps its part of its cell.
        at = support.cell_of(support.atoms)
        atoms = begin[support.count :] * found[at] / start[at]
        inside = found.copy()
        np.subtract.at(inside, at, atoms)
        return np.concatenate([np.maximum(inside, 0.0), atoms])

    found = fitted(counts, begin.probabilities)
    expected = transition.forward(support.joined(found))
    chance = np.random.default_rng(0)
    again = chance.multinomial(int(counts.sum()), expected / expected.sum(), size=DRAWS)
    pairs = zip(again.astype(np.float64), begin.draws, strict=True)
    return Estimate(found, begin.freedom, np.stack([fitted(*pair) for pair in pairs]))
