"""The kernels of EM for mixtures: every step and climb against the formulas, and the same bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import em
from oracle import mixtures as oracle

from tokumei import _check
from tokumei._kernels import reconstruct as kernel
from tokumei._kernels import runtime
from tokumei.reconstruct.mixture.components import Components
from tokumei.reconstruct.mixture.noisy_values import NoisyValues

RUN = _check.run(1)
LEVELS = range(runtime.best_instruction_set() + 1)


def parts(components):
    return components.weights, components.means, components.deviations


@st.composite
def mixtures_and_records(draw):
    count = draw(st.integers(1, 5))
    weights = np.array(draw(st.lists(st.floats(1e-3, 1.0), min_size=count, max_size=count)))
    means = np.array(draw(st.lists(st.floats(-20.0, 20.0), min_size=count, max_size=count)))
    powers = st.lists(st.floats(-3.0, 2.0), min_size=count, max_size=count)
    deviations = 10.0 ** np.array(draw(powers))
    y = draw(st.lists(st.floats(-40.0, 40.0), min_size=1, max_size=40))
    atoms = draw(st.integers(0, count - 1))
    if atoms:
        deviations[-atoms:] = 0.0
    return Components(weights / weights.sum(), means, deviations, atoms), np.sort(y)


@st.composite
def tame_mixtures_and_records(draw):
    """Components that hold something and move: rounding stays rounding over a few steps."""
    count, atoms = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    y = np.sort(chance.normal(0, 3, 60) + chance.laplace(0, 1, 60))
    deviations = np.append(chance.uniform(0.5, 2.0, count), np.zeros(atoms))
    means = np.sort(chance.uniform(-4.0, 4.0, count + atoms))
    return Components(chance.dirichlet(np.full(count + atoms, 5.0)), means, deviations, atoms), y


@settings(max_examples=40)
@given(mixtures_and_records())
def test_a_pass_is_the_sum_over_records(case):
    components, y = case
    counts = np.arange(1.0, len(y) + 1)
    sums = np.empty((len(components.weights), 3), order="F")
    loglik = kernel.mixture_pass(y, counts, *parts(components), sums, RUN)
    truth, truth_loglik = oracle.em_step(y, counts, *parts(components))
    assert loglik == pytest.approx(truth_loglik, rel=1e-12, abs=1e-12)
    assert sums == pytest.approx(
        truth, rel=1e-11, abs=1e-11 * counts.sum() + 1e-12 * abs(truth).max()
    )


def line_step(y, counts, atoms):
    """One step of EM on the whole line, from the sums of the records."""

    def step(mixture):
        weights, means, deviations = mixture
        sums, loglik = oracle.em_step(y, counts, weights, means, deviations)
        held, first, second = sums.T
        shift, square = first / held, second / held
        free = np.arange(len(held)) < len(held) - atoms
        spread = np.sqrt(np.maximum(square - shift**2, 0.0))
        new = held / held.sum(), means + deviations * shift * free, deviations * spread
        return new, loglik

    return step


@settings(max_examples=10, deadline=None)
@given(tame_mixtures_and_records())
def test_a_climb_on_the_line_is_that_of_the_formulas(case):
    components, y = case
    y, counts = y[:20], np.arange(1.0, 21.0)
    found = NoisyValues(y, counts, None, RUN).climb(components, 1e-5, 6, True)
    step = line_step(y, counts, components.atoms)
    truth, trace, steps = em.squarem(step, parts(components), components.atoms, 1e-5, 6)
    assert found.steps == steps
    np.testing.assert_allclose(found.trace, trace, rtol=1e-9)
    for one, other in zip(parts(found.components), truth, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)


@settings(max_examples=60, deadline=None)
@given(tame_mixtures_and_records(), st.booleans())
def test_a_climb_between_bounds_is_that_of_the_formulas(case, whole):
    components, y = case
    edges = np.arange(-5.5, 6.0) if whole else np.linspace(-5.0, 5.0, 31)
    counts = np.arange(1.0, len(y) + 1)
    found = NoisyValues(y, counts, edges, RUN).climb(components, 1e-5, 9, True)

    def step(mixture):
        return em.bounded_step(y, counts, edges, mixture, components.atoms)

    truth, trace, steps = em.squarem(step, parts(components), components.atoms, 1e-5, 9)
    assert found.steps == steps
    np.testing.assert_allclose(found.trace, trace, rtol=1e-9)
    for one, other in zip(parts(found.components), truth, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)
    assert NoisyValues(y, counts, edges, RUN).loglik(components) == pytest.approx(
        trace[0], rel=1e-12
    )


@settings(max_examples=200)
@given(mixtures_and_records(), st.booleans())
def test_the_likelihood_never_falls(case, accelerated):
    components, y = case
    found = NoisyValues(y, None, None, RUN).climb(components, 1e-9, 60, accelerated)
    trace = np.array(found.trace)
    assert np.isfinite(trace).all()
    assert (np.diff(trace) >= -1e-10 * np.abs(trace[1:]).max(initial=1.0)).all()


@settings(max_examples=60)
@given(mixtures_and_records(), st.booleans(), st.booleans())
def test_the_likelihood_never_falls_between_bounds(case, integer, accelerated):
    components, y = case
    means = np.clip(components.means, -15.0, 15.0)
    start = Components(components.weights, means, components.deviations, components.atoms)
    edges = np.arange(-15.5, 16.0) if integer else np.linspace(-15.0, 15.0, 101)
    found = NoisyValues(y, None, edges, RUN).climb(start, 1e-9, 30, accelerated)
    trace = np.array(found.trace)
    assert np.isfinite(trace).all()
    assert (np.diff(trace) >= -1e-8 * np.abs(trace[1:]).max(initial=1.0)).all()


@pytest.mark.parametrize("rows", [1, 31, 32, 33, 2047, 2048, 2049, 9000])
def test_threads_and_instruction_sets_change_no_bit(rows):
    chance = np.random.default_rng(rows)
    y = chance.laplace(0, 3, rows)
    counts = chance.integers(0, 5, rows).astype(np.float64) + 1
    weights, means = np.array([0.5, 0.2, 0.0, 0.3]), np.array([0.0, 2.0, 5.0, 1.0])
    deviations = np.array([1.0, 7.0, 1.0, 0.0])
    seen = set()
    for level in LEVELS:
        for threads in (1, 2, 3, 8):
            run = _check.Run(threads, level)
            sums = np.empty((4, 3), order="F")
            members, logs = np.empty((rows, 4), order="F"), np.empty(rows)
            mixture = weights, means, deviations
            loglik = kernel.mixture_pass(y, counts, *mixture, sums, run)
            kernel.mixture_posterior(y, None, *mixture, 1, members, logs, run)
            seen.add((loglik, sums.tobytes(), members.tobytes(), logs.tobytes()))
            assert not sums[2].any()
            assert members.sum(axis=1) == pytest.approx(np.ones(rows), rel=1e-14)
            assert loglik == pytest.approx(float(counts @ logs), rel=1e-12)
    assert len(seen) == 1


@pytest.mark.parametrize("edges", [None, np.arange(-9.5, 10.0), np.linspace(-9, 9, 1000)])
def test_climbs_have_the_same_bits_on_all_threads_and_instruction_sets(edges):
    y = np.sort(np.random.default_rng(1).laplace(0, 3, 5000))
    start = Components(
        np.array([0.4, 0.3, 0.3]), np.array([-2.0, 3.0, 1.0]), np.array([1.0, 2.0, 0.0]), 1
    )
    seen = set()
    for level in LEVELS:
        for threads in (1, 3):
            records = NoisyValues(y, None, edges, _check.Run(threads, level))
            found = records.climb(start, 1e-5, 200, True)
            members, logs = records.members(found.components)
            learned = [part.tobytes() for part in (*parts(found.components), members, logs)]
            seen.add((found.trace, *learned))
    assert len(seen) == 1


@given(
    st.lists(st.integers(-30, 30), min_size=1, max_size=60), st.integers(1, 6), st.integers(1, 9)
)
def test_clusters_on_a_line_are_those_of_the_formulas(values, count, unit):
    y = np.sort(np.array(values) / unit)
    counts = 1.0 + np.arange(len(y)) % 4
    start = y[np.linspace(0, len(y) - 1, count).astype(int)]
    means, weights, squares = start.copy(), np.empty(count), np.empty(count)
    kernel.line_clusters(y, counts, means, weights, squares, RUN)
    for found, truth in zip((means, weights, squares), em.clusters(y, counts, start), strict=True):
        assert found.tolist() == truth.tolist()


@given(
    st.lists(st.floats(0.01, 3.0), min_size=1, max_size=12),
    st.floats(-5.0, 12.0),
    st.floats(-2.0, 2.0),
)
def test_cells_hold_what_the_normal_distribution_gives_them(widths, mean, power):
    edges = np.cumsum([0.0, *widths])
    for deviation in (10.0**power, 0.0):
        masses = np.empty(len(widths))
        kernel.normal_cells(edges, mean, deviation, masses, RUN)
        if deviation > 0.0:
            truth = em.normal_cells(edges, mean, deviation)
        else:
            truth = np.histogram([mean], edges)[0]
        np.testing.assert_allclose(masses, truth, rtol=1e-9, atol=1e-16)


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(5, 20), st.integers(0, 10**6))
def test_the_evidence_of_a_mixture_is_made_of_what_it_is_said_to_be(count, cells, seed):
    chance = np.random.default_rng(seed)
    edges = np.linspace(0.0, 1.0, cells + 1)
    logits, means = chance.normal(size=count - 1), chance.uniform(0, 1, count)
    parameters = np.concatenate([logits, means, chance.uniform(-3, 0, count)])
    matrix = chance.dirichlet(np.ones(cells + 2), cells).T.copy()
    counts = chance.integers(0, 50, cells + 2).astype(np.float64)
    prior = chance.uniform(0.2, 3.0, len(parameters))
    found, factor = np.empty(cells), np.empty((len(prior), len(prior)))
    kernel_value = kernel.mixture_evidence(
        edges, parameters, matrix.reshape(-1), counts, prior, found, factor.reshape(-1), RUN
    )
    np.testing.assert_allclose(found, em.cut_mixture(edges, parameters), rtol=1e-10)
    truth = em.evidence_parts(edges, parameters, matrix, counts, prior)
    np.testing.assert_allclose(kernel_value, truth, rtol=1e-7, atol=1e-9)
    upper = np.triu(factor)
    np.testing.assert_allclose(np.linalg.slogdet(upper.T @ upper)[1], truth[1], rtol=1e-7)
