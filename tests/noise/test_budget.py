"""The budget of noise, and the bound on linkage that it promises."""

import math
from fractions import Fraction

import numpy as np
import oracle
import pytest
from builders.channels import MECHANISMS, channels_of
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.noise.rounding import log_bounds

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")
noise = tk.noise
ADULT = {"age": (17, 90, 14.0508), "gain": (0, 99_999, 19_247.530), "education": (1, 16, 2.88716)}


@pytest.mark.parametrize("name", ADULT)
def test_the_scale_of_the_paper_is_reproduced(name):
    lower, upper, scale = ADULT[name]
    assert noise.pk_scale(lower, upper, 32_561, 2) == pytest.approx(scale, rel=3e-6)


def test_the_scale_grows_with_the_number_of_attributes():
    one = noise.pk_scale(0, 1, 1000, 5)
    assert one == pytest.approx(2 / math.log(999 / 4), rel=1e-15)
    assert noise.pk_scale(0, 1, 1000, 5, attributes=4) == pytest.approx(4 * one, rel=1e-15)


@given(
    n=st.integers(3, 10**9),
    k=st.integers(2, 10**6),
    weights=st.lists(st.floats(0.01, 100), min_size=1, max_size=6),
)
def test_shares_never_add_up_to_more_than_half_the_budget(n, k, weights):
    k = min(k, n - 1)
    shares = noise.shares(n, k, weights)
    ratio = Fraction(n - 1, k - 1)
    assert 2 * sum(map(Fraction, shares)) <= log_bounds(ratio)[0]
    assert sum(shares) == pytest.approx(noise.budget(n, k) / 2, rel=1e-12)
    assert shares[0] / sum(shares) == pytest.approx(weights[0] / sum(weights), rel=1e-9)
    assert noise.linkage_k(shares, n) >= k * (1 - 1e-15)


@given(st.integers(3, 10**7), st.integers(2, 10**5))
def test_what_the_budget_gives_reaches_k(n, k):
    k = min(k, n - 1)
    half = noise.shares(n, k, [1])[0]
    for channel in channels_of(half).values():
        reached = noise.linkage_k([channel], n)
        assert reached >= k * (1 - 1e-15)
    assert noise.linkage_k([half, half], n) <= max(k, 1)


def test_linkage_of_no_noise_is_certain():
    assert noise.linkage_k([600.0], 10**6) == 1.0
    assert noise.linkage_k([], 10) == 10.0


def test_the_share_of_a_matrix_is_the_cross_ratio():
    retained, values = 0.6, 5
    matrix = np.full((values, values), (1 - retained) / values) + retained * np.eye(values)
    expected = 2 * math.log((1 + (values - 1) * retained) / (1 - retained))
    assert noise.matrix_share(matrix) == pytest.approx(expected, rel=1e-11)
    rng = np.random.default_rng(0)
    a = rng.dirichlet(np.ones(4), size=3).T
    brute = max(
        math.log(a[r, u] * a[s, v] / (a[s, u] * a[r, v]))
        for r in range(4)
        for s in range(4)
        for u in range(3)
        for v in range(3)
    )
    assert noise.matrix_share(a) == pytest.approx(brute, rel=1e-10)
    assert noise.matrix_share(np.eye(3)) == math.inf
    for channel in channels_of(1.3).values():
        t = channel.transition(np.arange(0.5, 6))
        assert noise.matrix_share(t) <= 2 * channel.epsilon * (1 + 1e-9)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize(("n", "k"), [(5, 2), (6, 2), (6, 3), (7, 2), (7, 4), (8, 3)])
def test_no_permutation_is_likelier_than_one_in_k(name, n, k):
    channel = channels_of(noise.shares(n, k, [1])[0])[name]
    rng = np.random.default_rng(n * k)
    for trial in range(30 if n < 8 else 8):
        x = rng.integers(1, 6, size=n).astype(float)
        if trial == 0:  # one at the lower end, all others at the upper one
            x[:] = 5
            x[0] = 1
        y = channel.perturb(x, insecure_seed_for_tests=trial)
        if trial == 0:  # and one output on the far side
            y[:] = y.max()
            y[0] = 1 if name in ("laplace", "response") else channel.released_values[0]
        chances = np.exp(channel.log_density(y, x))
        assert oracle.linkage(chances) <= (1 + 1e-9) / k


def test_the_bound_is_attained_by_the_worst_case():
    n, k = 7, 2
    channel = channels_of(noise.shares(n, k, [1])[0])["laplace"]
    x, y = np.full(n, 5.0), np.full(n, 5.0)
    x[0] = y[0] = 1.0
    assert oracle.linkage(np.exp(channel.log_density(y, x))) == pytest.approx(1 / k, rel=1e-6)


@pytest.mark.parametrize(("n", "k"), [(6, 2), (50, 7), (32_561, 2), (10**9, 3)])
@pytest.mark.parametrize("name", MECHANISMS)
def test_exact_ratios_stay_within_the_budget(name, n, k):
    channel = channels_of(noise.shares(n, k, [1])[0])[name]
    squared = Fraction(n - 1, k - 1)
    if name == "laplace":
        # Of all pairs of inputs and outputs, in steps: log ratios are whole multiples of the rate.
        steps = max(
            abs(y - u) - abs(y - v) for y in range(-9, 16) for u in range(1, 6) for v in range(1, 6)
        )
        assert 2 * Fraction(channel.rate * steps, 2**64) <= log_bounds(squared)[0]
        return
    window = 2 * channel.reach + 1
    near = Fraction(channel.near, 2**64) / window
    far = Fraction(2**64 - channel.near, 2**64) / (channel.cells - 1)
    table = [
        [near if 0 <= r - v < window else far for v in range(5)] for r in range(5 + window - 1)
    ]
    assert all(sum(column) == 1 for column in zip(*table, strict=True))
    ratios = {a / b for row in table for a in row for b in row}
    assert max(ratios) ** 2 <= squared


@pytest.mark.parametrize("name", MECHANISMS)
def test_epsilon_is_the_largest_log_ratio(name):
    channel = channels_of(1.7)[name]
    density = channel.log_density(channel.perturb(np.arange(1, 6).repeat(300)), np.arange(1.0, 6))
    spread = (density.max(axis=1) - density.min(axis=1)).max()
    assert spread == pytest.approx(channel.epsilon, rel=1e-9)
    assert channel.epsilon <= 1.7 * (1 + 1e-15)
