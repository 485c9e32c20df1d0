"""Guards of the noise, each held by a test that fails where the guard is taken out."""

import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei._check import run as in_run
from tokumei.noise import Attribute, generator, laplace
from tokumei.noise.budget import budget, scale_of, shares


def still(monkeypatch):
    """No noise at all: what is released is what values are rounded to."""
    monkeypatch.setattr(
        generator, "discrete_laplace", lambda key, rate, count, run: np.zeros(count, dtype=np.int64)
    )


@pytest.mark.parametrize(("lower", "upper"), [(0.08, 0.92), (-0.92, -0.08), (0.27, 1.3)])
def test_codes_stay_within_the_bounds_or_epsilon_would_be_exceeded(monkeypatch, lower, upper):
    """A value is rounded to the lattice, and at a bound that lies beyond it."""
    still(monkeypatch)
    channel = laplace(1024.0, lower=lower, upper=upper, lattice=2.0**-4)
    values = np.array([lower, upper, math.nextafter(lower, 9), math.nextafter(upper, -9)])
    codes = channel.perturb(values) / channel.lattice
    apart = Fraction(float(codes.max() - codes.min())) * channel.rate / 2**64
    assert apart <= channel.exact_epsilon
    assert np.rint(lower / channel.lattice) < math.ceil(lower / channel.lattice) or np.rint(
        upper / channel.lattice
    ) > math.floor(upper / channel.lattice)  # the guard is needed here


@given(st.integers(3, 10**6), st.integers(2, 1000), st.lists(st.floats(0.01, 100), min_size=1))
def test_shares_and_scales_are_rounded_to_the_side_of_privacy(n, k, weights):
    if k >= n:
        return
    epsilons = [Fraction(float(each)) for each in shares(n, k, weights)]
    exact = Fraction(math.nextafter(budget(n, k), math.inf))  # B is rounded down itself
    assert 2 * sum(epsilons) < exact
    for epsilon in shares(n, k, weights).tolist():
        assert Fraction(7) / Fraction(scale_of(0.0, 7.0, epsilon)) <= Fraction(epsilon)


@pytest.mark.parametrize("weight", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("columns", [1, 3])
def test_the_flags_of_missing_cells_have_their_share_of_epsilon(weight, columns):
    rng = np.random.default_rng(4)
    ages = np.where(rng.random((columns, 400)) < 0.2, np.nan, rng.integers(17, 91, (columns, 400)))
    known = Attribute(17, 90, integer=True, missing="category", missing_weight=weight)
    done = tk.noise.perturb(list(ages), [known] * columns, k=3)
    assert [len(channels) for channels in done.channels] == [2] * columns
    spent = sum(channel.exact_epsilon for channels in done.channels for channel in channels)
    values = sum(channels[0].exact_epsilon for channels in done.channels)
    assert values < spent <= Fraction(math.nextafter(budget(400, 3), math.inf)) / 2
    assert done.epsilon == pytest.approx(float(spent))
    for value, flag in done.channels:
        assert flag.epsilon == pytest.approx(weight * value.epsilon, rel=0.01)
    least = 1 + Fraction(399) / Fraction(math.exp(2 * float(spent)) * (1 + 1e-12))
    assert 3 <= done.k <= float(least) * (1 + 1e-9)


DRAWN = {
    "laplace": lambda key, run: generator.discrete_laplace(key, 2**60, 9, run),
    "scatter": lambda key, run: generator.scatter(
        key, np.arange(5), count=5, reach=1, near=2**63, run=run
    ),
    "order": lambda key, run: generator.order(key, 9, run),
}


@pytest.mark.parametrize("draw", DRAWN)
def test_a_key_is_wiped_when_it_has_been_used(draw):
    key = generator.key()
    assert key.any()
    DRAWN[draw](key, in_run(1, None))
    assert not key.any()


@pytest.mark.parametrize("draw", DRAWN)
def test_a_key_is_wiped_when_the_work_ends_early(monkeypatch, draw):
    def interrupted(*given):
        raise KeyboardInterrupt

    names = ("discrete_laplace", "scatter", "secure_order")
    monkeypatch.setattr(generator, "_kernels", SimpleNamespace(**dict.fromkeys(names, interrupted)))
    key = generator.key()
    with pytest.raises(KeyboardInterrupt):
        DRAWN[draw](key, in_run(1, None))
    assert not key.any()
