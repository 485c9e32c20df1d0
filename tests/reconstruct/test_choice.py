"""How many components: by likelihood, by BIC and by evidence, of one attribute and of several."""

import numpy as np
import pytest
from scipy.special import logsumexp

import tokumei as tk
from tokumei.reconstruct.mixture.choice import NARROWEST, log_evidence
from tokumei.reconstruct.mixture.normals import Normals

choose = tk.reconstruct.choose_mixture
KINDS = [tk.reconstruct.ScaleMixture, tk.reconstruct.DiagonalMixture]
QUICK = {tk.reconstruct.ScaleMixture: {"n_init": 1, "n_steps": 60}}


def noisy(rows=3000, apart=9.0, width=2, scale=1.0, seed=1):
    chance = np.random.default_rng(seed)
    member = chance.random(rows) < 0.4
    x = chance.normal(size=(rows, width)) + apart * member[:, None]
    return x + chance.laplace(0, scale, x.shape)


def test_evidence_is_that_of_quadrature():
    y = noisy(400, apart=0.0, width=1)[:, 0]
    one = tk.reconstruct.LaplaceMixture(1, 1.0).fit(y)
    width = float(np.ptp(y))
    start = one._normals()
    means = np.linspace(-0.4, 0.4, 41)
    deviations = np.exp(np.linspace(np.log(0.3), np.log(2.5), 81))
    logs = [
        one._with(
            Normals(np.ones(1), np.full((1, 1), m), np.full((1, 1, 1), s * s), start.ranges, False)
        )
        .score_samples(y)
        .sum()
        for m in means
        for s in deviations
    ]
    cell = (means[1] - means[0]) / width * np.log(deviations[1] / deviations[0])
    wanted = logsumexp(logs) + np.log(cell / -np.log(NARROWEST))
    assert log_evidence(one, y) == pytest.approx(wanted, abs=0.3)


@pytest.mark.parametrize("criterion", ["bic", "likelihood", "evidence"])
@pytest.mark.parametrize("kind", KINDS)
def test_two_groups_of_several_attributes_are_two_components(kind, criterion):
    y = noisy(800)
    options = {"components": (1, 2), "mixture": kind, **QUICK.get(kind, {})}
    assert choose(y, 1.0, criterion=criterion, **options).n_components == 2


def test_one_group_is_one_component_by_evidence_and_never_by_likelihood():
    y = noisy(1000, apart=0.0)
    options = {"components": (1, 2), "mixture": tk.reconstruct.DiagonalMixture}
    assert choose(y, 1.0, criterion="evidence", **options).n_components == 1
    assert choose(y, 1.0, criterion="bic", **options).n_components == 1
    assert choose(y, 1.0, criterion="likelihood", **options).n_components == 2


def test_parameters_of_a_mixture_lead_back_to_it():
    y = noisy(300)
    options = QUICK[tk.reconstruct.ScaleMixture]
    found = tk.reconstruct.ScaleMixture(2, 1.0, **options).fit(y)
    normals = found._normals()
    again = normals.moved(normals.parameters())
    np.testing.assert_allclose(again.covariances, found.covariances_, rtol=1e-9)
    np.testing.assert_allclose(again.means, found.means_, rtol=1e-12)
    assert len(normals.parameters()) == len(normals.widths(NARROWEST)) == found.n_parameters


def test_atoms_are_weighed_and_stay_where_they_are():
    chance = np.random.default_rng(5)
    x = np.where(chance.random(3000) < 0.5, 0.0, chance.normal(12.0, 1.0, 3000))
    y = x + chance.laplace(0, 1, 3000)
    found = choose(y, 1.0, components=(1, 2), criterion="evidence", lower=-10, upper=30, atoms=[0])
    assert found.n_components == 1
    assert len(found._normals().parameters()) == found.n_parameters


def test_the_papers_algorithm_is_chosen_by_its_own_likelihood():
    y = noisy(800)
    rotated = tk.reconstruct.RotatedMixture
    found = choose(y, 1.0, components=(1, 2), criterion="likelihood", mixture=rotated)
    assert found.loglik_ == pytest.approx(found.score_samples(y).sum())
    with pytest.raises(ValueError, match="RotatedMixture does not have"):
        choose(y, 1.0, criterion="evidence", mixture=rotated)
    with pytest.raises(ValueError, match="criterion must be one of"):
        choose(y, 1.0, criterion="aic")
