"""Draws of smooth log-densities are draws of the posterior, not of its normal approximation."""

from itertools import product

import numpy as np
import pytest
from builders.bells import laplace
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import perturbed

import tokumei as tk
from tokumei import _check
from tokumei._kernels import reconstruct as kernel
from tokumei.reconstruct.cells.support import support_of
from tokumei.reconstruct.cells.transitions import transition_of
from tokumei.reconstruct.smoothing.posterior_draws import corrected
from tokumei.reconstruct.smoothing.smoothness import draws, fit_all

RUN = _check.run(1)


def softmax(theta):
    weights = np.exp(theta - theta.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


@settings(max_examples=60)
@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 10**6))
def test_a_remainder_is_what_a_parabola_leaves_of_the_likelihood(cells, rows, seed):
    chance = np.random.default_rng(seed)
    matrix = chance.dirichlet(np.ones(cells + 3), cells).T.copy()
    counts = chance.integers(0, 50, cells + 3).astype(np.float64)
    theta, moves = chance.normal(size=cells), chance.normal(size=(rows, cells))
    square = chance.normal(size=(cells, cells))
    information = square @ square.T
    out = np.empty(rows)
    kernel.likelihood_remainders(
        matrix.reshape(-1), counts, theta, information.reshape(-1), moves, out, RUN
    )
    p = softmax(theta)
    here = counts @ np.log(matrix @ p)
    uphill = p * (matrix.T @ (counts / (matrix @ p)) - counts.sum())
    truth = [
        counts @ np.log(matrix @ softmax(theta + d)) - here - uphill @ d + 0.5 * d @ information @ d
        for d in moves
    ]
    np.testing.assert_allclose(out, truth, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("strength", [1.0, 0.1])
def test_draws_are_of_the_posterior_by_quadrature(strength):
    channel = laplace(4.0, 0, 3)
    counts_of = transition_of(channel, support_of(channel, None), RUN)
    x = np.random.default_rng(1).choice(4, 150, p=[0.6, 0.3, 0.05, 0.05])
    matrix, counts = counts_of.matrix(), counts_of.counts(perturbed(channel, x))
    fits = fit_all(matrix, counts, 0, [1], RUN)
    fit = min(fits, key=lambda one: abs(np.log(one.strength / strength)))
    # Differences of log-probabilities; their constant says nothing of the distribution.
    wide = np.linspace(-1, 1, 111) * 4.5 / np.sqrt(fit.strength)
    steps = np.array(list(product(wide, wide, wide)))
    p = softmax(np.concatenate([np.zeros((len(steps), 1)), np.cumsum(steps, axis=1)], axis=1))
    logs = np.log(p @ matrix.T) @ counts - 0.5 * fit.strength * (steps**2).sum(axis=1)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    mean = weights @ p
    spread = np.sqrt(weights @ (p - mean) ** 2)
    found = draws([fit], np.ones(1), 6000, matrix, counts, RUN)
    np.testing.assert_allclose(found.mean(axis=0), mean, atol=5e-3 + 0.05 * spread.max())
    np.testing.assert_allclose(found.std(axis=0), spread, rtol=0.08)


def test_nothing_is_corrected_where_the_approximation_is_exact():
    channel = laplace()
    transition = transition_of(channel, support_of(channel, None), RUN)
    counts = np.ones(transition.outputs)
    fit = fit_all(transition.matrix(), counts, 0, [2], RUN)[3]
    seen = []

    def remainder(moves):
        seen.append(moves)
        return np.zeros(len(moves))

    found = corrected(remainder, fit.precision, 3, np.random.default_rng(1))
    np.testing.assert_array_equal(found, seen[-1])  # every step is taken


def test_bands_know_the_mean_as_well_as_the_records_tell_it():
    channel = tk.noise.laplace(15.0, lower=0, upper=40, integer=True)
    x = np.clip(np.rint(np.random.default_rng(3).normal(20, 6, 30_000)), 0, 40)
    y = perturbed(channel, x)
    transition = transition_of(channel, support_of(channel, None), RUN)
    fits = fit_all(transition.matrix(), transition.counts(y), 0, [1], RUN)
    best = max(fits, key=lambda one: one.evidence)
    held = draws([best], np.ones(1), 400, transition.matrix(), transition.counts(y), RUN)
    # The mean of all released values has this error, and the mean of the draws no larger one.
    error = np.sqrt((2 * 15.0**2 + 36) / 30_000)
    spread = (held @ np.arange(41)).std()
    assert 0.5 * error < spread < 1.1 * error
    # The normal approximation does not know it.
    off = best.precision.solve(np.random.default_rng(4).standard_normal((400, 41)), half=True)
    assert (softmax(best.theta + off) @ np.arange(41)).std() > 2 * spread
