"""Posteriors on tiny tables, from every true value that each record may have had."""

import itertools

import numpy as np
import pytest
from oracle import mixtures as oracle
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import laplace, norm
from strategies import perturbed

import tokumei as tk
from tokumei import _check
from tokumei._kernels import reconstruct as kernel
from tokumei.reconstruct.cells.support import support_of
from tokumei.reconstruct.cells.transitions import transition_of
from tokumei.reconstruct.joint import shrinkage
from tokumei.reconstruct.joint.composite import composed
from tokumei.reconstruct.joint.diagonal import _climb, _Diagonal

RUN = _check.run(1)


def channels_of(*tops):
    """One of each mechanism, on 0 to each of those."""
    known = [{"lower": 0, "upper": top, "integer": True} for top in tops]
    made = (
        lambda **k: tk.noise.laplace(2.0, **k),
        lambda **k: tk.noise.randomized_response(1.0, **k),
        lambda **k: tk.noise.square_wave(1.0, **k),
    )
    return [make(**k) for make, k in zip(made, known, strict=False)]


def released(channels, rows, seed=1):
    chance = np.random.default_rng(seed)
    columns = [chance.integers(0, int(c.upper) + 1, rows).astype(float) for c in channels]
    return np.stack(
        [perturbed(c, x, j) for j, (c, x) in enumerate(zip(channels, columns, strict=True))], 1
    )


def bayes(y, channels, start):
    """The mean of all records' posteriors, each over every cell that it may have come from."""
    total, cells = np.zeros(start.shape), [np.arange(length, dtype=float) for length in start.shape]
    for record in y:
        likely = [
            np.exp(c.log_density([v], x))[0]
            for c, v, x in zip(channels, record, cells, strict=True)
        ]
        joint = np.zeros(start.shape)
        for at in itertools.product(*map(range, start.shape)):
            joint[at] = start[at] * np.prod([one[i] for one, i in zip(likely, at, strict=True)])
        total += joint / joint.sum()
    return total / len(y)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_pass_of_every_mechanism_is_bayes_rule(width, order):
    channels = [channels_of(3, 4, 2)[axis] for axis in order[:width]]
    y = released(channels, 25)
    shape = [int(c.upper) + 1 for c in channels]
    start = np.random.default_rng(2).dirichlet(np.ones(np.prod(shape))).reshape(shape)
    wanted = bayes(y, channels, start)
    if width == 1:
        found = tk.reconstruct.iterative_bayes(y[:, 0], channels[0], max_iter=1, start=start)
    else:
        found = tk.reconstruct.table(y, channels, start=start, tol=0.0, max_iter=1)
    np.testing.assert_allclose(found.probabilities, wanted, rtol=1e-9, atol=1e-12)


def test_the_evidence_of_a_table_is_that_of_quadrature():
    """The likelihood's mean over Dirichlet laws around the start, by their draws."""
    channel = tk.noise.randomized_response(2.0, lower=0, upper=1, integer=True)
    one = transition_of(channel, support_of(channel, None), RUN)
    matrix = np.kron(one.matrix(), one.matrix())
    start, truth = np.full((2, 2), 0.25), np.array([0.35, 0.15, 0.18, 0.32])
    counts = np.rint(120 * matrix @ truth).reshape(2, 2)
    found = shrinkage.shrunk([one, one], counts, start, 5000, RUN, np.random.default_rng(1))
    chance, flat = np.random.default_rng(3), counts.reshape(-1)
    begun = flat @ np.log(matrix @ start.reshape(-1))
    prior = np.log((1 - shrinkage.STAYING) / shrinkage.STAYING / len(shrinkage.STRENGTHS))
    held = 0
    for strength, weight in zip(found.strengths[1:], found.weights[1:], strict=True):
        if strength < 8:  # less than two records a cell: no law that is nearly normal
            continue
        drawn = chance.dirichlet(strength * start.reshape(-1), 200_000)
        logs = np.log(drawn @ matrix.T) @ flat
        wanted = logsumexp(logs) - np.log(len(logs)) - begun
        assert np.log(weight / found.weights[0]) - prior == pytest.approx(wanted, abs=0.2)
        held += 1
    assert held >= 3


def test_what_pairs_are_composed_to_has_most_entropy():
    chance = np.random.default_rng(4)
    truth = chance.dirichlet(np.full(8, 3.0)).reshape(2, 2, 2)
    # Two-valued tables with the same pairs differ by one number along this one.
    signs = np.array([(-1.0) ** sum(at) for at in np.ndindex(2, 2, 2)]).reshape(2, 2, 2)
    low = -truth[signs > 0].min() * (1 - 1e-12)
    high = truth[signs < 0].min() * (1 - 1e-12)
    best = brentq(lambda t: (signs * np.log(truth + t * signs)).sum(), low, high, xtol=1e-14)
    margins = [truth.sum(axis=tuple({0, 1, 2} - {axis})) for axis in range(3)]
    pairs = {(a, b): truth.sum(axis=3 - a - b) for a, b in ((0, 1), (0, 2), (1, 2))}
    np.testing.assert_allclose(composed(margins, pairs), truth + best * signs, atol=1e-5)


WEIGHTS = np.array([0.2, 0.5, 0.3])
MEANS = np.array([[-1.0, 0.5], [2.0, -1.0], [3.0, 4.0]])
DEVIATIONS = np.array([[0.3, 1.5], [1.0, 0.2], [2.0, 0.8]])
RECORDS = np.array([[0.0, 0.0], [2.5, -3.0], [1.0, 6.0], [-4.0, 2.0], [3.0, 3.5], [2.0, -1.0]])


def behind(y, scale):
    """By component and attribute: density of y and E[x], E[x^2] given it, by integration."""
    shape = (*DEVIATIONS.shape, 3)
    found = np.array(
        [
            oracle.normal_laplace_by_quadrature(v / scale, m / scale, s / scale)
            for means, deviations in zip(MEANS, DEVIATIONS, strict=True)
            for v, m, s in zip(y, means, deviations, strict=True)
        ]
    ).reshape(shape)
    return found[..., 0] / scale, found[..., 1] * scale, found[..., 2] * scale**2


def diagonal_of(scale):
    made = tk.reconstruct.DiagonalMixture(3, scale)
    made.weights_, made.means_, made.n_features_in_ = WEIGHTS, MEANS, 2
    made.covariances_ = np.array([np.diag(s**2) for s in DEVIATIONS])
    made._unit = np.full(2, scale)
    return made


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_memberships_and_densities_of_diagonal_mixtures_are_those_of_quadrature(scale):
    joint = np.array([WEIGHTS * behind(y, scale)[0].prod(axis=1) for y in RECORDS])
    made = diagonal_of(scale)
    np.testing.assert_allclose(made.score_samples(RECORDS), np.log(joint.sum(axis=1)), atol=1e-9)
    wanted = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(made.predict_proba(RECORDS), wanted, atol=1e-9)


def test_a_step_of_a_diagonal_mixture_is_that_of_quadrature():
    held, first, second = np.zeros(3), np.zeros((3, 2)), np.zeros((3, 2))
    for y in RECORDS:
        density, shift, square = behind(y, 1.0)
        joint = WEIGHTS * density.prod(axis=1)
        given = joint / joint.sum()
        held += given
        first += given[:, None] * shift
        second += given[:, None] * square
    moved = first / held[:, None]
    found = _climb(RECORDS, _Diagonal(WEIGHTS, MEANS, DEVIATIONS), 1e-300, 2, RUN).mixture
    np.testing.assert_allclose(found.weights, held / len(RECORDS), atol=1e-9)
    np.testing.assert_allclose(found.means, MEANS + moved, atol=1e-9)
    widths = np.sqrt(second / held[:, None] - moved**2)
    np.testing.assert_allclose(found.deviations, widths, atol=1e-8)


def test_the_papers_algorithm_has_the_densities_that_it_claims():
    chance = np.random.default_rng(6)
    y = chance.normal(size=(400, 2)) @ [[2.0, 1.0], [0.0, 1.0]] + chance.laplace(0, 1, (400, 2))
    made = tk.reconstruct.RotatedMixture(2, 1.0, max_iter=5).fit(y)
    joint = np.zeros((5, 2))
    for k, (mean, covariance) in enumerate(zip(made.means_, made.covariances_, strict=True)):
        squares, axes = np.linalg.eigh(covariance)
        for i, record in enumerate(y[:5]):
            sides = zip(record @ axes, mean @ axes, np.sqrt(squares), strict=True)
            densities = [oracle.normal_laplace_by_quadrature(*each)[0] for each in sides]
            joint[i, k] = made.weights_[k] * np.prod(densities)
    np.testing.assert_allclose(made.score_samples(y[:5]), np.log(joint.sum(axis=1)), atol=1e-9)
    wanted = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(made.predict_proba(y[:5]), wanted, atol=1e-9)


@pytest.mark.parametrize("atoms", [(), (0.0,)])
def test_whole_numbers_of_one_attribute_have_the_posterior_of_all_of_them(atoms):
    chance = np.random.default_rng(7)
    x = np.where(chance.random(300) < 0.4, 0.0, np.clip(np.rint(chance.normal(6, 2, 300)), 0, 12))
    y = x + chance.laplace(0, 1.5, 300)
    made = tk.reconstruct.LaplaceMixture(
        2, 1.5, lower=0, upper=12, integer=True, atoms=atoms, n_init=1, max_iter=20
    ).fit(y)
    values, inside = np.arange(13.0), np.clip(y, 0, 12)
    laws = []
    for mean, variance in zip(made.means_, made.variances_, strict=True):
        law = norm(mean, max(variance, 1e-300) ** 0.5)
        mass = np.diff(law.cdf(np.arange(-0.5, 13))) if variance else 1.0 * (values == mean)
        laws.append(mass / mass.sum())
    # Beyond the bounds every value is as much less likely.
    likely = laplace(0, 1.5).pdf(inside[:, None] - values) @ np.array(laws).T * made.weights_
    away = np.abs(y - inside) / 1.5
    wanted = np.log(likely.sum(axis=1)) - away
    np.testing.assert_allclose(made.score_samples(y), wanted, atol=1e-9)
    members = likely / likely.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(made.predict_proba(y), members, atol=1e-9)


def correlated(y, mean, root, nodes=2001):
    """The log-likelihood of records behind noise of scale 1: exact in one attribute, a fine sum
    over the other; `root` is the lower triangle whose square is the covariance."""
    x = np.linspace(-8, 8, nodes)
    found, out = np.empty(len(y)), np.empty((nodes, 5), order="F")
    for i, (first, second) in enumerate(y - mean):
        left = np.ascontiguousarray(second - root[1, 0] * x)
        kernel.normal_laplace_records(left, 0.0, root[1, 1], out, RUN)
        found[i] = norm.pdf(x) @ (0.5 * np.exp(out[:, 0] - np.abs(first - root[0, 0] * x)))
    return np.log(found * (x[1] - x[0])).sum()


def test_full_covariances_are_most_likely_by_quadrature():
    chance = np.random.default_rng(8)
    x = chance.normal(size=(300, 2)) @ [[2.0, 1.5], [0.0, 1.0]]
    y = x + chance.laplace(0, 1, x.shape)
    made = tk.reconstruct.ScaleMixture(1, 1.0, n_init=1).fit(y)
    mean, root = made.means_[0], np.linalg.cholesky(made.covariances_[0])
    best = correlated(y, mean, root)
    assert made.score_samples(y).sum() == pytest.approx(best, abs=3.0)  # of 64 draws a record
    for at, part in ((0, mean), (1, mean), ((0, 0), root), ((1, 0), root), ((1, 1), root)):
        beside, kept = [], part[at]
        for step in (-0.2, 0.2):
            part[at] = kept + step
            beside.append(correlated(y, mean, root))
        part[at] = kept
        bend = 2 * best - sum(beside)
        assert bend > 1.0
        # What the parabola through the three gains from here to its top.
        assert (beside[1] - beside[0]) ** 2 / (8 * bend) < 0.1
