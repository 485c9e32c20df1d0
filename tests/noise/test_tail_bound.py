"""Less noise for all but a share delta of the draws: every step of the proof, and its attack."""

import math

import numpy as np
import pytest
from strategies import perturbed

import tokumei as tk
from tokumei.noise import tail_bound
from tokumei.risk.permutations import by_subsets

noise = tk.noise


def mean_of_h(q, steps, x, other):
    """E q^|clip(other + K) - x| for two-sided geometric K, all K that matter one by one."""
    total = 0.0
    for k in range(-400, 401):
        chance = (1 - q) / (1 + q) * q ** abs(k)
        total += chance * q ** abs(min(max(other + k, 0), steps) - x)
    return total


@pytest.mark.parametrize("q", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("steps", [1, 2, 5, 9])
def test_the_least_mean_is_that_of_opposite_ends(q, steps):
    means = [mean_of_h(q, steps, x, y) for x in range(steps + 1) for y in range(steps + 1)]
    w = -steps * math.log(q)
    stated = math.exp(-w) * (1 + steps * math.tanh(w / (2 * steps)))
    assert min(means) == pytest.approx(stated, rel=1e-6)
    assert mean_of_h(q, steps, 0, steps) == pytest.approx(min(means), rel=1e-9)
    if steps <= tail_bound.STEPS_A_SCALE * w:
        assert 1 + tail_bound._gain(w, steps) == pytest.approx(stated * math.exp(w), rel=1e-8)


@pytest.mark.parametrize("attributes", [1, 2])
def test_no_link_is_likelier_than_the_exchange_allows(attributes):
    chance = np.random.default_rng(attributes)
    for trial in range(20):
        n = 6
        channel = noise.laplace(chance.uniform(1.5, 6.0), lower=0, upper=9, integer=True)
        x = chance.integers(0, 10, (n, attributes)).astype(float)
        y = np.stack(
            [perturbed(channel, x[:, a], 10 * trial + a) for a in range(attributes)], axis=1
        )
        logs = sum(channel.log_density(y[:, a], x[:, a]).T for a in range(attributes))
        posterior = by_subsets(logs, np.ones(n, dtype=np.int64))
        rate = channel.rate / 2**64
        w = 9 * rate * attributes
        for i in range(n):
            h = np.exp(-rate * np.abs(np.clip(y, 0, 9) - x[i]).sum(axis=1))
            assert posterior[i].max() <= 1 / (1 + math.exp(-w) * (h.sum() - 1)) * (1 + 1e-9)


@pytest.mark.parametrize("steps", [None, 3, 40])
@pytest.mark.parametrize("attributes", [1, 2, 5])
@pytest.mark.parametrize(("n", "k"), [(1_000, 2), (1_000, 3), (50_000, 7)])
def test_the_failure_stated_is_chernoffs_bound_for_every_record(n, k, attributes, steps):
    w = math.log((n - 1) / (k - 1)) / 2
    of_one = w / attributes
    many = tail_bound.STEPS_A_SCALE * of_one
    m = many if steps is None else min(steps, many)
    mean = n * (math.exp(-of_one) * (1 + m * math.tanh(of_one / (2 * m)))) ** attributes
    # A link has a posterior above 1/k only where the sum of h is below this.
    needed = 1 + (k - 1) * math.exp(w)
    assert 1 / (1 + math.exp(-w) * (needed - 1)) == pytest.approx(1 / k)
    stated = tail_bound.log_failure(w, n, k, attributes, steps)
    if needed >= mean:
        assert stated == math.inf
    else:
        below = needed / mean
        chernoff = -mean * (below * math.log(below) - below + 1)
        assert stated == pytest.approx(math.log(n) + chernoff, rel=1e-6)
        assert stated >= math.log(n) + chernoff - 1e-6 * abs(chernoff)


@pytest.mark.parametrize("delta", [0.2, 0.01])
def test_the_chance_of_failure_is_below_delta_in_the_worst_table(delta):
    n, k = 1500, 3
    scale = noise.pk_scale(0, 9, n, k, delta=delta, steps=9)
    assert scale < noise.pk_scale(0, 9, n, k)
    channel = noise.laplace(scale, lower=0, upper=9, integer=True)
    x = np.full(n, 9.0)
    x[0] = 0.0
    failures = 0
    for seed in range(60):
        found = tk.risk.noise_attack(x, perturbed(channel, x, seed), [channel])
        failures += found.largest > 1 / k
    assert failures <= 60 * delta + 3 * math.sqrt(60 * delta)


def test_much_less_noise_than_proven_is_found_out():
    n, k = 1500, 3
    scale = 0.4 * noise.pk_scale(0, 9, n, k, delta=0.01, steps=9)
    channel = noise.laplace(scale, lower=0, upper=9, integer=True)
    x = np.full(n, 9.0)
    x[0] = 0.0
    largest = [
        tk.risk.noise_attack(x, perturbed(channel, x, seed), [channel]).largest
        for seed in range(20)
    ]
    assert max(largest) > 1 / k


def test_the_scale_depends_on_what_is_public_and_falls_with_delta():
    scales = [noise.pk_scale(0, 1, 10_000, 2, delta=delta) for delta in (1e-9, 1e-4, 0.1)]
    assert scales == sorted(scales, reverse=True)
    assert scales[0] < noise.pk_scale(0, 1, 10_000, 2)
    # Where nothing is proven to be gained the scale is that which never fails.
    assert noise.pk_scale(0, 1, 12, 2, delta=1e-6) == noise.pk_scale(0, 1, 12, 2)
    two = noise.pk_scale(0, 1, 10_000, 2, attributes=2, delta=1e-4)
    assert two / noise.pk_scale(0, 1, 10_000, 2, attributes=2) < scales[1] / noise.pk_scale(
        0, 1, 10_000, 2
    )
    coarse = noise.pk_scale(0, 1, 10_000, 2, delta=1e-4, steps=1)
    assert scales[1] < coarse < noise.pk_scale(0, 1, 10_000, 2)


@pytest.mark.parametrize("n", [1_000, 32_561, 10**9])
def test_the_stated_failure_is_below_delta(n):
    for delta in (1e-2, 1e-6):
        scale = noise.pk_scale(0, 1, n, 2, attributes=3, delta=delta)
        w = 3 / scale
        assert tail_bound.log_failure(w, n, 2, 3, None) <= math.log(delta) or (
            scale == noise.pk_scale(0, 1, n, 2, attributes=3)
        )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"delta": 0.0}, "delta must"),
        ({"delta": 1.0}, "delta must"),
        ({"delta": 0.1, "steps": 0}, "steps must be at least 1"),
        ({"steps": 9}, "steps is an option of delta"),
    ],
)
def test_wrong_failures_get_a_clear_answer(change, message):
    with pytest.raises(ValueError, match=message):
        noise.pk_scale(0, 9, 1000, 2, **change)
