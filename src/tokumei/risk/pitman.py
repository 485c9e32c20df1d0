"""Pitman's model of class sizes: how many people are unique in the population (Hoshino 2001)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tokumei._check import Floats

STEPS = 60


def pitman(sizes: Floats, counts: Floats, fraction: float) -> float | None:
    """The number of population uniques by the likeliest theta and alpha; None where there are none.

    The likelihood is solved, not searched: theta for each alpha by its equation, which has one root
    above -alpha, then alpha in 0 to 1, where that of the profile changes its sign.
    """
    records, classes = float(sizes @ counts), float(counts.sum())
    if classes >= records or classes < 2:
        return None

    def theta_of(alpha: float) -> float:
        def slope(log_above: float) -> float:
            theta = math.exp(log_above) - alpha
            ours = rising(1.0 + theta / alpha, classes - 1.0) / alpha
            return float(ours - rising(1.0 + theta, records - 1.0))

        return math.exp(root(slope, -30.0, 60.0)) - alpha

    def profile(alpha: float) -> float:
        theta = theta_of(alpha)
        ours = rising(1.0 + theta / alpha, classes - 1.0) / alpha
        within = float((counts * rising(np.full_like(sizes, 1.0 - alpha), sizes - 1.0)).sum())
        return float((classes - 1.0 - theta * ours) / alpha - within)

    low, high = 1e-3, 1.0 - 1e-9
    if profile(low) <= 0.0 or profile(high) >= 0.0:
        return None
    alpha = root(profile, low, high)
    theta, population = theta_of(alpha), records / fraction
    log = math.lgamma(theta + 1.0) - math.lgamma(theta + alpha) + alpha * math.log(population)
    return math.exp(log) if log <= math.log(population) else None


def rising(x: Floats | float, m: Floats | float) -> Floats | float:
    """The sum of 1 / (x + i) for i from 0 to m - 1, that is digamma(x + m) - digamma(x)."""
    total = 0.0 * (x + m)
    for _ in range(8):
        total = total + 1.0 / x - 1.0 / (x + m)
        x = x + 1.0
    y = x + m
    total = total + np.log1p(m / x) - (1.0 / y - 1.0 / x) / 2.0
    for power, factor in ((2, -1.0 / 12.0), (4, 1.0 / 120.0), (6, -1.0 / 252.0)):
        total = total + factor * (y**-power - x**-power)
    return total


def root(f: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that has two signs at its ends changes its sign (Illinois rule)."""
    at_low, at_high = f(low), f(high)
    if at_low == 0.0 or at_low * at_high > 0.0:
        return low if abs(at_low) <= abs(at_high) else high
    for step in range(STEPS):
        mean = (low + high) / 2.0
        guess = high - at_high * (high - low) / (at_high - at_low) if step % 3 else mean
        here = guess if min(low, high) < guess < max(low, high) else mean
        value = f(here)
        if value == 0.0 or abs(high - low) < 1e-12 * (1.0 + abs(here)):
            return here
        if value * at_high < 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = here, value
    return high
