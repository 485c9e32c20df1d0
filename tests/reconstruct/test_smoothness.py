"""Smooth log-densities: where Newton ends, what the evidence is, and groups of many cells."""

import numpy as np
import pytest
from builders.bells import laplace
from oracle import em
from strategies import perturbed

import tokumei as tk
from tokumei import _check
from tokumei._kernels import runtime
from tokumei.reconstruct.cells.resolution import Coarse
from tokumei.reconstruct.cells.support import Support, support_of
from tokumei.reconstruct.cells.transitions import transition_of
from tokumei.reconstruct.smoothing.smoothness import fit_all, weights_of

RUN = _check.run(1)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_newton_ends_at_the_most_probable_log_density(order):
    channel = laplace(2.0, 0, 12)
    x = np.random.default_rng(5).binomial(12, 0.4, 3000)
    transition = transition_of(channel, support_of(channel, None), RUN)
    matrix, counts = transition.matrix(), transition.counts(perturbed(channel, x))
    fits = fit_all(matrix, counts, 0, [order], RUN)
    assert len({fit.strength for fit in fits}) == len(fits) > 5

    def value(theta, fit):
        p = np.exp(theta - theta.max())
        p /= p.sum()
        rough = np.diff(theta, order)
        slopes = np.polynomial.polynomial.polyvander(np.linspace(-1, 1, 13), order - 1)
        free = np.linalg.qr(slopes)[0].T @ theta
        penalty = fit.strength * rough @ rough + free @ free / (9.0 * 13)
        return counts @ np.log(matrix @ p) - 0.5 * penalty

    for fit in fits[:: len(fits) // 4]:
        best = value(fit.theta, fit)
        for direction in np.random.default_rng(6).normal(size=(20, 13)):
            assert value(fit.theta + 1e-3 * direction, fit) <= best + 1e-6
    assert fits[0].freedom < fits[-1].freedom < 13


def test_strong_smoothing_wins_on_smooth_and_weak_on_rough_data():
    rng = np.random.default_rng(7)
    rough = rng.choice(16, 20_000, p=rng.dirichlet(np.full(16, 0.4))).astype(float)
    smooth = rng.binomial(15, 0.5, 20_000).astype(float)
    best = []
    for x in (smooth, rough):
        channel = laplace(1.0, 0, 15)
        transition = transition_of(channel, support_of(channel, None), RUN)
        counts = transition.counts(perturbed(channel, x))
        fits = fit_all(transition.matrix(), counts, 0, [1], RUN)
        best.append(fits[int(np.argmax([fit.evidence for fit in fits]))].strength)
    assert best[0] > 3 * best[1]


def test_weights_are_shares_of_evidence():
    np.testing.assert_allclose(weights_of([-1e5, -1e5 + np.log(3)]), [0.25, 0.75], rtol=1e-9)


def test_the_evidence_is_that_of_the_normal_approximation():
    channel = laplace(3.0, 0, 25)
    x = np.random.default_rng(8).binomial(25, 0.3, 2000)
    transition = transition_of(channel, support_of(channel, None), RUN)
    matrix, counts = transition.matrix(), transition.counts(perturbed(channel, x))
    fits = fit_all(matrix, counts, 0, [1, 2, 3], RUN)
    for fit in fits:
        if fit.strength > 1e5:  # differences of numbers so large that few digits are left
            continue
        strengths = 6 * fit.order + 7
        truth = em.smooth_evidence(matrix, counts, fit.theta, fit.strength, fit.order, strengths)
        # Where Newton was still on its way, the precision is that of the step before.
        assert fit.evidence == pytest.approx(truth, abs=2e-3)
        expected = matrix @ fit.probabilities
        assert fit.loglik == pytest.approx(counts @ np.log(expected), rel=1e-12)


def test_every_instruction_set_gives_the_same_bits():
    channel = laplace(3.0, 0, 25)
    counts = np.arange(28.0) % 7
    seen = set()
    for level in range(runtime.best_instruction_set() + 1):
        run = _check.Run(1, level)
        transition = transition_of(channel, support_of(channel, None), run)
        atoms = transition.matrix()[:, [3, 9]]
        matrix = np.concatenate([transition.matrix(), atoms], axis=1)
        fits = fit_all(matrix, counts, 2, [1, 2, 3], run)
        seen.add(tuple((fit.evidence, fit.freedom, fit.theta.tobytes()) for fit in fits))
    assert len(seen) == 1


def test_many_cells_are_fitted_in_groups_and_keep_their_sums():
    fine = Support(np.arange(1001.0), False, np.array([3.5]))
    coarse = Coarse(fine, 200)
    assert coarse.support.count == 200
    held = np.random.default_rng(3).dirichlet(np.ones(201), size=4)
    refined = coarse.refined(held)
    assert refined.shape == (4, 1001)
    np.testing.assert_allclose(refined[:, :1000].reshape(4, 200, 5).sum(2), held[:, :200])
    np.testing.assert_array_equal(refined[:, 1000], held[:, 200])
    uneven = Coarse(Support(np.arange(-0.5, 503), True, np.empty(0)), 200)
    flat = np.diff(uneven.support.cells)[None, :] / 503
    np.testing.assert_allclose(uneven.refined(flat)[0], 1 / 503)


def test_a_distribution_on_many_cells_is_interpolated():
    x = np.random.default_rng(4).normal(500, 100, 5000).clip(0, 1000)
    channel = tk.noise.laplace(60.0, lower=0, upper=1000)
    found = tk.reconstruct.smooth(perturbed(channel, x), channel, cells=210)
    assert len(found.probabilities) == 210
    assert found.mean() == pytest.approx(500, abs=12)
    assert np.abs(np.diff(found.probabilities)).max() < 0.004
