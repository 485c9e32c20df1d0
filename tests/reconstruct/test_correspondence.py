"""Where tables with attributes in no order begin: scores, low ranks, and what the records say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.low_rank import rank_one

import tokumei as tk
from tokumei import _check
from tokumei.reconstruct.cells.support import support_of
from tokumei.reconstruct.cells.transitions import product, transition_of
from tokumei.reconstruct.joint import low_rank as ranks
from tokumei.reconstruct.joint import scores
from tokumei.reconstruct.joint.composite import fitted
from tokumei.reconstruct.joint.copula import copula, loadings
from tokumei.reconstruct.joint.correspondence import (
    as_likely,
    correspondence,
    moments,
    table,
)
from tokumei.reconstruct.joint.low_rank import low_rank
from tokumei.reconstruct.joint.scores import DECAY, POLYNOMIALS, scored, side_of

RUN = _check.run(1)


def response(cells, epsilon=2.0):
    channel = tk.noise.randomized_response(epsilon, lower=1, upper=cells, integer=True)
    return transition_of(channel, support_of(channel, None), RUN)


def laplace(cells, scale=2.0):
    channel = tk.noise.laplace(scale, lower=1, upper=cells, integer=True)
    return transition_of(channel, support_of(channel, None), RUN)


def classes(shape, seed=1, spread=0.7, count=2):
    """A table of latent classes: of rank `count`."""
    chance = np.random.default_rng(seed)
    sides = [chance.dirichlet(np.full(length, spread), size=count) + 0.02 for length in shape]
    return np.einsum("ci,cj->ij", *[each / each.sum() / np.sqrt(count) * count for each in sides])


def sides_of(truth, *transitions, ordered=(False, False)):
    margins = truth.sum(axis=1), truth.sum(axis=0)
    return [
        side_of(each, margin, ordered=way)
        for each, margin, way in zip(transitions, margins, ordered, strict=True)
    ]


def expected(truth, transitions, records):
    return records * product(list(transitions), truth, forward=True)


@settings(max_examples=60)
@given(st.integers(2, 12), st.integers(0, 10**6))
def test_scores_without_an_order_have_mean_0_and_variance_1_and_do_not_go_together(cells, seed):
    margin = np.random.default_rng(seed).dirichlet(np.full(cells, 0.7))
    found = scored(margin, ordered=False)
    assert found.shape == (cells, cells - 1)
    np.testing.assert_allclose(found.sum(axis=0), 0.0, atol=1e-9)
    root = np.sqrt(np.maximum(margin, 1e-12))
    held = found / root[:, None]
    np.testing.assert_allclose(held.T @ held, np.eye(cells - 1), atol=1e-9)


def test_scores_move_little_where_a_margin_does():
    margin = np.array([0.0, 0.2, 0.5, 0.3])
    moved = np.array([1e-6, 0.2, 0.5, 0.3 - 1e-6])
    rows = scored(np.array([margin, moved]), ordered=False)
    np.testing.assert_allclose(rows[0], scored(margin, ordered=False), atol=1e-15)
    assert np.abs(rows[0] - rows[1]).max() < 2e-3


@pytest.mark.parametrize("correlation", [-0.6, 0.3])
def test_a_gaussian_copula_is_a_table_of_scores(correlation):
    margins = [np.random.default_rng(n).dirichlet(np.full(9, 3.0)) for n in (1, 2)]
    powers = (correlation / DECAY**2) ** np.arange(POLYNOMIALS) * correlation
    one, other = (scored(margin, ordered=True) for margin in margins)
    found = np.outer(*margins) + one @ np.diag(powers) @ other.T
    wanted = copula(*[loadings(margin) for margin in margins], correlation)
    rest = abs(correlation) ** (POLYNOMIALS + 1) / (1.0 - abs(correlation))
    np.testing.assert_allclose(found, wanted, atol=rest * 0.1)


@settings(max_examples=30)
@given(st.integers(2, 7), st.integers(3, 9), st.booleans(), st.integers(0, 10**6))
def test_moments_of_what_is_released_are_the_coefficients_times_what_is_left(m, n, noisy, seed):
    chance = np.random.default_rng(seed)
    truth = chance.dirichlet(np.ones(m * n)).reshape(m, n)
    transitions = response(m), laplace(n) if noisy else response(n)
    one, other = sides_of(truth, *transitions)
    held = [one.cells / one.margin[:, None], other.cells / other.margin[:, None]]
    coefficients = held[0].T @ truth @ held[1]
    seen = moments(expected(truth, transitions, 400.0), one, other)
    wanted = 20.0 * one.strengths[:, None] * coefficients * other.strengths
    np.testing.assert_allclose(seen, wanted, atol=1e-8)
    assert (one.strengths <= 1.0 + 1e-12).all()
    assert (one.strengths >= 0.0).all()


@pytest.mark.parametrize(
    ("seen", "down", "across"),
    [([[2.5]], [3.0], [1.5]), ([[0.3]], [2.0], [1.0]), ([[2.0], [-1.0]], [3.0, 1.0], [1.2])],
)
def test_a_low_rank_is_what_the_grid_of_the_oracle_has(seen, down, across):
    seen, down, across = np.array(seen), np.array(down), np.array(across)
    most = 0.8
    mean, evidence = rank_one(seen, down, across, most * ranks.SIZES, 32)
    found = [low_rank(seen, down, across, most, np.random.default_rng(seed)) for seed in range(60)]
    means = np.array([one.mean for one in found])
    error = means.std(axis=0) / np.sqrt(len(found))
    assert (np.abs(means.mean(axis=0) - mean) < 4.0 * error + 1e-3).all()
    logs = np.array([one.evidence for one in found])
    assert logs.mean() == pytest.approx(evidence, abs=4.0 * logs.std() / np.sqrt(60) + 0.02)
    # Chains are long enough that one of them says it, too.
    assert logs.std() < 0.5


def test_draws_of_a_low_rank_have_its_mean():
    chance = np.random.default_rng(3)
    seen = chance.normal(size=(5, 4)) + 4.0 * np.outer(np.ones(5), [1.0, -1.0, 0.5, 0.0])
    found = low_rank(seen, np.full(5, 6.0), np.ones(4), 0.25, chance)
    drawn = np.array([found.draw(number) for number in range(len(found.columns))])
    np.testing.assert_allclose(drawn.mean(axis=0), found.mean, atol=1e-12)
    assert drawn.std(axis=0).max() < 2.0 / 6.0
    # The second singular value is noise and is taken for it.
    values = np.linalg.svd(found.mean, compute_uv=False)
    noise = np.linalg.svd(seen / 6.0, compute_uv=False)
    assert values[1] < 0.5 * noise[1]
    assert values[0] > 0.8 * noise[0]


def test_with_records_without_end_the_table_comes_back():
    truth = classes((6, 5))
    transitions = response(6), response(5)
    one, other = sides_of(truth, *transitions)
    counts = expected(truth, transitions, 1e8)
    found = correspondence(counts, one, other, np.random.default_rng(1))
    assert found.independent < 1e-6
    np.testing.assert_allclose(found.table, truth, atol=2e-4)


def test_a_number_goes_with_a_category_behind_other_noise():
    middles = np.array([4.0, 8.0, 10.0])
    rows = np.exp(-0.5 * ((np.arange(16) - middles[:, None]) / 3.0) ** 2)
    truth = rows / rows.sum()
    transitions = response(3), laplace(16)
    one, other = sides_of(truth, *transitions, ordered=(False, True))
    counts = np.rint(expected(truth, transitions, 30_000.0))
    found = correspondence(counts, one, other, np.random.default_rng(1))
    nothing = np.abs(np.multiply.outer(one.margin, other.margin) - truth).sum()
    assert np.abs(found.table - truth).sum() < 0.25 * nothing


def test_what_goes_with_nothing_stays_the_product_of_its_margins():
    margins = [np.random.default_rng(n).dirichlet(np.full(6, 3.0)) for n in (1, 2)]
    truth = np.outer(*margins)
    transitions = response(6, 1.0), response(6, 1.0)
    one, other = sides_of(truth, *transitions)
    p = product(list(transitions), truth, forward=True).reshape(-1)
    kept = 0
    for seed in range(20):
        chance = np.random.default_rng(seed)
        counts = chance.multinomial(5000, p).reshape(6, 6).astype(float)
        found = correspondence(counts, one, other, chance)
        kept += np.array_equal(found.table, np.multiply.outer(one.margin, other.margin))
    assert kept >= 19


def test_the_order_in_which_categories_are_named_says_nothing():
    truth, transitions = classes((7, 6), seed=5), (response(7, 1.5), response(6, 1.5))
    counts = np.rint(expected(truth, transitions, 20_000.0))
    order = np.random.default_rng(2).permutation(7)
    tables = []
    for rows in (np.arange(7), order):
        one, other = sides_of(truth[rows], *transitions)
        found = correspondence(counts[rows], one, other, np.random.default_rng(1))
        tables.append(found.table[np.argsort(rows)])
    assert 0.5 * np.abs(tables[0] - tables[1]).sum() < 0.01
    nothing = np.outer(truth.sum(axis=1), truth.sum(axis=0))
    assert 0.5 * np.abs(nothing - truth).sum() > 0.05


@settings(max_examples=40)
@given(st.integers(2, 8), st.integers(2, 8), st.floats(0.0, 2.0), st.integers(0, 10**6))
def test_a_table_of_scores_is_positive_and_has_its_margins(m, n, far, seed):
    chance = np.random.default_rng(seed)
    truth = chance.dirichlet(np.ones(m * n)).reshape(m, n)
    one, other = sides_of(truth, response(m), response(n))
    found = table(one, other, far * chance.normal(size=(m - 1, n - 1)))
    assert (found > 0.0).all()
    np.testing.assert_allclose(found.sum(axis=0), other.margin, atol=1e-6)
    np.testing.assert_allclose(found.sum(axis=1), one.margin, atol=5e-3)


def test_tables_are_fitted_all_at_once_as_each_by_itself():
    chance = np.random.default_rng(1)
    tables, first = chance.random((3, 4, 5)) + 0.1, chance.dirichlet(np.ones(4))
    second = chance.dirichlet(np.ones(5))
    every = fitted(tables, first, second)
    for found, given_one in zip(every, tables, strict=True):
        np.testing.assert_allclose(found, fitted(given_one, first, second), atol=1e-6)
        odds = found[0, 0] * found[1, 1] / (found[0, 1] * found[1, 0])
        wanted = given_one[0, 0] * given_one[1, 1] / (given_one[0, 1] * given_one[1, 0])
        assert odds == pytest.approx(wanted, rel=1e-9)


def test_as_many_draws_are_independent_as_that_is_probable():
    truth, transitions = classes((5, 5), seed=3), (response(5, 1.0), response(5, 1.0))
    one, other = sides_of(truth, *transitions)
    rows = [np.repeat(each.margin[None], 200, axis=0) for each in (one, other)]
    shares = []
    for records in (300.0, 1500.0, 100_000.0):
        counts = np.rint(expected(truth, transitions, records))
        found = correspondence(counts, one, other, np.random.default_rng(1))
        drawn = as_likely(found, (one, other), tuple(rows), np.random.default_rng(2))
        nothing = np.multiply.outer(one.margin, other.margin)
        none = np.abs(drawn - nothing).sum(axis=(1, 2)) < 1e-9
        assert none.mean() == pytest.approx(found.independent, abs=0.01)
        np.testing.assert_allclose(drawn.sum(axis=(1, 2)), 1.0)
        shares.append(none.mean())
    assert shares[0] > 0.2
    assert shares[-1] == 0.0


def test_draws_hold_cells_that_are_empty():
    truth = np.zeros((4, 5))
    truth[np.arange(4), np.arange(4)] = truth[np.arange(4), np.arange(1, 5)] = 0.125
    transitions = response(4, 3.0), response(5, 3.0)
    one, other = sides_of(truth, *transitions)
    counts = np.rint(expected(truth, transitions, 20_000.0))
    found = correspondence(counts, one, other, np.random.default_rng(1))
    rows = tuple(np.repeat(each.margin[None], 100, axis=0) for each in (one, other))
    drawn = as_likely(found, (one, other), rows, np.random.default_rng(2))
    assert (np.quantile(drawn, 0.05, axis=0)[truth == 0.0] == 0.0).mean() > 0.8


def test_a_single_cell_and_too_many_categories_begin_independent(monkeypatch):
    channel = tk.noise.laplace(2.0, lower=0, upper=4, integer=True)
    single = side_of(transition_of(channel, support_of(channel, 1), RUN), np.ones(1), ordered=True)
    few = side_of(response(3), np.full(3, 1 / 3), ordered=False)
    found = correspondence(np.full((3, 3), 6.0), single, few, np.random.default_rng(1))
    np.testing.assert_allclose(found.table, np.full((1, 3), 1 / 3))
    assert found.independent == 1.0
    truth = classes((6, 5))
    monkeypatch.setattr(scores, "MOST_CATEGORIES", 5)
    one, other = sides_of(truth, response(6), response(5))
    assert len(other.strengths) == 4
    counts = expected(truth, (response(6), response(5)), 1e8)
    found = correspondence(counts, one, other, np.random.default_rng(1))
    np.testing.assert_allclose(found.table, np.outer(truth.sum(axis=1), truth.sum(axis=0)))
    rows = one.margin[None], other.margin[None]
    drawn = as_likely(found, (one, other), rows, np.random.default_rng(1))
    np.testing.assert_allclose(drawn[0], found.table, atol=1e-9)
