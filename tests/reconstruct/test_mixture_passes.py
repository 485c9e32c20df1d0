"""Passes of EM: the sum over records, never a lower likelihood, the same bits everywhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from builders.mixtures import paper_data
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import mixtures as oracle

import tokumei as tk
from tokumei import _check
from tokumei._kernels import reconstruct as kernel
from tokumei._kernels import runtime
from tokumei.reconstruct.mixture.bins import binned
from tokumei.reconstruct.mixture.bounded import Bounded, cell_edges
from tokumei.reconstruct.mixture.components import Components
from tokumei.reconstruct.mixture.squarem import climb
from tokumei.reconstruct.mixture.unbounded import Unbounded

LaplaceMixture = tk.reconstruct.LaplaceMixture
RUN = _check.Run(1, 0)


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


@settings(max_examples=40)
@given(mixtures_and_records())
def test_a_pass_is_the_sum_over_records(case):
    components, y = case
    counts = np.arange(1.0, len(y) + 1)
    sums, loglik = Unbounded(y, counts, RUN).expect(components)
    parts = components.weights, components.means, components.deviations
    truth, truth_loglik = oracle.em_step(y, counts, *parts)
    assert loglik == pytest.approx(truth_loglik, rel=1e-12, abs=1e-12)
    assert sums == pytest.approx(
        truth, rel=1e-11, abs=1e-11 * counts.sum() + 1e-12 * abs(truth).max()
    )


@settings(max_examples=200)
@given(mixtures_and_records(), st.booleans())
def test_the_likelihood_never_falls(case, accelerated):
    components, y = case
    found = climb(Unbounded(y, None, RUN), components, 1e-9, 60, accelerated)
    trace = np.array(found.trace)
    assert np.isfinite(trace).all()
    assert (np.diff(trace) >= -1e-10 * np.abs(trace[1:]).max(initial=1.0)).all()


@settings(max_examples=60)
@given(mixtures_and_records(), st.booleans(), st.booleans())
def test_the_likelihood_never_falls_between_bounds(case, integer, accelerated):
    components, y = case
    components = replace(components, means=np.clip(components.means, -15.0, 15.0))
    edges = cell_edges(-15.0, 15.0, integer, 1.0) if integer else np.linspace(-15.0, 15.0, 101)
    step = Bounded(y, np.ones(len(y)), edges, RUN)
    found = climb(step, components, 1e-9, 30, accelerated)
    trace = np.array(found.trace)
    assert np.isfinite(trace).all()
    assert (np.diff(trace) >= -1e-8 * np.abs(trace[1:]).max(initial=1.0)).all()


@pytest.mark.parametrize("seed", range(4))
def test_acceleration_reaches_what_plain_steps_reach(seed):
    _, y = paper_data(2000, 1.0, seed)
    plain = LaplaceMixture(3, 1.0, n_init=1, accelerate=False).fit(y)
    fast = LaplaceMixture(3, 1.0, n_init=1).fit(y)
    assert fast.loglik_ >= plain.loglik_ - 1e-2
    assert fast.n_iter_ < plain.n_iter_


@pytest.mark.parametrize("rows", [1, 31, 32, 33, 2047, 2048, 2049, 9000])
def test_threads_and_instruction_sets_change_no_bit(rows):
    chance = np.random.default_rng(rows)
    y = chance.laplace(0, 3, rows)
    counts = chance.integers(0, 5, rows).astype(np.float64) + 1
    weights, means = np.array([0.5, 0.2, 0.0, 0.3]), np.array([0.0, 2.0, 5.0, 1.0])
    deviations = np.array([1.0, 7.0, 1.0, 0.0])
    seen = set()
    for level in range(runtime.best_instruction_set() + 1):
        for threads in (1, 2, 3, 8):
            run = _check.Run(threads, level)
            sums = np.empty((4, 3), order="F")
            members, logs = np.empty((rows, 4), order="F"), np.empty(rows)
            parts = weights, means, deviations
            loglik = kernel.mixture_pass(y, counts, *parts, sums, run)
            kernel.mixture_members(y, *parts, members, logs, run)
            seen.add((loglik, sums.tobytes(), members.tobytes(), logs.tobytes()))
            assert not sums[2].any()
            assert members.sum(axis=1) == pytest.approx(np.ones(rows), rel=1e-14)
            assert loglik == pytest.approx(float(counts @ logs), rel=1e-12)
    assert len(seen) == 1


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
    exact = Unbounded(u, None, RUN).expect(shape)[1]
    short = Unbounded(few, counts, RUN).expect(shape)[1]
    assert abs(exact - short) < len(y) * 0.01**2 / 24
    fits = [
        LaplaceMixture(3, 2.0, binned=choice, n_init=1, tol=1e-3).fit(y) for choice in (True, False)
    ]
    assert fits[0].loglik_ == pytest.approx(fits[1].loglik_, abs=0.5)
