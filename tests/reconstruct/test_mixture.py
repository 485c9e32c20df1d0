"""LaplaceMixture keeps its word: mixtures are found again, bad input gets a clear answer."""

from __future__ import annotations

import numpy as np
import pytest
from builders.mixtures import paper_data
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei import _check
from tokumei.reconstruct.mixture.bins import binned
from tokumei.reconstruct.mixture.components import Components
from tokumei.reconstruct.mixture.noisy_values import NoisyValues

LaplaceMixture = tk.reconstruct.LaplaceMixture
RUN = _check.run(1)


@pytest.mark.parametrize("seed", range(4))
def test_acceleration_reaches_what_plain_steps_reach(seed):
    _, y = paper_data(2000, 1.0, seed)
    plain = LaplaceMixture(3, 1.0, n_init=1, accelerate=False).fit(y)
    fast = LaplaceMixture(3, 1.0, n_init=1).fit(y)
    assert fast.loglik_ >= plain.loglik_ - 1e-2
    assert fast.n_iter_ < plain.n_iter_


def test_bins_change_the_likelihood_by_less_than_is_said():
    _, y = paper_data(40_000, 2.0)
    u = np.sort(y) / 2.0
    few, counts = binned(u, np.ones(len(u)), 0.01)
    assert counts.sum() == len(y)
    assert counts @ few == pytest.approx(u.sum(), rel=1e-12)
    shape = Components(
        np.array([0.1, 0.6, 0.2, 0.1]),
        np.array([-0.5, 1.5, 2.5, 4.5]),
        np.array([0.1, 0.2, 0.3, 0.0]),
    )
    exact = NoisyValues(u, None, None, RUN).loglik(shape)
    short = NoisyValues(few, counts, None, RUN).loglik(shape)
    assert abs(exact - short) < len(y) * 0.01**2 / 24
    fits = [
        LaplaceMixture(3, 2.0, binned=choice, n_init=1, tol=1e-3).fit(y) for choice in (True, False)
    ]
    assert fits[0].loglik_ == pytest.approx(fits[1].loglik_, abs=0.5)


def test_the_synthetic_mixture_of_the_paper_is_found_again():
    x, y = paper_data(100_000, 1.0)
    found = LaplaceMixture(4, 1.0).fit(y)
    assert found.converged_
    assert found.means_ == pytest.approx([-1, 3, 5, 9], abs=0.15)
    assert found.weights_ == pytest.approx([0.1, 0.6, 0.2, 0.1], abs=0.03)
    assert found.weights_.sum() == pytest.approx(1.0)
    cells = np.arange(-4.0, 12.1, 0.5)
    shares = np.histogram(x, cells)[0] / len(x)
    assert 0.5 * np.abs(found.probabilities(cells) - shares).sum() < 0.06
    assert found.score(y) * len(y) == pytest.approx(found.loglik_, rel=1e-12)
    assert found.bic(y) == pytest.approx(found.n_parameters * np.log(len(y)) - 2 * found.loglik_)
    assert found.aic(y) == pytest.approx(2 * found.n_parameters - 2 * found.loglik_)


def test_the_gradient_baseline_climbs_where_its_rate_suits():
    _, y = paper_data(500, 1.0)
    slow = LaplaceMixture(2, 1.0, method="gradient", rate=1e-3, max_iter=3000).fit(y)
    exact = LaplaceMixture(2, 1.0, n_init=1).fit(y)
    assert slow.trace_[-1] > slow.trace_[0]
    assert slow.loglik_ <= exact.loglik_ + 1e-6


@pytest.mark.parametrize("rate", [0.01, 1.0, 1e6, 1e300])
def test_the_gradient_baseline_says_when_it_diverges(rate):
    _, y = paper_data(20_000, 2.0)
    with pytest.raises(ArithmeticError, match="diverged in step"):
        LaplaceMixture(4, 2.0, method="gradient", rate=rate).fit(y)


def test_atoms_hold_the_share_of_zeros():
    chance = np.random.default_rng(8)
    x = np.where(chance.random(20_000) < 0.7, 0.0, chance.normal(6.0, 1.0, 20_000))
    found = LaplaceMixture(1, 1.0, atoms=[0.0], lower=0.0, upper=12.0).fit(
        x + chance.laplace(0, 1, 20_000)
    )
    assert found.means_[1] == 0.0
    assert found.variances_[1] == 0.0
    assert found.weights_[1] == pytest.approx(0.7, abs=0.03)
    free = LaplaceMixture(1, 1.0, atoms=[0.0]).fit(x + chance.laplace(0, 1, 20_000))
    assert free.weights_[1] == pytest.approx(0.7, abs=0.03)
    drawn = found.sample(5000, random_state=1)
    assert (drawn == 0.0).mean() == pytest.approx(0.7, abs=0.05)
    assert drawn.min() >= 0.0
    assert drawn.max() <= 12.0


def test_bounds_cut_the_density():
    chance = np.random.default_rng(9)
    x = np.abs(chance.normal(0.0, 2.0, 20_000))
    found = LaplaceMixture(2, 1.0, lower=0.0, upper=10.0).fit(x + chance.laplace(0, 1, 20_000))
    assert found.pdf([-0.1, 10.1]).tolist() == [0.0, 0.0]
    grid = np.linspace(0.0, 10.0, 4001)
    middle = 0.5 * (grid[1:] + grid[:-1])
    assert found.pdf(middle).sum() * 0.0025 == pytest.approx(1.0, abs=1e-3)
    assert found.cdf([-1.0, 0.0, 10.0]) == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)
    cells = np.linspace(0.0, 10.0, 11)
    assert found.probabilities(cells) == pytest.approx(np.diff(found.cdf(cells)), abs=1e-12)
    true = np.histogram(x, cells)[0] / len(x)
    assert 0.5 * np.abs(found.probabilities(cells) - true).sum() < 0.05


def test_whole_numbers_have_probabilities():
    chance = np.random.default_rng(10)
    x = chance.binomial(15, 0.6, 20_000).astype(float)
    found = LaplaceMixture(1, 2.0, lower=0, upper=15, integer=True).fit(
        x + chance.laplace(0, 2, 20_000)
    )
    values = np.arange(16.0)
    mass = found.pdf(values)
    assert mass.sum() == pytest.approx(1.0, abs=1e-12)
    assert found.pdf([0.5, 3.2]).tolist() == [0.0, 0.0]
    true = np.bincount(x.astype(int), minlength=16) / len(x)
    assert 0.5 * np.abs(mass - true).sum() < 0.03
    assert found.cdf(values) == pytest.approx(np.cumsum(mass), abs=1e-12)
    drawn = found.sample(1000, random_state=2)
    assert np.array_equal(drawn, np.round(drawn))


def test_members_are_a_clustering_of_the_noisy_records():
    chance = np.random.default_rng(11)
    x = np.repeat([0.0, 30.0], 500) + chance.normal(0, 1, 1000)
    y = x + chance.laplace(0, 1, 1000)
    for options in ({}, {"lower": -5.0, "upper": 35.0}):
        found = LaplaceMixture(2, 1.0, **options).fit(y)
        assert np.array_equal(found.predict(y), np.repeat([0, 1], 500))
        assert found.predict_proba(y).sum(axis=1) == pytest.approx(np.ones(1000))


def test_a_seed_fixes_the_result_and_none_is_a_fixed_seed():
    _, y = paper_data(3000, 1.0)
    fits = [
        LaplaceMixture(3, 1.0, random_state=seed, tol=1e-2).fit(y) for seed in (None, None, 7, 7)
    ]
    assert np.array_equal(fits[0].means_, fits[1].means_)
    assert np.array_equal(fits[2].means_, fits[3].means_)


def test_values_far_from_zero_change_nothing_but_the_means():
    _, y = paper_data(3000, 1.0)
    y = np.round(y * 2**10) / 2**10
    near, far = (LaplaceMixture(3, 1.0, tol=1e-3).fit(y + offset) for offset in (0.0, 2.0**30))
    assert far.loglik_ == near.loglik_
    assert far.means_ - 2.0**30 == pytest.approx(near.means_, abs=1e-6)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([-3.0, 0.0, 1.0, 1e3, 1e-9, 250.0]), min_size=2, max_size=30),
    st.integers(1, 4),
    st.floats(-6.0, 6.0),
)
def test_ties_and_wild_scales_never_give_nan(values, components, power):
    y = np.array(values)
    different = len(np.unique(y))
    if different < max(components, 2) or np.ptp(y) > 1e12 * 10.0**power:
        return
    found = LaplaceMixture(components, 10.0**power, max_iter=50).fit(y)
    learned = [found.weights_, found.means_, found.variances_, [found.loglik_], found.trace_]
    assert all(np.isfinite(part).all() for part in learned)
    assert np.isfinite(found.predict_proba(y)).all()
    assert np.isfinite(found.score_samples([1e12, -1e12])).all()


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from([-3.0, 0.0, 1.0, 1e3, 1e-9, 250.0]), min_size=2, max_size=30),
    st.tuples(st.integers(-5, 900), st.integers(1, 900), st.booleans()),
    st.floats(-3.0, 4.0),
    st.booleans(),
)
def test_no_bounds_give_nan(values, bounds, power, with_atom):
    lower, width, integer = bounds
    if len(np.unique(values)) < 2:
        return
    atoms = [lower] if with_atom else []
    found = LaplaceMixture(
        2,
        10.0**power,
        lower=lower,
        upper=lower + width,
        integer=integer,
        atoms=atoms,
        max_iter=30,
        n_init=3,
    ).fit(values)
    learned = [found.weights_, found.means_, found.variances_, [found.loglik_], found.trace_]
    assert all(np.isfinite(part).all() for part in learned)
    far = [-1e9, lower, 1e9]
    assert found.predict_proba(far).sum(axis=1) == pytest.approx(np.ones(3))
    assert np.isfinite(found.score_samples(far)).all()


def test_a_record_beyond_the_bounds_tells_what_one_on_the_bound_tells():
    chance = np.random.default_rng(13)
    found = LaplaceMixture(2, 1.0, lower=0.0, upper=5.0, n_init=1).fit(chance.uniform(-1, 6, 500))
    on, beyond = found.score_samples([5.0, 8.0])
    assert beyond == pytest.approx(on - 3.0, rel=1e-12)
    assert found.predict_proba([8.0]) == pytest.approx(found.predict_proba([5.0]))


GOOD = np.array([0.0, 1.0, 2.5, 4.0])


@pytest.mark.parametrize(
    ("options", "y", "message"),
    [
        ({"scale": 0.0}, GOOD, "scale must be above 0"),
        ({"scale": -1.0}, GOOD, "scale must be above 0"),
        ({"scale": np.nan}, GOOD, "scale must be finite"),
        ({"n_components": 0}, GOOD, "n_components must be between 1"),
        ({"n_components": 5}, GOOD, "different values in y"),
        ({}, [], "X is empty"),
        ({"n_components": 1}, [3.0, 3.0, 3.0], "y must hold different values"),
        ({}, [1.0, np.nan, 2.0], "1 missing values"),
        ({}, [1.0, np.inf, 2.0], "1 infinite values"),
        ({"method": "magic"}, GOOD, "method must be one of"),
        ({"lower": 0.0}, GOOD, "lower and upper must be given together"),
        ({"lower": 3.0, "upper": 1.0}, GOOD, "lower must be below upper"),
        ({"integer": True}, GOOD, "integer support needs lower and upper"),
        ({"integer": True, "lower": 0.2, "upper": 5.0}, GOOD, "must be whole"),
        ({"atoms": [1.0, 1.0]}, GOOD, "atoms must differ"),
        ({"atoms": [9.0], "lower": 0.0, "upper": 5.0}, GOOD, "atoms must lie between"),
        ({"method": "gradient", "lower": 0.0, "upper": 5.0}, GOOD, "knows no bounds"),
        ({"scale": 1e-13}, GOOD, "scales apart"),
        ({"tol": 0.0}, GOOD, "tol must be above 0"),
        ({"n_init": 0}, GOOD, "n_init must be at least 1"),
        ({"max_iter": 0}, GOOD, "max_iter must be at least 1"),
    ],
)
def test_bad_input_gets_a_clear_answer(options, y, message):
    parameters = {"n_components": 2, "scale": 1.0} | options
    with pytest.raises(ValueError, match=message):
        LaplaceMixture(**parameters).fit(y)


def test_an_unfitted_mixture_says_so():
    with pytest.raises(ValueError, match="not fitted yet"):
        LaplaceMixture(2, 1.0).predict([1.0])


def test_averages_are_densities_on_cells():
    _, y = paper_data(3000, 1.0)
    cells = np.arange(-5.0, 13.0)
    found = tk.reconstruct.mixture_average(y, 1.0, cells=cells)
    assert [one.n_components for one in found.mixtures] == [3, 4, 5, 6]
    assert found.probabilities.sum() == pytest.approx(1.0)
    assert (found.probabilities >= 0).all()
    with pytest.raises(ValueError, match="cells hold nothing"):
        tk.reconstruct.mixture_average(y, 1.0, cells=[1e9, 2e9], components=[1])
    with pytest.raises(ValueError, match="edges that increase"):
        tk.reconstruct.mixture_average(y, 1.0, cells=[2.0, 1.0])
    with pytest.raises(ValueError, match="at least one number"):
        tk.reconstruct.choose_mixture(y, 1.0, components=[])


def test_bic_chooses_the_components_that_are_there():
    chance = np.random.default_rng(12)
    x = np.concatenate([chance.normal(0, 1, 3000), chance.normal(10, 1, 3000)])
    found = tk.reconstruct.choose_mixture(x + chance.laplace(0, 1, 6000), 1.0, components=(1, 2, 3))
    assert found.n_components == 2
