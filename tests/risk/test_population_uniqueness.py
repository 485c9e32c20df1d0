"""Population uniques, estimated from samples of populations that are known."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import gammaln, psi
from scipy.stats import hypergeom

import tokumei as tk
from tokumei.risk.pitman import pitman, rising
from tokumei.risk.population_uniqueness import _chosen
from tokumei.risk.zayatz import chance_of_one

# Quasi-identifiers of Adult, from few uniques to many.
KEYS = (
    ["age", "education", "marital-status", "race", "sex"],
    ["age", "workclass", "education", "marital-status", "occupation", "race", "sex"],
)


def histogram(classes):
    sizes, counts = np.unique(classes[classes > 0], return_counts=True)
    return sizes.astype(float), counts.astype(float)


def test_sums_of_inverses_are_differences_of_digamma():
    for x, m in ((0.01, 3.0), (0.3, 1e6), (7.0, 0.0), (1e5, 40.0)):
        assert rising(x, m) == pytest.approx(psi(x + m) - psi(x), rel=1e-9, abs=1e-12)


def test_the_chance_of_one_is_hypergeometric():
    for size in (1, 3, 40):
        exact = hypergeom(2000, size, 100).pmf(1)
        assert chance_of_one(100.0, 0.05, float(size)) == pytest.approx(exact, rel=1e-9)


def test_pitmans_parameters_are_the_likeliest():
    rng = np.random.default_rng(1)
    for alpha, theta in ((0.3, 20.0), (0.7, 5.0)):
        classes = [1]
        for n in range(1, 3000):  # the restaurant whose tables are Pitman's classes
            if rng.random() < (theta + alpha * len(classes)) / (theta + n):
                classes.append(1)
            else:
                weights = np.array(classes) - alpha
                classes[rng.choice(len(classes), p=weights / weights.sum())] += 1
        sizes, counts = histogram(np.array(classes))
        u, n = counts.sum(), sizes @ counts

        def against(x, sizes=sizes, counts=counts, u=u, n=n):
            a, t = 1 / (1 + math.exp(-x[0])), math.exp(x[1])
            found = gammaln(u + t / a) - gammaln(1 + t / a) + (u - 1) * math.log(a)
            found -= gammaln(n + t) - gammaln(1 + t)
            return -(found + counts @ (gammaln(sizes - a) - gammaln(1 - a)))

        best = minimize(against, [0.0, 2.0], method="Nelder-Mead", options={"xatol": 1e-9}).x
        a, t = 1 / (1 + math.exp(-best[0])), math.exp(best[1])
        expected = math.exp(gammaln(t + 1) - gammaln(t + a) + a * math.log(n / 0.05))
        assert pitman(sizes, counts, 0.05) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("fraction", [0.2, 0.5])
def test_the_negative_binomial_finds_the_uniques_of_its_own_population(fraction):
    near = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        classes = 1 + rng.negative_binomial(0.8, 0.15, 20_000)
        sample = rng.binomial(classes, fraction)
        rows = np.repeat(np.arange(20_000), sample)
        found = tk.risk.population_uniqueness({"class": rows}, fraction=fraction, samples=0)
        snb = {one.model: one.uniques for one in found.estimates}["snb"]
        truth = int((classes == 1).sum())
        near += snb is not None and abs(snb / truth - 1) < 0.35
    assert near >= 9


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("fraction", [0.05, 0.3])
def test_uniques_of_adult_are_estimated_from_its_samples(columns_of, keys, fraction):
    adult = {key: np.array(one) for key, one in columns_of("adult.csv").items() if key in keys}
    truth = tk.risk.class_sizes(adult).uniques
    told = []
    for seed in range(5):
        rows = np.random.default_rng(seed).random(32_561) < fraction
        sample = {key: one[rows] for key, one in adult.items()}
        told.append(tk.risk.population_uniqueness(sample, fraction=fraction, samples=0).uniques)
    assert 0.5 < np.median(told) / truth < 1.6


def test_what_cannot_be_estimated_is_said():
    alone = tk.risk.population_uniqueness({"a": range(50)}, fraction=0.05)
    assert {one.model: one.uniques for one in alone.estimates}["pitman"] is None
    assert "pitman: not estimable" in str(alone)
    nobody = tk.risk.population_uniqueness({"a": [1, 1, 2, 2]}, fraction=0.05)
    assert nobody.uniques == 0.0
    with pytest.raises(TypeError, match="fraction"):
        tk.risk.population_uniqueness({"a": [1]})


def test_intervals_hold_the_estimate_and_the_seed_makes_them():
    rng = np.random.default_rng(2)
    table = {"a": rng.integers(0, 300, 2000), "b": rng.integers(0, 9, 2000)}
    found = tk.risk.population_uniqueness(table, fraction=0.05)
    for one in found.estimates:
        if one.low is not None:
            assert one.low <= one.uniques <= one.high
    assert found == tk.risk.population_uniqueness(table, fraction=0.05)


@pytest.mark.parametrize(
    ("fraction", "pitman", "zayatz", "snb", "chosen"),
    [
        (0.05, 10.0, 20.0, 30.0, "pitman"),  # small samples, if the model has a solution
        (0.05, None, 20.0, 10.0, "zayatz"),
        (0.5, 10.0, 20.0, 30.0, "zayatz"),  # large ones: the lower of the others
        (0.5, 10.0, 30.0, 20.0, "snb"),
        (0.5, 10.0, 20.0, None, "zayatz"),
        (0.5, 10.0, None, 20.0, None),
    ],
)
def test_the_model_is_chosen_as_dankar_and_others_do(fraction, pitman, zayatz, snb, chosen):
    uniques = {"pitman": pitman, "zayatz": zayatz, "snb": snb}
    assert _chosen(uniques, fraction) == chosen
