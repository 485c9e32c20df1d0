"""Estimates of cells by different models, with what they cost and draws for credible bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tokumei._check import Floats, Run
from tokumei.noise.channel import Channel
from tokumei.noise.laplace import Laplace
from tokumei.reconstruct.cells.iterative_bayes import passes
from tokumei.reconstruct.cells.resolution import Coarse
from tokumei.reconstruct.cells.support import Support
from tokumei.reconstruct.cells.transitions import CellTransition, atom_columns, transition_of
from tokumei.reconstruct.mixture.fitting import distinct, fit
from tokumei.reconstruct.mixture.plan import Plan
from tokumei.reconstruct.smoothing.mixture_evidence import (
    COMPONENTS,
    GAIN,
    STARTS,
    mixture_evidence,
)
from tokumei.reconstruct.smoothing.smoothness import draws, fit_all, weights_of

DRAWS = 400
# Mixtures of whole numbers work on a cell for each; beyond so many the difference is not seen.
MOST_WHOLE = 1000
# EM on cells from a smooth beginning stops where a pass gains no more than one parameter is worth.
PASSES, GAIN_OF_PASS = 1000, 1.0
LEAST = 1e-12


@dataclass(frozen=True)
class CellEstimate:
    """Probabilities of cells, then of atoms; what they cost; distributions as likely, if any."""

    probabilities: Floats
    freedom: float
    draws: Floats


def smooth_estimate(
    y: Floats, channel: Channel, coarse: Coarse, orders: Sequence[int], run: Run
) -> CellEstimate:
    """The smooth log-density: the evidence-weighted average over smoothness priors."""
    support = coarse.support
    transition = transition_of(channel, support, run)
    columns = [transition.matrix(), atom_columns(channel, support, transition)]
    counts = transition.counts(y)
    matrix, atoms = np.concatenate(columns, axis=1), len(support.atoms)
    fits = fit_all(matrix, counts, atoms, orders, run)
    weights = weights_of([fit.evidence for fit in fits])
    return CellEstimate(
        coarse.refined(_mean([fit.probabilities for fit in fits], weights)[None, :])[0],
        sum(w * fit.freedom for w, fit in zip(weights, fits, strict=True) if w > 1e-3),
        coarse.refined(draws(fits, weights, DRAWS, matrix, counts, run)),
    )


def mixture_estimate(y: Floats, channel: Laplace, coarse: Coarse, run: Run) -> CellEstimate:
    """Mixtures cut to the bounds: the evidence-weighted average over numbers of components."""
    support = coarse.support
    transition = transition_of(channel, support, run)
    matrix, counts = transition.matrix(), transition.counts(y)
    first, last = support.ends
    lower, upper = float(first[0]), float(last[-1])
    whole = support.integer and upper - lower < MOST_WHOLE
    if support.integer and not whole:
        lower, upper = lower - 0.5, upper + 0.5
    values, each = distinct(y)
    plan = Plan(1, channel.scale, (lower, upper), whole, support.atoms, STARTS, GAIN, run)
    found = []
    for number in COMPONENTS:
        if number <= len(values):
            fitted = fit(replace(plan, components=number), values, each).in_values(plan)
            found.append(mixture_evidence(fitted, support.cells, matrix, counts, run))
    weights = weights_of([one.evidence for one in found])
    probabilities = coarse.refined(_mean([one.probabilities for one in found], weights)[None, :])[0]
    freedom = float(weights @ [one.freedom for one in found])
    return CellEstimate(probabilities, freedom, np.empty((0, len(probabilities))))


def cell_estimate(
    transition: CellTransition, counts: Floats, support: Support, begin: CellEstimate
) -> CellEstimate:
    """EM on cells from a smooth beginning; its draws are fits to counts drawn anew."""

    def fitted(counts: Floats, begin: Floats) -> Floats:
        start = np.maximum(support.joined(begin), LEAST)
        share = start.sum(axis=1, keepdims=True)
        found, *_ = passes(
            [transition],
            counts,
            start / share,
            max_iter=PASSES,
            tol=GAIN_OF_PASS,
            run=transition.run,
        )
        # EM sees whole cells: an atom keeps its part of its cell.
        at = support.cell_of(support.atoms)
        atoms = begin[:, support.count :] * found[:, at] / start[:, at]
        return np.concatenate([support.parted(found, atoms), atoms], axis=1)

    found = fitted(counts[None, :], begin.probabilities[None, :])[0]
    expected = transition.forward(support.joined(found))
    chance = np.random.default_rng(0)
    again = chance.multinomial(int(counts.sum()), expected / expected.sum(), size=DRAWS)
    return CellEstimate(found, begin.freedom, fitted(again.astype(np.float64), begin.draws))


def _mean(rows: Sequence[Floats], weights: Floats) -> Floats:
    return np.asarray((weights[:, None] * np.stack(rows)).sum(axis=0))
