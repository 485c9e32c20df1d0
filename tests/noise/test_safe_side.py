"""What is rounded in the budgets of noise is rounded to the safe side, to the next float."""

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.noise import rounding, scattering
from tokumei.noise.budget import scale_of

mpmath.mp.dps = 120

fractions = st.builds(Fraction, st.integers(1, 10**30), st.integers(1, 10**30))
floats = st.floats(1e-6, 1e6)


def as_mp(value):
    return mpmath.mpf(value.numerator) / value.denominator


@given(fractions)
def test_a_logarithm_lies_between_its_bounds(ratio):
    low, high = rounding.log_bounds(ratio)
    assert as_mp(low) < mpmath.log(as_mp(ratio)) < as_mp(high)
    assert high - low < Fraction(1, 10**45)


@given(st.fractions(0, 1000))
def test_a_power_lies_between_its_bounds(power):
    low, high = rounding.exp_bounds(power)
    assert as_mp(low) < mpmath.exp(as_mp(power)) < as_mp(high)
    assert high - low < high * Fraction(1, 10**45)


@given(fractions)
def test_floats_lie_on_their_side_of_a_number_and_next_to_it(value):
    assert Fraction(rounding.up(value)) >= value > Fraction(math.nextafter(rounding.up(value), 0))
    below = rounding.down(value)
    assert Fraction(below) <= value < Fraction(math.nextafter(below, math.inf))


@given(floats, floats)
def test_the_scale_of_an_epsilon_is_never_too_small(upper, epsilon):
    scale = scale_of(0.0, upper, epsilon)
    assert Fraction(scale) * Fraction(epsilon) >= Fraction(upper)


@given(st.floats(1e-3, 30.0), st.integers(2, 500), st.integers(0, 20))
def test_near_cells_are_never_likelier_than_epsilon_allows(epsilon, cells, reach):
    near = scattering.near_word(epsilon, cells, reach)
    far = Fraction(2**64 - near, cells - 1)
    ratio = Fraction(near, 2 * reach + 1) / far
    assert mpmath.log(as_mp(ratio)) <= mpmath.mpf(epsilon)


def test_an_epsilon_above_all_that_words_can_say_keeps_a_chance_for_far_cells():
    assert scattering.near_word(1e6, 2, 0) == pytest.approx(2**64, rel=1e-15)
    assert scattering.near_word(1e6, 2, 0) < 2**64
