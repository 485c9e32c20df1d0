"""Cells behind noise: products in O(cells), and iterative Bayes."""

from dataclasses import replace

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import perturbed

import tokumei as tk
from tokumei import _check
from tokumei._kernels import reconstruct as kernel
from tokumei.reconstruct.cells.iterative_bayes import passes
from tokumei.reconstruct.cells.support import support_of
from tokumei.reconstruct.cells.transitions import (
    DENSE,
    SQUARE_WAVE,
    CellTransition,
    atom_columns,
    product,
    transition_of,
)

RUN = _check.run(1)
COUNTS = np.random.default_rng(5)


def dense(matrix):
    axis = np.array([DENSE, matrix.shape[1], matrix.shape[0], 0])
    return CellTransition(axis, np.ascontiguousarray(matrix).reshape(-1), np.empty(0), RUN)


def edges_of(whole):
    steps = st.lists(st.integers(1, 6), min_size=2, max_size=12)
    return steps.map(lambda s: np.cumsum([0, *s]) - (0.5 if whole else 0.0))


def channels_and_cells():
    """A channel of each kind with cells that suit it."""
    scales = st.floats(0.3, 500.0)

    def whole(scale, edges):
        return tk.noise.laplace(scale, lower=0, upper=edges[-1] - 0.5, integer=True), edges

    def continuous(scale, edges):
        return tk.noise.laplace(scale, lower=0, upper=edges[-1]), edges

    def scattering(make, epsilon, m, reach):
        more = {} if make is tk.noise.randomized_response else {"reach": reach}
        channel = make(epsilon, lower=0, upper=m - 1, integer=True, **more)
        return channel, channel.edges

    return st.one_of(
        st.builds(whole, scales, edges_of(whole=True)),
        st.builds(continuous, scales, edges_of(whole=False)),
        st.builds(
            scattering,
            st.sampled_from([tk.noise.randomized_response, tk.noise.square_wave]),
            st.floats(0.01, 8.0),
            st.integers(2, 40),
            st.integers(0, 45),
        ),
    )


def folded(channel, cells):
    """The channel's own matrix, with all that lies beyond Laplace input cells in two end cells."""
    matrix, edges = channel.transition(cells), channel.outputs(cells)
    if channel.mechanism != "laplace":
        return matrix
    below = int(np.searchsorted(edges, cells[0]))
    inside = below + len(cells) - 1
    return np.vstack([matrix[:below].sum(0), matrix[below:inside], matrix[inside:].sum(0)])


@given(channels_and_cells())
def test_transitions_are_the_matrices_of_their_channels(given):
    channel, cells = given
    transition = transition_of(channel, support_of(channel, cells), RUN)
    expected = folded(channel, cells)
    np.testing.assert_allclose(transition.matrix(), expected, rtol=1e-11, atol=0)
    w = np.random.default_rng(len(cells)).uniform(size=transition.outputs)
    np.testing.assert_allclose(product([transition], w, forward=False), expected.T @ w, rtol=1e-11)


@pytest.mark.parametrize("steps", [[1] * 12, [1, 3, 2, 6], [9, 1]])
@pytest.mark.parametrize("scale", [0.7, 4.0, 60.0])
def test_cells_of_whole_numbers_hold_sums_of_the_geometric_law(steps, scale):
    edges = np.cumsum([0, *steps]) - 0.5
    channel = tk.noise.laplace(scale, lower=0, upper=edges[-1] - 0.5, integer=True)
    transition = transition_of(channel, support_of(channel, edges), RUN)
    rate = channel.rate / 2**64
    np.testing.assert_allclose(transition.matrix(), oracle.whole_matrix(edges, rate), rtol=1e-11)


@pytest.mark.parametrize("scale", [0.5, 3.0, 80.0])
def test_whole_numbers_and_atoms_behind_continuous_noise_are_points(scale):
    channel = tk.noise.laplace(scale, lower=0, upper=9)
    edges = np.arange(-0.5, 10)
    support = support_of(channel, edges, integer=True, atoms=[0, 4])
    transition = transition_of(channel, support, RUN)
    decay = channel.lattice / (channel.rate / 2**64)
    expected = oracle.point_matrix(edges, np.arange(10.0), decay)
    np.testing.assert_allclose(transition.matrix(), expected, rtol=1e-11, atol=1e-15)
    np.testing.assert_allclose(
        atom_columns(channel, support, transition), expected[:, [0, 4]], rtol=1e-11, atol=1e-15
    )
    joined = support_of(channel, [-0.5, 3.5, 9.5], integer=True)
    coarse = transition_of(channel, joined, RUN).matrix()
    by_hand = np.stack([expected[:, :4].mean(1), expected[:, 4:].mean(1)], axis=1)
    np.testing.assert_allclose(coarse[[0, -1]], by_hand[[0, -1]], rtol=1e-11, atol=1e-15)


def test_a_table_transitions_by_the_kronecker_product():
    one = tk.noise.laplace(3.0, lower=0, upper=6, integer=True)
    two = tk.noise.randomized_response(1.0, lower=0, upper=4, integer=True)
    three = tk.noise.square_wave(0.7, lower=0, upper=8, integer=True, reach=2)
    transitions = [
        transition_of(channel, support_of(channel, None), RUN) for channel in (one, two, three)
    ]
    transitions.insert(1, dense(COUNTS.dirichlet(np.ones(5), size=3).T))
    a, b, c, d = (transition.matrix() for transition in transitions)
    p = COUNTS.dirichlet(np.ones(7 * 3 * 5 * 9)).reshape(7, 3, 5, 9)
    forward = np.einsum("ai,bj,ck,dl,ijkl->abcd", a, b, c, d, p)
    np.testing.assert_allclose(product(transitions, p, forward=True), forward, rtol=1e-12)
    backward = np.einsum("ai,bj,ck,dl,abcd->ijkl", a, b, c, d, forward)
    np.testing.assert_allclose(product(transitions, forward, forward=False), backward, rtol=1e-12)


def test_fringes_of_windows_are_the_parts_of_cut_cells():
    # Windows of two cells and a part below; every second one has a part above as well.
    inputs, outputs = 6, 9
    first, last = np.arange(1.0, 7), np.arange(3.0, 9)
    lower, upper = np.full((inputs, 1), 0.05), np.zeros((inputs, 1))
    upper[::2] = 0.02
    everywhere, window = np.linspace(0.01, 0.02, outputs), np.linspace(0.1, 0.2, outputs)
    expected = np.tile(everywhere[:, None], (1, inputs))
    for c in range(inputs):
        expected[int(first[c]) : int(last[c]), c] += window[int(first[c]) : int(last[c])]
        expected[int(first[c]) - 1, c] += lower[c, 0]
        expected[int(last[c]), c] += upper[c, 0]
    parts = [everywhere, window, first, last, lower.ravel(), upper.ravel()]
    axis = np.array([SQUARE_WAVE, inputs, outputs, 1])
    transition = CellTransition(axis, np.concatenate(parts), np.empty(0), RUN)
    np.testing.assert_allclose(transition.matrix(), expected, rtol=1e-14)
    w = np.linspace(1, 2, outputs)
    np.testing.assert_allclose(product([transition], w, forward=False), expected.T @ w, rtol=1e-14)


def problem(seed=3, records=4000):
    channel = tk.noise.laplace(3.0, lower=0, upper=20, integer=True)
    x = np.random.default_rng(seed).binomial(20, 0.4, records)
    y = perturbed(channel, x)
    transition = transition_of(channel, support_of(channel, None), RUN)
    return channel, y, transition, transition.counts(y)


@given(channels_and_cells(), st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 1.0]))
def test_passes_are_those_of_the_oracle(given, seed, smooth):
    channel, cells = given
    transition = transition_of(channel, support_of(channel, cells), RUN)
    matrix = transition.matrix()
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 50, transition.outputs).astype(float)
    counts[rng.integers(transition.outputs)] += 1
    p = expected = rng.dirichlet(np.full(transition.inputs, 5.0)) + 1e-6
    for _ in range(7):
        expected = oracle.bayes_pass(matrix, counts, expected)
        if smooth:
            expected = oracle.smoothed(expected, smooth)
    found, loglik, n_iter, converged = passes(
        [transition], counts, p, max_iter=7, smooth=smooth, run=RUN
    )
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-200)
    assert loglik == pytest.approx(oracle.cell_loglik(matrix, counts, found), rel=1e-12)
    assert (n_iter, converged) == (7, False)


@pytest.mark.parametrize("accelerate", [False, True])
def test_the_likelihood_never_falls(accelerate):
    channel, y, _, _ = problem()
    logliks = [
        tk.reconstruct.iterative_bayes(y, channel, max_iter=most, accelerate=accelerate).loglik
        for most in range(1, 80)
    ]
    slack = 1e-9 if not accelerate else 0.05  # the last step may stand before its second pass
    assert (np.diff(logliks) >= -slack).all()
    assert logliks[-1] > logliks[0]


def test_acceleration_reaches_in_fewer_passes_what_plain_passes_reach_later():
    channel, y, _, _ = problem()
    plain = tk.reconstruct.iterative_bayes(y, channel, max_iter=4000)
    quick = tk.reconstruct.iterative_bayes(y, channel, max_iter=400, accelerate=True)
    assert quick.loglik >= plain.loglik
    assert quick.probabilities.sum() == pytest.approx(1.0, abs=1e-12)


def test_passes_stop_where_they_gain_less_than_asked():
    channel, y, _, _ = problem()
    found = tk.reconstruct.iterative_bayes(y, channel, max_iter=5000, tol=0.5)
    assert found.converged
    assert found.n_iter < 5000
    before = tk.reconstruct.iterative_bayes(y, channel, max_iter=found.n_iter - 1)
    assert 0 <= found.loglik - before.loglik < 0.5


def test_bits_do_not_depend_on_instructions(instructions):
    assert instructions
    run = _check.run(1)
    _, _, transition, _ = problem()
    counts = np.arange(transition.outputs, dtype=float) ** 2
    wave = tk.noise.square_wave(1.0, lower=0, upper=50, integer=True, reach=9)
    matrix = replace(transition, run=run).matrix()
    axes = [transition, transition_of(wave, support_of(wave, None), run), dense(matrix)]
    start = np.full((21, 51, 21), 1.0)
    table = np.multiply.outer(np.multiply.outer(counts, np.arange(69.0)), counts)
    found = passes(axes, table, start / start.size, max_iter=6, accelerate=True, run=run)
    alone = passes([transition], counts, np.full(21, 1 / 21), max_iter=99, accelerate=True, run=run)
    bits = (found[0].tobytes(), found[1], alone[0].tobytes(), alone[1])
    assert SEEN.setdefault("bits", bits) == bits


SEEN: dict[str, object] = {}


def test_wide_noise_of_many_cells_stays_finite():
    channel = tk.noise.laplace(1e-2, lower=0, upper=3000, integer=False)
    y = perturbed(channel, np.linspace(0, 3000, 50))
    found = tk.reconstruct.iterative_bayes(y, channel, cells=3000, max_iter=3000, accelerate=True)
    assert np.isfinite(found.probabilities).all()
    assert found.probabilities.sum() == pytest.approx(1.0, abs=1e-9)


def test_values_that_cannot_have_been_released_are_refused():
    transition = dense(np.array([[1.0, 1.0], [0.0, 0.0]]))
    with pytest.raises(ValueError, match="never releases"):
        passes([transition], np.array([3.0, 1.0]), np.array([0.5, 0.5]), max_iter=3, run=RUN)


def test_callbacks_can_end_the_passes():
    _, _, transition, counts = problem()

    def stop(share):
        raise RuntimeError(str(share <= 1))

    with pytest.raises(RuntimeError, match="True"):
        passes([transition], counts, np.full(21, 1 / 21), max_iter=10**9, run=_check.run(1, stop))


@pytest.mark.parametrize(
    ("axes", "coefficients"),
    [
        ([9, 2, 2, 0], 4),
        ([0, 2, 2, 0], 3),
        ([0, 2, 2, 0], 5),
        ([1, 3, 2, 0], 13),
        ([2, 2, 3, 0], 4),
        ([3, 1, 1, 0], 4),
        ([], 0),
    ],
)
def test_transitions_that_do_not_fit_are_refused(axes, coefficients):
    numbers = np.full(coefficients, 7.0) if coefficients else np.ones(1)
    layout = np.array(axes or [0, 0, 0, 0], dtype=np.int64)
    with pytest.raises(ValueError, match="transition"):
        kernel.transition_cells(layout, numbers, np.ones(2), np.empty(2), True, _check.Run(1, 0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_iter": 0}, "max_iter must be at least 1"),
        ({"tol": -1.0}, "tol must not be negative"),
        ({"smooth": 1.5}, "smooth must be from 0 to 1"),
        ({"smooth": 0.1, "accelerate": True}, "accelerate cannot be combined"),
        ({"start": [1.0]}, "start must hold one number for each"),
        ({"start": np.zeros(21)}, "start must be positive"),
        ({"cells": 0}, "cells must be between 1 and"),
        ({"cells": [0, 5]}, "cells must cover the bounds"),
        ({"cells": [-0.5, 0.4, 0.6, 20.5]}, "must hold a whole number"),
        ({"lower": 5, "upper": 5}, "lower must be below upper"),
    ],
)
def test_wrong_arguments_get_a_clear_answer(options, message):
    channel, y, _, _ = problem(records=50)
    with pytest.raises(ValueError, match=message):
        tk.reconstruct.iterative_bayes(y, channel, **({"max_iter": 5} | options))


def test_y_must_hold_numbers_and_the_channel_be_one():
    channel = tk.noise.laplace(3.0, lower=0, upper=20, integer=True)
    for y, message in (([], "y is empty"), ([1.0, np.nan], "missing values")):
        with pytest.raises(ValueError, match=message):
            tk.reconstruct.iterative_bayes(y, channel, max_iter=5)
    with pytest.raises(TypeError, match="channel must be of kind"):
        tk.reconstruct.iterative_bayes([1.0], "laplace", max_iter=5)
