"""Guards of the noise that no result shows: each is taken out by a mutant and missed here."""

import numpy as np
import pytest

import tokumei as tk
from tokumei import _check
from tokumei.noise import generator

noise = tk.noise
RUN = _check.run(1)
SEEDED = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")


@pytest.mark.parametrize(
    "draw",
    [
        lambda key: generator.discrete_laplace(key, 2**62, 10, RUN),
        lambda key: generator.order(key, 10, RUN),
        lambda key: generator.scatter(
            key, np.zeros(10, dtype=np.int64), count=3, reach=0, near=2**63, run=RUN
        ),
    ],
    ids=["noise", "order", "scattering"],
)
def test_a_key_is_wiped_when_it_has_been_used(draw):
    key = generator.key()
    assert key.any()
    draw(key)
    assert not key.any()


@pytest.mark.parametrize(("lower", "upper"), [(0.0, 0.3), (-0.3, 0.7), (0.3, 0.9)])
def test_values_at_the_bounds_are_rounded_into_them(lower, upper, monkeypatch):
    # A lattice point beyond a bound would have a larger ratio than epsilon says.
    channel = noise.laplace(1.0, lower=lower, upper=upper)
    zeros = lambda key, rate, count, run: np.zeros(count, dtype=np.int64)  # noqa: E731
    monkeypatch.setattr(generator, "discrete_laplace", zeros)
    values = np.array([lower, upper])
    released = channel.perturb_of(values, generator.key(), RUN)
    assert lower <= released[0] < released[1] <= upper
    beyond = np.rint(values / channel.lattice) * channel.lattice
    assert beyond[0] < lower or beyond[1] > upper  # rounding alone would leave the bounds


def released_of(values, n, seed=5, **more):
    attribute = noise.Attribute(0, 100, missing="category", **more)
    done = noise.perturb([np.full(n, values)], [attribute], k=n // 8, insecure_seed_for_tests=seed)
    return done.columns[0], done.channels[0]


@SEEDED
@pytest.mark.parametrize(("value", "share_of"), [(np.nan, "near"), (40.0, "far")])
def test_whether_a_number_is_missing_is_perturbed_too(value, share_of):
    released, (_, flag) = released_of(value, 20_000)
    expected = flag.near_probability if share_of == "near" else flag.far_probability
    assert 0.02 < expected < 0.98
    spread = np.sqrt(expected * (1 - expected) / 20_000)
    assert abs(np.isnan(released).mean() - expected) < 5 * spread


@SEEDED
def test_a_number_that_is_missing_comes_out_as_the_middle_with_noise():
    released, (values, _) = released_of(np.nan, 20_000)
    shown = released[~np.isnan(released)]
    assert abs(np.median(shown) - 50.0) < 6 * values.scale / np.sqrt(len(shown))


@SEEDED
def test_columns_of_a_seed_have_noise_of_their_own():
    column = np.full(200, 50.0)
    attributes = [noise.Attribute(0, 100), noise.Attribute(0, 100)]
    done = noise.perturb(
        [column, column], attributes, k=20, keep_order=True, insecure_seed_for_tests=3
    )
    assert not np.array_equal(*done.columns)
    assert abs(np.corrcoef(*done.columns)[0, 1]) < 0.35


def test_infinite_numbers_are_no_numbers_to_be_clipped():
    with pytest.raises(ValueError, match="2 infinite values"):
        noise.perturb([[1.0, np.inf, 3.0, -np.inf]], [noise.Attribute(0, 10)], k=2, clip=True)
