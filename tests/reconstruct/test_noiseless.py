"""Where there is next to no noise, what is reconstructed is what is known without it."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.covariance import EmpiricalCovariance
from sklearn.mixture import GaussianMixture
from strategies import perturbed

import tokumei as tk

TINY = 1e-4


def groups(rows=3000, seed=0):
    """Values of two normals, and the mixture that scikit-learn finds of them."""
    chance = np.random.default_rng(seed)
    x = np.where(chance.random(rows) < 0.3, chance.normal(7, 0.7, rows), chance.normal(1, 1, rows))
    return x, GaussianMixture(2, n_init=3, tol=1e-9, random_state=0).fit(x[:, None])


def masses(theirs, cells):
    """What each cell holds of a mixture of scikit-learn's."""
    parts = zip(theirs.weights_, theirs.means_[:, 0], theirs.covariances_[:, 0, 0], strict=True)
    return sum(w * np.diff(norm(m, v**0.5).cdf(cells)) for w, m, v in parts)


def test_a_mixture_of_one_attribute_is_that_of_scikit_learn():
    x, theirs = groups()
    ours = tk.reconstruct.LaplaceMixture(2, TINY).fit(x)
    order = np.argsort(theirs.means_[:, 0])
    np.testing.assert_allclose(ours.weights_, theirs.weights_[order], atol=1e-4)
    np.testing.assert_allclose(ours.means_, theirs.means_[order, 0], atol=1e-3)
    np.testing.assert_allclose(ours.variances_, theirs.covariances_[order, 0, 0], rtol=1e-3)
    assert ours.score(x) == pytest.approx(theirs.score(x[:, None]), abs=1e-5)
    np.testing.assert_allclose(ours.log_density(x), theirs.score_samples(x[:, None]), atol=1e-2)
    np.testing.assert_allclose(
        ours.predict_proba(x), theirs.predict_proba(x[:, None])[:, order], atol=1e-3
    )


def test_averages_and_their_choice_are_those_of_scikit_learn():
    x, theirs = groups()
    cells = np.linspace(-4.0, 11.0, 31)
    averaged = tk.reconstruct.mixture_average(x, TINY, cells=cells, components=[2])
    np.testing.assert_allclose(averaged.probabilities, masses(theirs, cells), atol=1e-4)
    kept = tk.reconstruct.choose_mixture(x, TINY, components=(1, 2, 3))
    rivals = [GaussianMixture(k, n_init=3, random_state=0).fit(x[:, None]) for k in (1, 2, 3)]
    charged = [one.bic(x[:, None]) for one in rivals]
    assert kept.n_components == 1 + int(np.argmin(charged)) == 2
    assert kept.bic(x) == pytest.approx(min(charged), abs=0.5)


def test_the_papers_algorithm_is_a_full_mixture_where_groups_are_apart():
    chance = np.random.default_rng(2)
    member = chance.random(3000) < 0.4
    x = chance.normal(size=(3000, 2)) @ [[1.0, 0.7], [0.0, 0.6]] + 12.0 * member[:, None]
    theirs = GaussianMixture(2, random_state=0).fit(x)
    ours = tk.reconstruct.RotatedMixture(2, TINY).fit(x)
    to, of = np.argsort(ours.means_[:, 0]), np.argsort(theirs.means_[:, 0])
    np.testing.assert_allclose(ours.weights_[to], theirs.weights_[of], atol=1e-4)
    np.testing.assert_allclose(ours.means_[to], theirs.means_[of], atol=1e-3)
    np.testing.assert_allclose(ours.covariances_[to], theirs.covariances_[of], atol=1e-3)
    np.testing.assert_allclose(ours.score_samples(x), theirs.score_samples(x), atol=1e-2)


def test_covariances_are_those_of_scikit_learn():
    chance = np.random.default_rng(3)
    x = chance.normal(size=(200, 4)) @ chance.normal(size=(4, 4))
    theirs = EmpiricalCovariance().fit(x).covariance_
    np.testing.assert_allclose(tk.reconstruct.covariance(x, 1e-9), theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("make", [tk.noise.randomized_response, tk.noise.square_wave])
def test_cells_are_the_histogram(make):
    x = np.random.default_rng(4).binomial(9, 0.4, 20_000).astype(float)
    channel = make(30.0, lower=0, upper=9, integer=True)
    y = perturbed(channel, x)
    np.testing.assert_array_equal(y, x)
    truth = np.bincount(x.astype(int), minlength=10) / len(x)
    found = tk.reconstruct.distribution(y, channel)
    np.testing.assert_allclose(found.probabilities, truth, atol=1e-3)
    np.testing.assert_allclose(tk.reconstruct.smooth(y, channel).probabilities, truth, atol=2e-3)


@pytest.mark.parametrize("nominal", [(), (0, 1), (0, 1, 2)])
def test_tables_are_the_table(nominal):
    """Pairs and what they are composed to; EM alone to the last digits."""
    chance = np.random.default_rng(5)
    first = chance.integers(0, 3, 20_000)
    other = (first + (chance.random(20_000) < 0.4)) % 4
    third = (first + other) % 2  # no pair of attributes shows what all three do
    x = np.stack([first, other, third], axis=1).astype(float)
    width = 2 if nominal == (0, 1) else 3
    x, tops = x[:, :width], (2, 3, 1)[:width]
    channels = [tk.noise.randomized_response(30.0, lower=0, upper=t, integer=True) for t in tops]
    y = np.stack([perturbed(c, x[:, j], j) for j, c in enumerate(channels)], axis=1)
    np.testing.assert_array_equal(y, x)
    truth = np.histogramdd(x, [np.arange(-0.5, t + 1) for t in tops])[0] / len(x)
    found = tk.reconstruct.table(y, channels, nominal=nominal)
    np.testing.assert_allclose(found.probabilities, truth, atol=2e-3)
    plain = tk.reconstruct.table(y, channels, tol=0.0, max_iter=3)
    np.testing.assert_allclose(plain.probabilities, truth, atol=1e-9)
