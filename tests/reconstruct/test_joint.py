"""Several attributes: covariances, the scale mixture, synthetic tables, the paper's baseline."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei import _check
from tokumei.reconstruct.joint import gaussian_algebra as algebra
from tokumei.reconstruct.joint.stochastic_em import NormalMixture, expected
from tokumei.reconstruct.mixture.components import Components
from tokumei.reconstruct.mixture.noisy_values import NoisyValues

ScaleMixture = tk.reconstruct.ScaleMixture


def two_clouds(rows, seed=0):
    chance = np.random.default_rng(seed)
    member = chance.random(rows) < 0.4
    centres = np.where(member[:, None], [[6.0, 0.0]], [[0.0, 3.0]])
    x = centres + chance.normal(size=(rows, 2)) @ np.array([[1.0, 0.8], [0.0, 0.6]])
    return x, x + chance.laplace(0, 1, x.shape) * [1.0, 0.5]


def test_the_covariance_is_that_of_the_true_values():
    x, y = two_clouds(40_000)
    found = tk.reconstruct.covariance(y, [1.0, 0.5])
    assert found == pytest.approx(np.cov(x.T, bias=True), abs=0.15)
    moment = np.cov(y.T, bias=True) - 2 * np.diag([1.0, 0.25])
    assert found == pytest.approx(moment, rel=1e-10)


@settings(max_examples=60)
@given(st.integers(2, 30), st.integers(1, 5), st.integers(0, 1000), st.floats(-3, 3))
def test_covariances_have_no_negative_variance(rows, columns, seed, power):
    y = np.random.default_rng(seed).laplace(size=(rows, columns))
    found = tk.reconstruct.covariance(y, 10.0**power)
    assert np.array_equal(found, found.T)
    assert np.linalg.eigvalsh(found).min() >= -1e-12 * max(np.abs(found).max(), 10.0 ** (2 * power))


def test_the_algebra_of_many_matrices_is_that_of_one():
    chance = np.random.default_rng(2)
    roots = chance.normal(size=(3, 4, 4))
    covariances, extra = roots @ roots.transpose(0, 2, 1), chance.exponential(size=(4, 7)) + 0.1
    right = chance.normal(size=(4, 3, 7))
    factor = algebra.factors(covariances, extra)
    white = algebra.solved(factor, right)
    back = algebra.solved_back(factor, white)
    for k in range(3):
        for i in range(7):
            total = covariances[k] + np.diag(extra[:, i])
            assert factor[:, :, k, i] == pytest.approx(np.linalg.cholesky(total))
            assert back[:, k, i] == pytest.approx(np.linalg.solve(total, right[:, k, i]))
            square = right[:, k, i] @ np.linalg.solve(total, right[:, k, i])
            truth = -0.5 * (square + np.linalg.slogdet(2 * np.pi * total)[1])
            assert algebra.log_densities(factor, white)[k, i] == pytest.approx(truth)


def test_the_expectation_is_extreme_deconvolution():
    chance = np.random.default_rng(3)
    z, variances = chance.normal(size=(2, 9)) * 3, chance.exponential(2.0, (2, 9))
    roots = chance.normal(size=(2, 2, 2))
    mixture = NormalMixture(
        np.array([0.3, 0.7]),
        chance.normal(size=(2, 2)),
        roots @ roots.transpose(0, 2, 1) + np.eye(2),
    )
    found = expected(mixture, z, variances.copy(), None)
    held, first, second = np.zeros(2), np.zeros((2, 2)), np.zeros((2, 2, 2))
    for i in range(9):
        joint, means, spreads = [], [], []
        for k in range(2):
            total = mixture.covariances[k] + np.diag(variances[:, i])
            apart = z[:, i] - mixture.means[k]
            joint.append(
                mixture.weights[k]
                * np.exp(-0.5 * apart @ np.linalg.solve(total, apart))
                / np.sqrt(np.linalg.det(total))
            )
            gain = mixture.covariances[k] @ np.linalg.inv(total)
            means.append(mixture.means[k] + gain @ apart)
            spreads.append(mixture.covariances[k] - gain @ mixture.covariances[k])
        for k in range(2):
            share = joint[k] / sum(joint)
            held[k] += share
            first[k] += share * means[k]
            second[k] += share * (spreads[k] + np.outer(means[k], means[k]))
    assert found.held == pytest.approx(held)
    assert found.first == pytest.approx(first)
    assert found.second == pytest.approx(second)


def test_in_one_dimension_it_agrees_with_the_closed_form():
    chance = np.random.default_rng(4)
    member = chance.random(6000) < 0.3
    x = np.where(member, chance.normal(8.0, 1.0, 6000), chance.normal(0.0, 1.5, 6000))
    y = x + chance.laplace(0, 1.0, 6000)
    exact = tk.reconstruct.LaplaceMixture(2, 1.0).fit(y)
    drawn = ScaleMixture(2, 1.0, n_init=1).fit(y[:, None])
    shape = Components(drawn.weights_, drawn.means_[:, 0], np.sqrt(drawn.covariances_[:, 0, 0]))
    reached = NoisyValues(np.sort(y), None, None, _check.Run(1, 0)).loglik(shape)
    assert exact.loglik_ - 3.0 < reached <= exact.loglik_ + 1e-3
    assert drawn.weights_ == pytest.approx(exact.weights_, abs=0.02)
    assert drawn.means_[:, 0] == pytest.approx(exact.means_, abs=0.1)
    assert drawn.covariances_[:, 0, 0] == pytest.approx(exact.variances_, abs=0.3)
    assert drawn.loglik_ == pytest.approx(exact.loglik_, abs=0.01 * abs(exact.loglik_))


def test_the_joint_distribution_comes_back():
    x, y = two_clouds(5000)
    found = ScaleMixture(2, [1.0, 0.5], n_init=2, n_steps=150).fit(y)
    assert found.weights_.sum() == pytest.approx(1.0)
    assert found.covariance() == pytest.approx(np.cov(x.T, bias=True), abs=0.6)
    edges = [np.linspace(-4, 10, 8), np.linspace(-4, 8, 7)]
    true = np.histogram2d(*x.T, edges)[0] / len(x)
    drawn = found.sample(50_000, random_state=1)
    made = np.histogram2d(*drawn.T, edges)[0] / len(drawn)
    assert 0.5 * np.abs(true - made).sum() < 0.12
    grid = np.stack(np.meshgrid(np.linspace(-8, 14, 89), np.linspace(-6, 10, 65)), -1)
    assert found.pdf(grid.reshape(-1, 2)).sum() * 0.25**2 == pytest.approx(1.0, abs=0.02)


def test_synthetic_tables_stay_in_bounds_and_whole_columns_are_whole():
    _, y = two_clouds(500)
    found = ScaleMixture(1, 1.0, n_init=1, n_steps=20).fit(y)
    table = found.sample(
        300, lower=[0.5, -1.0], upper=[5.5, 2.0], integer=[True, False], random_state=3
    )
    assert table.shape == (300, 2)
    assert np.array_equal(table[:, 0], np.round(table[:, 0]))
    assert table[:, 0].min() >= 1.0
    assert table[:, 0].max() <= 5.0
    assert table[:, 1].min() >= -1.0
    assert table[:, 1].max() <= 2.0
    again = found.sample(
        300, lower=[0.5, -1.0], upper=[5.5, 2.0], integer=[True, False], random_state=3
    )
    assert np.array_equal(table, again)
    with pytest.raises(ValueError, match="lower must be below upper"):
        found.sample(3, lower=2.0, upper=1.0)


def test_the_baseline_of_the_paper_finds_clouds_far_apart():
    chance = np.random.default_rng(6)
    member = np.arange(3000) % 2
    x = chance.normal(size=(3000, 2)) + 25.0 * member[:, None]
    found = tk.reconstruct.RotatedMixture(2, 1.0).fit(x + chance.laplace(0, 1, x.shape))
    order = np.argsort(found.means_[:, 0])
    assert found.means_[order] == pytest.approx(np.array([[0.0, 0.0], [25.0, 25.0]]), abs=0.3)
    assert found.weights_ == pytest.approx([0.5, 0.5], abs=0.01)
    assert len(np.unique(found.labels_[member == 0])) == 1


@pytest.mark.parametrize(
    ("make", "y", "message"),
    [
        (lambda: ScaleMixture(0, 1.0), np.eye(4), "n_components must be between 1"),
        (lambda: ScaleMixture(3, 1.0), np.eye(4), "at least 2 records a component"),
        (lambda: ScaleMixture(1, 0.0), np.eye(4), "scales must be positive"),
        (lambda: ScaleMixture(1, [1.0, 2.0]), np.eye(4), "scales must be 4 numbers"),
        (lambda: ScaleMixture(1, 1.0), np.ones((4, 2)), "2 columns of one value"),
        (lambda: ScaleMixture(1, 1.0), [[1.0, np.nan], [2.0, 3.0]], "1 missing values"),
        (lambda: ScaleMixture(1, 1.0), np.empty((0, 2)), "X is empty"),
        (lambda: tk.reconstruct.RotatedMixture(3, 1.0), np.eye(4), "at least 2 records"),
        (lambda: tk.reconstruct.RotatedMixture(1, -1.0), np.eye(4), "scales must be positive"),
    ],
)
def test_bad_input_gets_a_clear_answer(make, y, message):
    with pytest.raises(ValueError, match=message):
        make().fit(y)


def test_an_unfitted_mixture_says_so():
    with pytest.raises(ValueError, match="not fitted yet"):
        ScaleMixture(2, 1.0).sample(3)
    with pytest.raises(ValueError, match="two records"):
        tk.reconstruct.covariance([[1.0, 2.0]], 1.0)
