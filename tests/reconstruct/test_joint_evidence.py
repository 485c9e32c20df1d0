"""Where tables begin and how far they are moved: copulas, evidence, tables of pairs."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

import tokumei as tk
from tokumei import _check
from tokumei.reconstruct.cells.support import support_of
from tokumei.reconstruct.cells.transitions import transition_of
from tokumei.reconstruct.joint import shrinkage
from tokumei.reconstruct.joint.association import association, margin_of
from tokumei.reconstruct.joint.composite import composed, independent
from tokumei.reconstruct.joint.copula import copula, loadings

RUN = _check.run(1)


def margins_of(*lengths, seed=1):
    chance = np.random.default_rng(seed)
    return [chance.dirichlet(np.full(length, 2.0)) for length in lengths]


def by_the_normal_law(first, second, correlation):
    """The copula's cells as differences of the bivariate normal distribution function."""
    ends = [np.clip(norm.ppf(np.r_[0, np.cumsum(m)[:-1], 1]), -9, 9) for m in (first, second)]
    law = multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
    grid = np.array([[law.cdf([a, b]) for b in ends[1]] for a in ends[0]])
    return np.diff(np.diff(grid, axis=0), axis=1)


@pytest.mark.parametrize(("correlation", "close"), [(0.0, 1e-7), (0.5, 1e-7), (-0.85, 1e-7)])
def test_the_copula_is_that_of_the_bivariate_normal_law(correlation, close):
    first, second = margins_of(6, 4)
    found = copula(loadings(first), loadings(second), correlation)
    np.testing.assert_allclose(found, by_the_normal_law(first, second, correlation), atol=close)


@pytest.mark.parametrize("correlation", [-0.98, -0.3, 0.6, 0.98])
def test_a_copula_keeps_its_margins(correlation):
    first, second = margins_of(41, 7)
    found = copula(loadings(first), loadings(second), correlation)
    np.testing.assert_allclose(found.sum(axis=1), first, atol=2e-4)
    np.testing.assert_allclose(found.sum(axis=0), second, atol=2e-4)


def small(epsilon=1.0, shape=(3, 4), records=2000, correlation=0.6, seed=3):
    """Transitions, the matrix of all cells, margins, and counts that a copula's table expects."""
    channels = [
        tk.noise.randomized_response(epsilon, lower=1, upper=top, integer=True) for top in shape
    ]
    transitions = [transition_of(c, support_of(c, None), RUN) for c in channels]
    matrix = np.kron(*[one.matrix() for one in transitions])
    margins = margins_of(*shape, seed=seed)
    truth = copula(*[loadings(m) for m in margins], correlation)
    counts = np.rint(records * matrix @ truth.reshape(-1)).reshape(shape)
    return transitions, matrix, margins, truth, counts


def test_the_posterior_of_a_correlation_is_that_of_quadrature():
    transitions, matrix, margins, _, counts = small(epsilon=2.0)
    loaded = [margin_of(t, m, m[None, :]) for t, m in zip(transitions, margins, strict=True)]
    found = association(counts, loaded, np.random.default_rng(1))
    r = np.linspace(-0.979, 0.979, 801)
    tables = [copula(*[loadings(m) for m in margins], one).reshape(-1) for one in r]
    logs = np.log(np.array(tables) @ matrix.T) @ counts.reshape(-1)
    top = logs.max()
    slab = np.exp(logs - top) * 0.75 * (1 - r**2)
    none = np.exp(logs[400] - top)
    share = none / (none + slab.sum() * (r[1] - r[0]))
    assert found.independent == pytest.approx(share, rel=1e-3, abs=1e-12)
    expected = (1 - share) * (r @ slab) / slab.sum()
    assert found.correlation == pytest.approx(expected if share < 0.05 else 0.0, abs=1e-3)
    assert found.correlation == pytest.approx(0.6, abs=0.1)


def test_draws_of_a_correlation_spread_as_its_posterior_does():
    transitions, matrix, margins, _, counts = small(epsilon=2.0)
    many = [np.repeat(m[None, :], 600, axis=0) for m in margins]
    loaded = [margin_of(*each) for each in zip(transitions, margins, many, strict=True)]
    found = association(counts, loaded, np.random.default_rng(2))
    r = np.linspace(-0.979, 0.979, 801)
    tables = [copula(*[loadings(m) for m in margins], one).reshape(-1) for one in r]
    logs = np.log(np.array(tables) @ matrix.T) @ counts.reshape(-1)
    weights = np.exp(logs - logs.max())  # every correlation equally likely
    mean = r @ weights / weights.sum()
    spread = np.sqrt((r - mean) ** 2 @ weights / weights.sum())
    assert found.draws.mean() == pytest.approx(mean, abs=5 * spread / np.sqrt(600))
    assert found.draws.std() == pytest.approx(spread, rel=0.2)


def information(matrix, start):
    """K, made from the whole matrix."""
    root = np.sqrt(start.reshape(-1))
    whole = root[:, None] * (matrix.T / (matrix @ start.reshape(-1))) @ matrix * root
    return whole - np.outer(root, root)


def test_information_and_its_spectrum_are_those_of_the_whole_matrix(monkeypatch):
    transitions, matrix, _, truth, _ = small()
    whole = information(matrix, truth)
    operator = shrinkage.Information(transitions, truth)
    for unit in np.eye(truth.size):
        apart = operator.apart(unit.reshape(truth.shape))
        np.testing.assert_allclose(
            operator.times(apart).reshape(-1), whole @ apart.reshape(-1), atol=1e-12
        )
    exact = shrinkage.spectrum(operator, np.random.default_rng(1))
    for ratio in (0.1, 3.0, 100.0):
        _, wanted = np.linalg.slogdet(np.eye(truth.size) + ratio * whole)
        assert exact.log_determinant(ratio) == pytest.approx(wanted, rel=1e-9)
        freedom = np.trace(ratio * whole @ np.linalg.inv(np.eye(truth.size) + ratio * whole))
        assert exact.freedom(ratio) == pytest.approx(freedom, rel=1e-9)
    monkeypatch.setattr(shrinkage, "FEW", 0)
    monkeypatch.setattr(shrinkage, "PROBES", 600)
    estimated = shrinkage.spectrum(operator, np.random.default_rng(1))
    assert estimated.log_determinant(3.0) == pytest.approx(exact.log_determinant(3.0), rel=0.05)


def test_a_pass_is_bayes_rule_record_by_record():
    transitions, matrix, margins, _, counts = small(shape=(2, 3), records=40)
    start = independent(margins)
    # Every record released, over every cell it may have come from.
    posterior = np.zeros(start.size)
    for number, records in enumerate(counts.reshape(-1)):
        joint = [matrix[number, cell] * start.reshape(-1)[cell] for cell in range(start.size)]
        posterior += records * np.array(joint) / sum(joint)
    share = 0.5
    wanted = (posterior / counts.sum() + share * start.reshape(-1)) / (1.0 + share)
    found, _, made = shrinkage._climb(transitions, counts, start, start, share, 1)
    assert made == 1
    np.testing.assert_allclose(found.reshape(-1), wanted, rtol=1e-9)


def test_draws_around_a_table_have_the_posterior_covariance():
    transitions, matrix, margins, _, counts = small(epsilon=2.0, shape=(3, 3), correlation=-0.9)
    start = np.maximum(independent(margins), 1e-3)
    found = shrinkage.shrunk(transitions, counts, start, 5000, RUN, np.random.default_rng(1))
    pick = len(found.strengths) - 1
    chance = np.random.default_rng(4)
    drawn = np.array([shrinkage._around(found, pick, chance).reshape(-1) for _ in range(6000)])
    begin, size = found.start.reshape(-1), start.size
    precision = found.strengths[pick] * np.eye(size) + counts.sum() * information(matrix, begin)
    root = np.sqrt(begin)
    apart = np.eye(size) - np.outer(root, root)
    wanted = root[:, None] * (apart @ np.linalg.inv(precision) @ apart) * root
    np.testing.assert_allclose(drawn.T @ drawn / 6000, wanted, atol=0.08 * wanted.max())


def test_evidence_stays_where_nothing_is_said_and_leaves_where_much_is():
    transitions, _, margins, truth, counts = small(epsilon=3.0, shape=(5, 6), records=20_000)
    stays = shrinkage.shrunk(transitions, counts, truth, 5000, RUN, np.random.default_rng(1))
    assert stays.weights[0] > 0.9
    leaves = shrinkage.shrunk(
        transitions, counts, independent(margins), 5000, RUN, np.random.default_rng(1)
    )
    assert leaves.weights[0] < 1e-6
    assert np.abs(leaves.table - truth).sum() < 0.25 * np.abs(leaves.start - truth).sum()


def test_a_table_composed_of_its_pairs_has_them():
    chance = np.random.default_rng(2)
    first = chance.dirichlet(np.ones(4 * 3)).reshape(4, 3)
    other = chance.dirichlet(np.ones(5), size=3)  # depends on the second attribute only
    truth = first[:, :, None] * other[None, :, :]
    margins = [truth.sum(axis=tuple({0, 1, 2} - {axis})) for axis in range(3)]
    pairs = {(a, b): truth.sum(axis=3 - a - b) for a, b in ((0, 1), (0, 2), (1, 2))}
    np.testing.assert_allclose(composed(margins, pairs), truth, atol=1e-5)


def test_pairs_that_disagree_make_a_table_all_the_same():
    margins = margins_of(3, 3, 3)
    loaded = [loadings(m) for m in margins]
    # No three attributes have these correlations.
    pairs = {(0, 1): 0.95, (0, 2): 0.95, (1, 2): -0.95}
    made = composed(margins, {p: copula(loaded[p[0]], loaded[p[1]], r) for p, r in pairs.items()})
    assert made.sum() == pytest.approx(1.0)
    assert (made >= 0).all()


@pytest.mark.parametrize("attributes", [2, 3])
def test_what_is_drawn_is_told_of_as_it_is_drawn(attributes):
    rng = np.random.default_rng(4)
    channels = [
        tk.noise.randomized_response(2.0, lower=0, upper=3, integer=True) for _ in range(attributes)
    ]
    x = rng.integers(0, 4, 2_000)
    y = np.column_stack([channel.perturb(x) for channel in channels])
    told = []
    tk.reconstruct.table(y, channels, callback=told.append)
    assert told == sorted(told)
    assert len(told) > 100 * (attributes - 1)
    assert told[-1] <= 1.0

    def stop(share):
        if share > told[len(told) // 2]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tk.reconstruct.table(y, channels, callback=stop)
