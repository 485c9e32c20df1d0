"""Few records under much noise say nothing, and it is said: by what simulations come to."""

import numpy as np
import pytest

from tokumei.noise import randomized_response
from tokumei.reconstruct.categories import categories

DRAWS = 200
SHAPES = {2: [0.6, 0.4], 5: [0.45, 0.25, 0.15, 0.1, 0.05], 12: [0.2] * 3 + [0.4 / 9] * 9}


def found(truth, epsilon, records):
    """Reconstructions of so many records, each of other noise."""
    m = len(truth)
    channel = randomized_response(epsilon, lower=0, upper=m - 1, integer=True)
    chances = np.full((m, m), channel.far_probability)
    np.fill_diagonal(chances, channel.near_probability)
    rng = np.random.default_rng(records)
    return [
        categories(rng.multinomial(records, chances @ truth), range(m), channel)
        for _ in range(DRAWS)
    ]


@pytest.mark.parametrize("m", SHAPES)
@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_even_shares_are_seldom_taken_for_others(m, epsilon):
    for records in (30, 1000):
        spoken = [not one.says_nothing for one in found(np.full(m, 1 / m), epsilon, records)]
        assert np.mean(spoken) <= 0.02


@pytest.mark.parametrize("m", SHAPES)
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_where_it_speaks_it_is_nearer_to_the_truth_than_even_shares(m, epsilon):
    truth, even = np.array(SHAPES[m]), np.full(m, 1 / m)
    for records in (30, 100, 300, 1000, 3000):
        spoken = [one for one in found(truth, epsilon, records) if not one.says_nothing]
        apart = np.array([np.abs(one.probabilities - truth).sum() for one in spoken])
        if len(spoken) >= DRAWS / 10:
            assert np.mean(apart < np.abs(even - truth).sum()) >= 0.75


@pytest.mark.parametrize(("m", "records"), [(2, 3000), (5, 1000), (12, 3000)])
def test_with_records_enough_it_speaks(m, records):
    spoken = [not one.says_nothing for one in found(np.array(SHAPES[m]), 1.0, records)]
    assert np.mean(spoken) >= 0.7
