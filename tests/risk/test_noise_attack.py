"""The adversary who links through noise: exact where it says so, and caught where noise is thin."""

import itertools

import numpy as np
import pytest
from strategies import perturbed

import tokumei as tk
from tokumei.risk import permutations, scaling, two_values

noise = tk.noise


def by_all_permutations(logs):
    """P(record i was released as j), for log-likelihoods of records (rows)."""
    n = len(logs)
    total = np.zeros((n, n))
    for image in itertools.permutations(range(n)):
        weight = np.exp(sum(logs[i, image[i]] for i in range(n)))
        for i in range(n):
            total[i, image[i]] += weight
    return total / total[0].sum()


def channels_of(n, k=2, attributes=1):
    epsilon = noise.shares(n, k, np.ones(attributes))[0]
    known = {"lower": 0, "upper": 9, "integer": True}
    scale = noise.pk_scale(0, 9, n, k, attributes=attributes)
    return {
        "laplace": noise.laplace(scale, **known),
        "response": noise.randomized_response(epsilon, **known),
        "wave": noise.square_wave(epsilon, **known),
    }


@pytest.mark.parametrize("name", ["laplace", "response", "wave"])
@pytest.mark.parametrize("n", [3, 5, 7])
def test_the_posterior_of_a_small_table_is_that_of_all_permutations(name, n):
    channel = channels_of(n)[name]
    chance = np.random.default_rng(n)
    x = chance.integers(0, 10, n).astype(float)
    y = perturbed(channel, x, n)
    kinds, member, counts = np.unique(x, return_inverse=True, return_counts=True)
    exact = permutations.by_subsets(channel.log_density(y, kinds).T, counts)
    wanted = by_all_permutations(channel.log_density(y, x).T)
    np.testing.assert_allclose(exact[member], wanted, atol=1e-9)
    found = tk.risk.noise_attack(x, y, [channel])
    assert found.largest == pytest.approx(wanted.max(), abs=1e-9)
    assert found.mean == pytest.approx(wanted.max(axis=1).mean(), abs=1e-9)
    assert found.largest <= found.promised * (1 + 1e-9)
    assert found.error == 0.0


def test_several_attributes_multiply_their_likelihoods():
    n, chance = 6, np.random.default_rng(1)
    ways = list(channels_of(n, attributes=2).values())[:2]
    x = chance.integers(0, 10, (n, 2)).astype(float)
    y = np.stack([perturbed(c, x[:, j], j + 1) for j, c in enumerate(ways)], axis=1)
    logs = sum(c.log_density(y[:, j], x[:, j]).T for j, c in enumerate(ways))
    found = tk.risk.noise_attack(x, y, ways)
    assert found.largest == pytest.approx(by_all_permutations(logs).max(), abs=1e-9)


@pytest.mark.parametrize("first", [1, 4, 9])
@pytest.mark.parametrize("spread", [0.5, 6.0])
def test_two_different_originals_are_exact_at_any_size(first, spread):
    chance = np.random.default_rng(first)
    counts = np.array([first, 12 - first])
    logs = chance.normal(0.0, spread, (2, 12))
    np.testing.assert_allclose(
        two_values.by_two_values(logs, counts), permutations.by_subsets(logs, counts), atol=1e-9
    )
    many = np.array([first * 40, 900])
    found = two_values.by_two_values(chance.normal(0.0, spread, (2, many.sum())), many)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-9)
    np.testing.assert_allclose(many @ found, 1.0, rtol=1e-9)


def test_scaling_states_an_error_that_it_keeps():
    chance = np.random.default_rng(2)
    counts = np.array([30, 90])
    logs = chance.normal(0.0, 1.0, (2, 120))
    exact = two_values.by_two_values(logs, counts)
    found, error = scaling.by_scaling(logs, counts, chance)
    assert 0.0 < error < 0.02
    assert np.abs(found - exact).max() <= error
    np.testing.assert_allclose(counts @ found, 1.0, rtol=1e-8)


def test_samples_of_the_permutation_follow_the_posterior():
    chance = np.random.default_rng(3)
    counts = np.ones(6, dtype=np.int64)
    logs = chance.normal(0.0, 1.0, (6, 6))
    kinds, places = (each.reshape(-1) for each in np.indices((6, 6)))
    held = scaling._sampled(logs, counts, kinds, places, chance, scaling.KEPT)
    errors = np.maximum(held.std(axis=0, ddof=1) / np.sqrt(scaling.CHAINS), 2e-3)
    wanted = by_all_permutations(logs).reshape(-1)
    assert (np.abs(held.mean(axis=0) - wanted) < 5 * errors).all()


def test_thin_noise_is_found_out_and_the_promised_noise_is_not():
    chance = np.random.default_rng(4)
    x = np.arange(300.0)
    known = {"lower": 0, "upper": 299, "integer": True}
    order = chance.permutation(300)
    back = np.argsort(order)
    for scale, leaks in ((0.2, True), (noise.pk_scale(0, 299, 300, 2), False)):
        channel = noise.laplace(scale, **known)
        y = perturbed(channel, x, 5)[order]
        found = tk.risk.noise_attack(x, y, [channel], order=back)
        assert found.method == "scaling"
        assert (found.largest > 0.95) == leaks
        assert (found.correct > 150) == leaks
        assert (found.mean > 0.5) == leaks
        assert abs(found.links - found.correct) < 6 * np.sqrt(found.links + 1) + 300 * found.error


def test_the_worst_table_stays_far_below_the_promise():
    n = 400
    x = np.full(n, 9.0)
    x[0] = 0.0
    channel = channels_of(n)["laplace"]
    found = [tk.risk.noise_attack(x, perturbed(channel, x, seed), [channel]) for seed in range(30)]
    assert {one.method for one in found} == {"two values"}
    assert max(one.largest for one in found) < 0.5 * found[0].promised


def test_an_adversary_of_one_original_weighs_it_against_the_distribution():
    n = 4
    ways = list(channels_of(n, attributes=2).values())[1:]
    x = np.array([[0.0, 0.0], [0.0, 0.0], [9.0, 9.0], [9.0, 0.0]])
    y = np.stack([perturbed(c, x[:, j], j + 1) for j, c in enumerate(ways)], axis=1)
    each = [np.exp(c.log_density(y[:, j], x[:, j]).T) for j, c in enumerate(ways)]
    likely = each[0] * each[1]
    for name, others in (
        ("joint", likely.mean(axis=0)),
        ("independent", each[0].mean(axis=0) * each[1].mean(axis=0)),
    ):
        # The record is any of the rows; the others are drawn from the distribution.
        wanted = np.array(
            [
                [one[j] * np.prod([others[m] for m in range(n) if m != j]) for j in range(n)]
                for one in likely
            ]
        )
        wanted /= wanted.sum(axis=1, keepdims=True)
        found = tk.risk.noise_attack(x, y, ways, adversary=name)
        assert found.largest == pytest.approx(wanted.max(), rel=1e-9)
        assert found.mean == pytest.approx(wanted.max(axis=1).mean(), rel=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"channels": []}, "channels must hold one for each of the 1 columns"),
        ({"released": [1.0, 2.0]}, "original and released must have one shape"),
        ({"adversary": "nobody"}, "adversary must be one of"),
        ({"method": "fast"}, "method must be one of"),
        ({"order": [0, 0, 1]}, "order"),
        ({"original": [0.0, 1.0, 99.0]}, "original has 1 of 3 values outside"),
    ],
)
def test_wrong_attacks_get_a_clear_answer(change, message):
    given = {
        "original": [0.0, 1.0, 2.0],
        "released": [0.0, 1.0, 2.0],
        "channels": [channels_of(3)["laplace"]],
    }
    given.update(change)
    with pytest.raises(ValueError, match=message):
        tk.risk.noise_attack(**given)


def test_exact_is_refused_where_it_cannot_be():
    channel = channels_of(20)["laplace"]
    x = np.arange(20) % 10.0
    with pytest.raises(ValueError, match="needs at most 16 records"):
        tk.risk.noise_attack(x, perturbed(channel, x), [channel], method="exact")
