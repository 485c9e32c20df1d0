"""Zayatz' model: sizes of the population's classes are spread as those of the sample (1991)."""

from __future__ import annotations

import math

import numpy as np

from tokumei._check import Floats


def zayatz(sizes: Floats, counts: Floats, fraction: float) -> float | None:
    """The number of population uniques: sample uniques that are it, by Bayes, over the fraction."""
    ones = float(counts[sizes == 1].sum())
    once = np.array([chance_of_one(float(sizes @ counts), fraction, size) for size in sizes])
    return ones * (ones * fraction / float(once @ counts)) / fraction if ones else 0.0


def chance_of_one(records: float, fraction: float, size: float) -> float:
    """The chance that a sample without replacement holds exactly one of a class."""
    population = records / fraction
    if population - size < records - 1.0:
        return 0.0
    return size * math.exp(
        _log_choose(population - size, records - 1.0) - _log_choose(population, records)
    )


def _log_choose(n: float, k: float) -> float:
    return math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)
