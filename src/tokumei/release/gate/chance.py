"""How likely it is that something is seen by chance alone."""

from __future__ import annotations

import math

import numpy as np

from tokumei._check import Labels

# What is less likely than that is no chance.
RARE = 1e-9
STANDARD_DEVIATIONS = 8.0  # of a normal law, as a measure of the same


def log_at_least(found: int, mean: float) -> float:
    """The logarithm of a bound on the chance of so many rare events, `mean` being expected."""
    if found <= mean:
        return 0.0
    if mean <= 0.0:
        return -math.inf
    first = found * math.log(mean) - mean - math.lgamma(found + 1)
    return min(0.0, first - math.log1p(-mean / (found + 1)))


def beyond(found: int, mean: float, chance: float = RARE) -> bool:
    """Whether so many rare events are no chance."""
    return log_at_least(found, mean) < math.log(chance)


def far(apart: float, variance: float, largest: float) -> bool:
    """Whether a sum of that variance is as far above its mean as none is in 1e13 times.

    Bennett's inequality, `largest` being the most by which one term exceeds its mean: it holds for
    few terms and for skewed ones, where standard deviations alone call much too little rare.
    """
    if apart <= 0.0 or variance <= 0.0:
        return False
    ratio = apart * largest / variance
    exponent = variance / largest**2 * ((1.0 + ratio) * math.log1p(ratio) - ratio)
    return exponent > STANDARD_DEVIATIONS**2 / 2.0


def matches(one: Labels, other: Labels) -> tuple[float, float]:
    """The mean and the standard deviation of how often two decks of cards, shuffled, show the same.

    `one` and `other` are how often each kind of card is in the first deck and in the second
    (Barton 1958); the decks have the same number of cards.
    """
    a, b = one.astype(np.float64), other.astype(np.float64)
    cards, both = a.sum(), a * b
    mean = both.sum() / cards
    if cards < 2:
        return float(mean), 0.0
    scaled = mean * mean - (both * (a + b)).sum() / cards + both.sum()
    return float(mean), math.sqrt(max(0.0, scaled / (cards - 1.0)))


def no_shuffle(found: int, one: Labels, other: Labels) -> bool:
    """Whether two decks show the same more often than after a shuffle."""
    mean, deviation = matches(one, other)
    return far(found - mean, deviation**2, 1.0)
