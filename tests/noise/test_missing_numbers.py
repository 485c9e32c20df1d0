"""What becomes of numbers that are missing or infinite, and of columns that share a seed."""

import numpy as np
import pytest

import tokumei as tk

noise = tk.noise
SEEDED = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")


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
    with pytest.raises(ValueError, match=r"^column 0 has 2 infinite values$"):
        noise.perturb([[1.0, np.inf, 3.0, -np.inf]], [noise.Attribute(0, 10)], k=2, clip=True)
