"""What is called more than chance is so by the distribution of counts itself."""

import math

import pytest
from scipy import stats

from tokumei.release.gate import chance


@pytest.mark.parametrize("mean", [0.01, 0.5, 3.0, 40.0])
@pytest.mark.parametrize("above", [1, 2, 10, 60])
def test_the_chance_of_so_many_is_bounded_and_not_by_much(mean, above):
    found = math.ceil(mean) + above
    exact = stats.poisson.logsf(found - 1, mean)
    bound = chance.log_at_least(found, mean)
    assert bound >= exact - 1e-9
    assert above < mean or bound <= exact + math.log(2)


@pytest.mark.parametrize("mean", [0.0, 0.2, 7.0])
def test_what_is_beyond_chance_is_rarer_than_once_in_a_thousand_million(mean):
    first = next(found for found in range(100) if chance.beyond(found, mean))
    assert stats.poisson.sf(first - 1, mean) <= 1e-9
    assert first <= 1 or stats.poisson.sf(first - 3, mean) > 1e-9


@pytest.mark.parametrize("mean", [1e-4, 0.02, 1.0, 30.0, 1e4])
def test_a_sum_that_is_far_from_its_mean_is_rarer_than_once_in_1e13_times(mean):
    first = next(n for n in range(10**6) if chance.far(n - mean, mean, 1.0))
    assert stats.poisson.logsf(first - 1, mean) < math.log(1e-13)
    assert stats.poisson.logsf(first - 1, mean) > math.log(1e-18)  # and not much rarer
    assert not chance.far(mean - first, mean, 1.0)


def test_two_values_far_out_are_not_far_in_one_half():
    rows, far_out = 1000, 1000.0
    variance = 2 * far_out**2 / rows
    assert not chance.far(far_out, rows / 4 * variance, far_out)  # in one of two halves by chance
    assert chance.far(60 * far_out, rows / 4 * variance * 60, far_out)  # 120 of them in it
