"""Channels: their transition matrices, their lattice, and what they refuse."""

import math
from fractions import Fraction

import numpy as np
import oracle
import pytest
from builders.channels import MECHANISMS, channels_of
from hypothesis import assume, given
from hypothesis import strategies as st

import tokumei as tk

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")
noise = tk.noise
ADULT = {"age": (17, 90, 14.0508), "gain": (0, 99_999, 19_247.530), "education": (1, 16, 2.88716)}


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_channel_has_the_interface(name):
    channel = channels_of(2.0)[name]
    assert isinstance(channel, noise.Channel)
    assert (channel.lower, channel.upper, channel.integer) == (1.0, 5.0, True)
    assert channel.lattice == 1.0
    cells = np.arange(0.5, 6)
    out = channel.outputs(cells)
    t = channel.transition(cells)
    assert t.shape == (len(out) - 1, 5)
    np.testing.assert_allclose(t.sum(axis=0), 1.0, rtol=1e-13)
    assert t.min() >= 0
    y = channel.perturb([1, 5, 5], insecure_seed_for_tests=1)
    assert y.dtype == np.float64
    assert y.shape == (3,)
    density = channel.log_density((out[:-1] + out[1:])[1:-1] / 2, np.arange(1.0, 6))
    np.testing.assert_allclose(np.exp(density), t[1:-1], rtol=1e-12)


@pytest.mark.parametrize("name", MECHANISMS)
def test_what_comes_out_follows_the_transition_matrix(name):
    channel = channels_of(1.2)[name]
    x = np.arange(1, 6).repeat(60_000)
    y = channel.perturb(x, insecure_seed_for_tests=11, n_threads=2)
    cells = np.arange(0.5, 6)
    out = channel.outputs(cells).copy()
    expected = channel.transition(cells).sum(axis=1) * 60_000
    counts = np.histogram(np.clip(y, out[0], out[-1]), out)[0]
    held = expected > 10
    chi = ((counts - expected)[held] ** 2 / expected[held]).sum()
    assert chi < held.sum() + 5 * np.sqrt(2 * held.sum())


@given(
    scale=st.floats(0.2, 300),
    width=st.integers(1, 7),
    count=st.integers(1, 6),
    integer=st.booleans(),
)
def test_laplace_transitions_are_sums_over_all_steps(scale, width, count, integer):
    upper = width * count
    channel = noise.laplace(scale, lower=-3, upper=upper, integer=integer)
    cells = np.arange(count + 1) * width - 0.5
    t = channel.transition(cells)
    out = channel.outputs(cells)
    assert t[0].max() < 1e-9
    assert t[-1].max() < 1e-9
    if integer:
        steps = np.arange(math.ceil(out[0]), math.floor(out[-1]) + 1)
        a = math.exp(-channel.rate / 2**64)
        x = np.arange(upper)
        chance = (1 - a) / (1 + a) * a ** np.abs(steps[:, None] - x)
        row = np.searchsorted(out, steps, side="right") - 1
        brute = np.zeros((len(out) - 1, len(x)))
        np.add.at(brute, row, chance)
        brute = brute.reshape(len(out) - 1, count, width).mean(axis=2)
    else:

        def twice_integrated(z):  # the integral of the distribution function
            return np.maximum(z, 0) + channel.scale / 2 * np.exp(-np.abs(z) / channel.scale)

        starts, ends = cells[:-1], cells[1:]
        below = (
            twice_integrated(out[:, None] - starts) - twice_integrated(out[:, None] - ends)
        ) / width
        brute = np.diff(below, axis=0)
    np.testing.assert_allclose(t[1:-1], brute[1:-1], rtol=1e-6, atol=1e-11)
    np.testing.assert_allclose(t.sum(axis=0), 1.0, rtol=1e-12)


@given(st.integers(2, 40), st.integers(0, 50), st.floats(0.05, 30))
def test_other_cells_are_mixtures_of_the_own_ones(cells, reach, epsilon):
    channel = noise.square_wave(epsilon, lower=0, upper=cells, cells=cells, reach=reach)
    own = channel.transition(channel.edges)
    assert own.shape == (cells + 2 * reach, cells)
    np.testing.assert_allclose(own.sum(axis=0), 1.0, rtol=1e-12)
    halves = channel.transition(np.linspace(0, cells, 2 * cells + 1))
    np.testing.assert_allclose(halves, own.repeat(2, axis=1), rtol=1e-12)
    whole = channel.transition([0, cells])
    np.testing.assert_allclose(whole[:, 0], own.mean(axis=1), rtol=1e-12)


def test_cells_of_whole_numbers_can_be_wide():
    gain = noise.randomized_response(5.0, lower=0, upper=99_999, integer=True, cells=100)
    assert gain.cells == 100
    np.testing.assert_array_equal(gain.edges[:2], [-0.5, 999.5])
    np.testing.assert_array_equal(gain.released_values[:2], [499.5, 1499.5])
    assert gain.codes(np.array([0.0, 999.0, 1000.0, 99_999.0])).tolist() == [0, 0, 1, 99]
    odd = noise.randomized_response(5.0, lower=0, upper=9, integer=True, cells=[-0.5, 2.5, 9.5])
    t = odd.transition(np.arange(-0.5, 10))
    np.testing.assert_allclose(t[0], np.where(np.arange(10) < 3, odd.retention, 1 - odd.retention))


def test_retention_can_be_bounded_beside_linkage():
    free = noise.randomized_response(5.195, lower=1, upper=16, integer=True)
    held = noise.randomized_response(5.195, lower=1, upper=16, integer=True, max_retention=0.5)
    assert free.retention == pytest.approx(0.92327, rel=1e-4)
    assert held.retention == 0.5
    assert held.epsilon == pytest.approx(math.log(15), rel=1e-12)
    assert held.epsilon < free.epsilon


def test_the_reach_of_the_square_wave_is_that_of_its_authors():
    # For epsilon 1 and the unit interval the published formula gives b = 0.2563...
    channel = noise.square_wave(1.0, lower=0, upper=1, cells=10_000)
    e = math.e
    assert channel.reach == math.floor(10_000 * (e - e + 1) / (2 * e * (e - 2)))
    assert noise.square_wave(1e-6, lower=0, upper=1, cells=1000).reach == 499
    assert noise.square_wave(30.0, lower=0, upper=1, cells=1000).reach == 0


@given(
    st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e6),
    st.floats(1e-2, 1e5),
    st.integers(0, 2**32 - 1),
)
def test_released_values_lie_on_a_lattice_that_is_fixed_beforehand(lower, width, scale, seed):
    assume(scale < 2**20 * width)
    channel = noise.laplace(scale, lower=lower, upper=lower + width)
    assert math.frexp(channel.lattice)[0] == 0.5
    assert channel.lattice <= scale / 1024
    x = np.random.default_rng(seed).uniform(channel.lower, channel.upper, size=20)
    steps = channel.perturb(x, insecure_seed_for_tests=seed) / channel.lattice
    np.testing.assert_array_equal(steps, np.rint(steps))
    exact = (Fraction(channel.upper) - Fraction(channel.lower)) / Fraction(scale)
    assert channel.exact_epsilon <= exact


def test_whole_numbers_stay_whole():
    channel = noise.laplace(14.05, lower=17, upper=90, integer=True)
    y = channel.perturb(np.arange(17, 91), insecure_seed_for_tests=1)
    np.testing.assert_array_equal(y, np.rint(y))


@pytest.mark.parametrize("name", ADULT)
def test_trailing_bits_exclude_no_candidate(name):
    lower, upper, _ = ADULT[name]
    scale = noise.pk_scale(lower, upper, 32_561, 2)
    rng = np.random.default_rng(3)
    candidates = np.unique(rng.integers(lower, upper + 1, size=60)).astype(float)
    x = rng.choice(candidates, size=3000)
    naive = x + rng.laplace(scale=scale, size=len(x))
    bites = oracle.excluded_by_trailing_bits(naive, candidates)
    assert bites.any(axis=1).mean() > 0.05
    assert not bites[np.arange(len(x)), np.searchsorted(candidates, x)].any()
    for integer in (True, False):
        channel = noise.laplace(scale, lower=lower, upper=upper, integer=integer)
        ours = channel.perturb(x, insecure_seed_for_tests=4)
        assert not oracle.excluded_by_trailing_bits(ours, candidates).any()


BAD = {
    "scale": (lambda: noise.laplace(0, lower=0, upper=1), "scale must be above 0"),
    "negative scale": (lambda: noise.laplace(-1, lower=0, upper=1), "scale must be above 0"),
    "infinite scale": (lambda: noise.laplace(math.inf, lower=0, upper=1), "scale must be finite"),
    "tiny scale": (lambda: noise.laplace(1e-9, lower=0, upper=5, integer=True), "at least 2"),
    "huge scale": (lambda: noise.laplace(1e12, lower=0, upper=5, integer=True), "too large"),
    "far bounds": (lambda: noise.laplace(1e-3, lower=1e15, upper=2e15), "too large"),
    "no noise like it": (lambda: noise.laplace(1e9, lower=0, upper=1), "too large"),
    "subnormal": (lambda: noise.laplace(1e-320, lower=0, upper=1), "too large"),
    "reversed": (lambda: noise.laplace(1, lower=2, upper=1), "lower must be below upper"),
    "equal": (lambda: noise.pk_scale(1, 1, 10, 2), "lower must be below upper"),
    "not finite": (lambda: noise.pk_scale(0, math.nan, 10, 2), "upper must be finite"),
    "infinite": (lambda: noise.pk_scale(-math.inf, 0, 10, 2), "lower must be finite"),
    "not whole": (lambda: noise.laplace(1, lower=0.5, upper=2, integer=True), "must be whole"),
    "k = n": (lambda: noise.budget(10, 10), "below the number of records"),
    "k > n": (lambda: noise.pk_scale(0, 1, 10, 11), "below the number of records"),
    "k = 1": (lambda: noise.budget(10, 1), "at least 2"),
    "attributes": (lambda: noise.pk_scale(0, 1, 10, 2, attributes=0), "at least 1"),
    "weights": (lambda: noise.shares(10, 2, [1, 0]), "must be positive and finite"),
    "no weights": (lambda: noise.shares(10, 2, []), "at least one weight"),
    "epsilon": (lambda: noise.square_wave(0, lower=0, upper=1, cells=4), "epsilon must be above"),
    "nan": (
        lambda: noise.randomized_response(math.nan, lower=0, upper=1, cells=4),
        "epsilon must be finite",
    ),
    "lattice": (lambda: noise.laplace(1, lower=0, upper=1, lattice=0.001), "power of two"),
    "coarse": (lambda: noise.laplace(1, lower=0, upper=1, lattice=0.5), "power of two"),
    "step": (lambda: noise.laplace(1, lower=0, upper=1, integer=True, lattice=2), "step 1"),
    "one cell": (lambda: noise.square_wave(1, lower=0, upper=1, cells=1), "cells must be between"),
    "many cells": (
        lambda: noise.square_wave(1, lower=0, upper=4, integer=True, cells=9),
        "cells must be between 2 and 5",
    ),
    "narrow cells": (
        lambda: noise.square_wave(1, lower=0, upper=4, cells=[0, 1, 2]),
        "hold the bounds",
    ),
    "edges": (lambda: noise.square_wave(1, lower=0, upper=4, cells=[0, 3, 2, 4]), "increase"),
    "empty cell": (
        lambda: noise.square_wave(1, lower=0, upper=4, integer=True, cells=[-1, 0.2, 0.4, 5]),
        "must hold a whole number; 1 of 3",
    ),
    "retention": (
        lambda: noise.randomized_response(1, lower=0, upper=4, cells=5, max_retention=0.2),
        "max_retention must be above 0.2",
    ),
    "reach": (lambda: noise.square_wave(1, lower=0, upper=4, cells=5, reach=-1), "reach must be"),
    "matrix": (lambda: noise.matrix_share([[0.5, 0.5], [0.4, 0.5]]), "sum to 1"),
    "vector": (lambda: noise.matrix_share([0.5, 0.5]), "outputs by at least two inputs"),
    "negative epsilon": (lambda: noise.linkage_k([-1.0], 10), "must not be negative"),
}


@pytest.mark.parametrize("what", BAD)
def test_wrong_arguments_get_a_clear_answer(what):
    call, sentence = BAD[what]
    with pytest.raises(ValueError, match=sentence):
        call()


def test_cells_are_needed_where_values_are_not_whole():
    with pytest.raises(TypeError, match="cells must be given"):
        noise.randomized_response(1, lower=0, upper=1)


SECRET = 123456.789


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([SECRET, 1, 0], "2 of 3 values outside the bounds 1 to 5; clip=True"),
        ([1, math.nan], "1 missing values"),
        ([1, math.inf], "1 infinite values"),
        ([1.5, 2], "must hold whole numbers; 1 of 2"),
        ([], "x is empty"),
        ([[1, 2], [3, 4]], "must be one attribute"),
    ],
)
def test_values_that_cannot_be_perturbed_are_counted_and_not_shown(name, values, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        channels_of(1.0)[name].perturb(values)
    assert "123456" not in str(caught.value)


@pytest.mark.parametrize("name", MECHANISMS)
def test_values_are_clipped_only_when_told(name):
    channel = channels_of(1.0)[name]
    far, near = (
        channel.perturb(x, clip=True, insecure_seed_for_tests=2)
        for x in ([-1e300, 0, 3, 99], [1, 1, 3, 5])
    )
    np.testing.assert_array_equal(far, near)


@pytest.mark.parametrize("name", MECHANISMS)
def test_constant_values_are_perturbed_like_others(name):
    y = channels_of(1.0)[name].perturb(np.full(1000, 3), insecure_seed_for_tests=2)
    assert len(np.unique(y)) > 3


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_caller_s_data_are_not_written_to(name):
    x = np.array([1.0, 2.0, 9.0])
    x.flags.writeable = False
    channels_of(1.0)[name].perturb(x, clip=True)
    np.testing.assert_array_equal(x, [1, 2, 9])


def test_cells_beyond_the_channel_s_are_refused():
    channel = noise.square_wave(1.0, lower=0, upper=4, cells=4)
    with pytest.raises(ValueError, match="within the cells of the channel"):
        channel.transition([-1, 0, 4])
    with pytest.raises(ValueError, match="must hold a whole number; 1 of 2"):
        channels_of(1.0)["laplace"].transition([0.2, 0.4, 5])
