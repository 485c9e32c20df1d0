"""The shifted negative binomial model of class sizes (Chen & Keller-McNulty 1998)."""

from __future__ import annotations

import math

import numpy as np

from tokumei._check import Floats
from tokumei.risk.pitman import root

GRID = 400


def shifted_negative_binomial(sizes: Floats, counts: Floats, fraction: float) -> float | None:
    """The number of population uniques; None where no parameters explain the smallest classes.

    A class of the population has 1 more than a negative binomial number of people, of which the
    sample takes each with the sampling fraction. The number of classes is Shlosser's estimate; the
    two parameters are those under which as many classes of one and two are expected as there are.
    """
    ones, twos = (float(counts[sizes == size].sum()) for size in (1, 2))
    if ones == 0.0 or twos == 0.0:
        return None
    classes = shlosser(sizes, counts, fraction)

    def shape(beta: float) -> float:
        """The alpha under which classes of two are as frequent, beside those of one."""
        w, ratio = (1.0 - beta) * (1.0 - fraction), twos / ones
        a = fraction * (1.0 - beta) * w
        b = fraction * (1.0 - beta) * (2.0 - w) - 2.0 * ratio * (1.0 - w) * w
        c = -2.0 * ratio * (1.0 - w) ** 2
        return 2.0 * -c / (b + math.sqrt(b * b - 4.0 * a * c))

    def surplus(logit: float) -> float:
        """By how much the classes of one that are expected exceed those there are, as a log."""
        beta = 1.0 / (1.0 + math.exp(-logit))
        w, alpha = (1.0 - beta) * (1.0 - fraction), shape(beta)
        log = alpha * (math.log(beta) - math.log1p(-w)) + math.log1p(alpha * w / (1.0 - w))
        return math.log(classes * fraction) + log - math.log(ones)

    logits = np.linspace(-16.0, 16.0, GRID)
    values = np.array([surplus(logit) for logit in logits.tolist()])
    changes = np.flatnonzero((values[:-1] < 0.0) != (values[1:] < 0.0))
    if changes.size != 1:
        return None
    at = int(changes[0])
    beta = 1.0 / (1.0 + math.exp(-root(surplus, float(logits[at]), float(logits[at + 1]))))
    return float(classes * beta ** shape(beta))


def shlosser(sizes: Floats, counts: Floats, fraction: float) -> float:
    """The number of classes in the population (Shlosser, modified by Haas et al. 1995)."""
    f, ones = fraction, float(counts[sizes == 1].sum())
    drawn_twice = (sizes * f**2 * (1.0 - f**2) ** (sizes - 1.0)) @ counts
    missed_once = ((1.0 - f) ** sizes * ((1.0 + f) ** np.minimum(sizes, 1e4) - 1.0)) @ counts
    missed = (1.0 - f) ** sizes @ counts
    met_once = (sizes * f * (1.0 - f) ** (sizes - 1.0)) @ counts
    return float(counts.sum() + ones * drawn_twice / missed_once * (missed / met_once) ** 2)
