"""A normal variable under Laplace noise: every number against many digits, far out too."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle import mixtures as oracle

from tokumei import _check
from tokumei._kernels import reconstruct as kernel
from tokumei._kernels import runtime

PRECISE = 1e-12


def seen(y, mean, deviation):
    y = np.atleast_1d(np.asarray(y, dtype=np.float64))
    out = np.empty((len(y), 5), order="F")
    kernel.normal_laplace_records(y, mean, deviation, out, _check.run(1))
    return out


powers = st.floats(-6.0, 6.0)
places = st.one_of(
    st.floats(-300.0, 300.0),
    st.floats(-3.0, 3.0),
    st.floats(-6.0, 2.5).map(lambda power: 10.0**power),
)


@settings(max_examples=400)
@given(powers, places, st.booleans())
@example(-6.0, 300.0, True)
@example(6.0, 300.0, False)
@example(1.5, 0.0, False)
@example(math.log10(4.0), 1.0, True)
def test_density_moments_and_gradients_are_right_to_twelve_digits(power, place, in_scales):
    deviation = 10.0**power
    y = place if in_scales else place * deviation
    truth = oracle.normal_laplace(y, 0.0, deviation)
    found = seen(y, 0.0, deviation)[0]
    log_density = float(truth[0])
    assert abs(float(mp.mpf(found[0]) - truth[0])) <= PRECISE * max(1.0, abs(log_density))
    if log_density > -700.0:
        assert float(abs(mp.exp(mp.mpf(found[0]) - truth[0]) - 1)) <= PRECISE
    size = float(mp.sqrt(truth[2]))
    assert abs(float(mp.mpf(found[1]) - truth[1])) <= PRECISE * size
    assert found[2] == pytest.approx(float(truth[2]), rel=PRECISE)
    assert abs(float(mp.mpf(found[3]) - truth[3])) <= PRECISE * size / deviation**2
    # Two terms whose difference the derivative is: it is right to their size.
    terms = max(float(truth[2]), deviation**2) / deviation**3
    if deviation < 4.0:
        ratio = float(mp.npdf(y, 0, mp.mpf(deviation)) / mp.exp(truth[0]))
        terms = deviation * max(1.0, ratio)
    assert abs(float(mp.mpf(found[4]) - truth[4])) <= PRECISE * terms


@pytest.mark.parametrize(
    ("y", "mean", "deviation"), [(0.3, 0.0, 1.0), (4.0, 1.0, 0.3), (-7.0, 2.0, 3.0)]
)
def test_the_formulas_are_those_of_the_integral(y, mean, deviation):
    density, shift, square = oracle.normal_laplace_by_quadrature(y, mean, deviation)
    found = seen(y, mean, deviation)[0]
    assert math.exp(found[0]) == pytest.approx(density, rel=1e-10)
    assert found[1] == pytest.approx(shift, rel=1e-8)
    assert found[2] == pytest.approx(square, rel=1e-8)


@pytest.mark.parametrize("deviation", [0.2, 3.0, 20.0])
def test_gradients_are_those_of_the_log_density(deviation):
    y, step = 1.7, 1e-5
    found = seen(y, 0.4, deviation)[0]
    by_mean = seen(y, 0.4 + step, deviation)[0, 0] - seen(y, 0.4 - step, deviation)[0, 0]
    by_width = seen(y, 0.4, deviation + step)[0, 0] - seen(y, 0.4, deviation - step)[0, 0]
    assert found[3] == pytest.approx(by_mean / (2 * step), rel=1e-6, abs=1e-9)
    assert found[4] == pytest.approx(by_width / (2 * step), rel=1e-6, abs=1e-9)


def test_nothing_is_ever_nan(instructions):
    deviations = np.concatenate([[0.0], np.geomspace(1e-6, 1e12, 37)])
    y = np.concatenate(
        [[0.0, -0.0], np.geomspace(1e-300, 1e12, 60), -np.geomspace(1e-300, 1e12, 60)]
    )
    for deviation in deviations:
        assert np.isfinite(seen(y, 0.0, deviation)).all()
        assert np.isfinite(seen(y, 1e12, deviation)).all()


def test_an_atom_is_laplace_noise_around_it():
    found = seen([3.0, 1.0, 0.5], 1.0, 0.0)
    assert found[:, 0] == pytest.approx([-2.0 - math.log(2), -math.log(2), -0.5 - math.log(2)])
    assert not found[:, [1, 2, 4]].any()
    assert found[:, 3].tolist() == [1.0, 0.0, -1.0]


def test_a_narrow_component_is_nearly_an_atom():
    y = np.linspace(-20, 20, 81)
    assert seen(y, 0.0, 1e-6)[:, 0] == pytest.approx(seen(y, 0.0, 0.0)[:, 0], abs=1e-5)


def bits_of_every_level(call):
    return [call(_check.Run(1, level)) for level in range(runtime.best_instruction_set() + 1)]


def test_every_instruction_set_gives_the_same_bits():
    chance = np.random.default_rng(3)
    y = np.ascontiguousarray(chance.laplace(0, 5, 501))

    def call(run):
        out = np.empty((len(y), 5), order="F")
        parts = []
        for deviation in (0.0, 1e-6, 0.3, 4.0, 4.1, 500.0):
            kernel.normal_laplace_records(y, 0.7, deviation, out, run)
            parts.append(out.tobytes())
        density, beyond = np.empty_like(y), np.empty_like(y)
        kernel.normal_edges(y, density, beyond, run)
        return b"".join([*parts, density.tobytes(), beyond.tobytes()])

    first, *others = bits_of_every_level(call)
    assert all(other == first for other in others)


@given(st.lists(st.floats(-37.0, 37.0), min_size=1, max_size=40))
def test_tails_of_the_normal_distribution_are_right(values):
    t = np.array(values)
    density, beyond = np.empty_like(t), np.empty_like(t)
    kernel.normal_edges(t, density, beyond, _check.run(1))
    for value, height, tail in zip(values, density, beyond, strict=True):
        with mp.workdps(40):
            assert height == pytest.approx(float(mp.npdf(value)), rel=PRECISE)
            assert tail == pytest.approx(
                float(mp.erfc(abs(mp.mpf(value)) / mp.sqrt(2)) / 2), rel=PRECISE
            )


def test_tails_end_in_zero():
    t = np.array([-np.inf, np.inf, 1e300, 0.0])
    density, beyond = np.empty_like(t), np.empty_like(t)
    kernel.normal_edges(t, density, beyond, _check.Run(1, 0))
    assert density[:3].tolist() == beyond[:3].tolist() == [0.0, 0.0, 0.0]
    assert beyond[3] == pytest.approx(0.5, rel=1e-15)
