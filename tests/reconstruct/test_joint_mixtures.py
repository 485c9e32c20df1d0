"""Mixtures of several attributes: one interface, exact densities, starts that do not lose."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace, multivariate_normal, norm
from sklearn.mixture import GaussianMixture

import tokumei as tk
from tokumei import _check
from tokumei.reconstruct.joint.normal_cells import cell_masses

DiagonalMixture = tk.reconstruct.DiagonalMixture
RotatedMixture = tk.reconstruct.RotatedMixture
ScaleMixture = tk.reconstruct.ScaleMixture


def clusters(rows, apart=8.0, scale=1.0, seed=0, width=2):
    chance = np.random.default_rng(seed)
    member = (chance.random(rows) < 0.35).astype(np.int64)
    x = chance.normal(size=(rows, width)) + apart * member[:, None]
    return x, x + chance.laplace(0, scale, x.shape), member


def fitted(kind, y, scale=1.0):
    return {
        "diagonal": lambda: DiagonalMixture(2, scale),
        "scale": lambda: ScaleMixture(2, scale, n_init=1, n_steps=60),
        "rotated": lambda: RotatedMixture(2, scale, random_state=1),
    }[kind]().fit(y)


@pytest.mark.parametrize("kind", ["diagonal", "scale", "rotated"])
def test_every_mixture_has_one_interface(kind):
    x, y, member = clusters(3000)
    found = fitted(kind, y)
    proba = found.predict_proba(y)
    assert proba.shape == (3000, 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    labels = found.predict(y)
    np.testing.assert_array_equal(labels, proba.argmax(axis=1))
    assert max((labels == member).mean(), (labels != member).mean()) > 0.97
    assert found.score(y) == pytest.approx(found.score_samples(y).mean())
    assert isinstance(found.converged_, bool)
    edges = [np.linspace(-6, 16, 12)] * 2
    cells = found.probabilities(edges)
    assert cells.shape == (11, 11)
    assert 0.98 < cells.sum() <= 1.0 + 1e-9
    truth = np.histogram2d(*x.T, edges)[0]
    assert tk.reconstruct.l1_accuracy(cells, truth) > 85
    parts = zip(found.weights_, found.means_, found.covariances_, strict=True)
    density = sum(w * multivariate_normal(m, c).pdf(x[:20]) for w, m, c in parts)
    np.testing.assert_allclose(found.log_density(x[:20]), np.log(density), rtol=1e-9)
    assert found.bic(y) > found.aic(y)
    drawn = found.sample(2000, random_state=1)
    assert tk.reconstruct.l1_accuracy(np.histogram2d(*drawn.T, edges)[0], cells) > 85


def test_densities_behind_noise_are_those_of_quadrature():
    _, y, _ = clusters(400)
    diagonal = fitted("diagonal", y)
    points = y[:5]
    wanted = np.zeros(5)
    for w, m, c in zip(diagonal.weights_, diagonal.means_, diagonal.covariances_, strict=True):
        for i, point in enumerate(points):
            sides = [
                quad(
                    lambda t, j=j, v=v, m=m, c=c: (
                        norm(m[j], c[j, j] ** 0.5).pdf(t) * laplace(t).pdf(v)
                    ),
                    m[j] - 9 * c[j, j] ** 0.5,
                    m[j] + 9 * c[j, j] ** 0.5,
                    points=[np.clip(v, m[j] - 9 * c[j, j] ** 0.5, m[j] + 9 * c[j, j] ** 0.5)],
                    limit=200,
                    epsabs=1e-13,
                )[0]
                for j, v in enumerate(point)
            ]
            wanted[i] += w * np.prod(sides)
    np.testing.assert_allclose(diagonal.score_samples(points), np.log(wanted), rtol=1e-7)
    # The scale mixture averages draws: the same law within its stated 64 of them.
    full = ScaleMixture(2, 1.0)
    full.weights_, full.means_ = diagonal.weights_, diagonal.means_
    full.covariances_, full.n_features_in_ = diagonal.covariances_, 2
    full._unit = np.ones(2)
    np.testing.assert_allclose(full.score_samples(y), diagonal.score_samples(y), atol=0.5)
    assert full.score(y) == pytest.approx(diagonal.score(y), abs=0.02)


def test_one_attribute_is_the_mixture_of_one_attribute():
    _, y, _ = clusters(2000, width=1)
    several = DiagonalMixture(2, 1.0, tol=1e-6).fit(y)
    one = tk.reconstruct.LaplaceMixture(2, 1.0).fit(y[:, 0])
    assert several.loglik_ == pytest.approx(one.loglik_, abs=0.05)
    np.testing.assert_allclose(several.means_[:, 0], one.means_, atol=0.05)
    np.testing.assert_allclose(one.log_density([0.0, 1.0]), np.log(one.pdf([0.0, 1.0])))


def test_exact_steps_never_lose_likelihood():
    _, y, _ = clusters(1500, apart=3.0, scale=2.0)
    trace = np.array(DiagonalMixture(3, 2.0, n_init=1).fit(y).trace_)
    assert (np.diff(trace) > -1e-8 * np.abs(trace[:-1])).all()


@pytest.mark.parametrize("kind", ["diag", "full"])
def test_without_noise_mixtures_are_those_of_scikit_learn(kind):
    x, _, _ = clusters(2500, apart=6.0)
    theirs = GaussianMixture(2, covariance_type=kind, n_init=3, tol=1e-7, random_state=0).fit(x)
    if kind == "diag":
        ours = DiagonalMixture(2, 1e-4, tol=1e-6).fit(x)
    else:
        ours = ScaleMixture(2, 1e-4, n_init=1, n_steps=40).fit(x)
    assert ours.log_density(x).mean() == pytest.approx(theirs.score(x), abs=2e-3)
    order = np.argsort(theirs.means_[:, 0])
    np.testing.assert_allclose(ours.means_, theirs.means_[order], atol=0.02)
    agree = ours.predict(x) == np.argsort(order)[theirs.predict(x)]
    assert agree.mean() > 0.998


def test_starts_do_not_lose_clusters_that_a_plain_mixture_finds():
    chance = np.random.default_rng(3)
    member = chance.integers(0, 3, 2400)
    x = chance.normal(size=(2400, 2)) + np.array([[0, 0], [14, 0], [0, 14]])[member]
    y = x + chance.laplace(0, 2.0, x.shape)
    logliks, right = [], []
    for seed in range(4):
        found = ScaleMixture(3, 2.0, n_init=1, n_steps=60, random_state=seed).fit(y)
        logliks.append(found.loglik_)
        labels = found.predict(y)
        right.append(sum(np.bincount(member[labels == k], minlength=3).max() for k in range(3)))
    assert min(logliks) > max(logliks) - 15
    assert min(right) > 0.95 * 2400


@pytest.mark.parametrize("correlation", [0.0, 0.7, -0.95])
def test_cells_of_a_normal_law_are_those_of_its_distribution_function(correlation):
    mean = np.array([0.3, -0.2])
    covariance = np.array([[1.0, correlation * 0.5], [correlation * 0.5, 0.25]])
    edges = [np.array([-3.0, -1.0, 0.0, 0.4, 2.5]), np.array([-2.0, -0.3, 0.1, 1.5])]
    found = cell_masses(mean, covariance, edges, _check.run(1))
    law = multivariate_normal(mean, covariance)
    grid = np.array([[law.cdf([a, b]) for b in edges[1]] for a in edges[0]])
    np.testing.assert_allclose(found, np.diff(np.diff(grid, axis=0), axis=1), atol=1e-6)


def test_cells_of_three_attributes_add_up_to_those_of_two():
    root = np.array([[1.0, 0, 0], [0.5, 0.8, 0], [-0.3, 0.4, 0.6]])
    covariance, mean = root @ root.T, np.zeros(3)
    wide, narrow = np.array([-9.0, 9.0]), np.linspace(-9, 9, 7)
    three = cell_masses(mean, covariance, [narrow, narrow, wide], _check.run(1))
    two = cell_masses(mean[:2], covariance[:2, :2], [narrow, narrow], _check.run(1))
    np.testing.assert_allclose(three[:, :, 0], two, atol=1e-9)


def test_gradient_steps_that_diverge_say_so():
    _, y, _ = clusters(5000)
    with pytest.raises(ArithmeticError, match="gradient steps diverged"):
        RotatedMixture(2, 1.0, method="gradient", rate=1.0).fit(y)
    slow = RotatedMixture(2, 1.0, method="gradient", rate=1e-5, max_iter=5).fit(y)
    assert slow.n_iter_ == 5
    assert not slow.converged_


def test_wrong_cells_get_a_clear_answer():
    _, y, _ = clusters(200)
    found = fitted("diagonal", y)
    with pytest.raises(ValueError, match="cells must hold edges for each of up to 3 columns"):
        found.probabilities([[0.0, 1.0]])
    with pytest.raises(ValueError, match="X has 3 features, but DiagonalMixture is expecting 2"):
        found.predict(np.zeros((4, 3)))
    with pytest.raises(ValueError, match="this DiagonalMixture is not fitted yet"):
        DiagonalMixture(2, 1.0).predict(y)
