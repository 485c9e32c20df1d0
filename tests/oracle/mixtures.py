"""Normal variables under Laplace noise, by the definition: integrals over the noise in many digits.

mpmath's `ncdf` and `npdf` carry as many digits as are asked for, so the textbook formulas, whose
exponentials overflow and whose differences cancel in doubles, may be written down as they stand.
"""

from __future__ import annotations

import mpmath as mp
import numpy as np


def normal_laplace(y: float, mean: float, deviation: float, digits: int = 100) -> list[mp.mpf]:
    """log f(y), E[x - mean], E[(x - mean)^2], d log f / d mean and d log f / d deviation.

    y = x + Laplace(1), x normal. Of x below y the joint density is proportional to a normal one
    around mean + deviation^2, of x above y to one around mean - deviation^2.
    """
    with mp.workdps(digits):
        y, mu, s = mp.mpf(y), mp.mpf(mean), mp.mpf(deviation)
        weights, first, second = [], [], []
        for side in (1, -1):  # x below y, x above y
            # In w = side (x - mu - side s^2) / s, which is standard normal, x stays below this:
            top = side * (y - mu) / s - s
            mass = mp.erfc(-top / mp.sqrt(2)) / 2
            height = mp.npdf(top)
            weights.append(mp.exp(s * s / 2 - side * (y - mu)) / 2 * mass)
            tilted, squared = -height / mass, 1 - top * height / mass  # E w, E w^2
            first.append(side * s * (tilted + s))
            second.append(s * s * (squared + 2 * s * tilted + s * s))
        f = weights[0] + weights[1]
        shift = (weights[0] * first[0] + weights[1] * first[1]) / f
        square = (weights[0] * second[0] + weights[1] * second[1]) / f
        return [mp.log(f), shift, square, shift / s**2, (square - s**2) / s**3]


def normal_laplace_by_quadrature(y: float, mean: float, deviation: float) -> list[float]:
    """The density and E[x - mean], E[(x - mean)^2] by numerical integration over x."""

    def joint(x: mp.mpf) -> mp.mpf:
        return mp.npdf(x, mean, deviation) * mp.exp(-abs(y - x)) / 2

    low, high = mean - 12 * deviation, mean + 12 * deviation
    cuts = sorted({low, mean, high, min(max(y, low), high)})
    f = mp.quad(joint, cuts)
    first = mp.quad(lambda x: (x - mean) * joint(x), cuts)
    second = mp.quad(lambda x: (x - mean) ** 2 * joint(x), cuts)
    return [float(f), float(first / f), float(second / f)]


def em_step(y, counts, weights, means, deviations):
    """One step of EM record by record: sums of g, g E t, g E t^2, and the log-likelihood."""
    sums, loglik = np.zeros((len(weights), 3)), mp.mpf(0)
    for value, count in zip(y, counts, strict=True):
        found = [
            normal_laplace(value, m, s, 40)
            if s > 0
            else [-abs(mp.mpf(value) - mp.mpf(m)) - mp.log(2), 0, 0]
            for m, s in zip(means, deviations, strict=True)
        ]
        joint = [mp.mpf(w) * mp.exp(one[0]) for w, one in zip(weights, found, strict=True)]
        total = sum(joint)
        loglik += count * mp.log(total)
        for k, one in enumerate(found):
            share = count * joint[k] / total
            unit = mp.mpf(deviations[k]) if deviations[k] > 0 else mp.mpf(1)
            sums[k] += [float(share), float(share * one[1] / unit), float(share * one[2] / unit**2)]
    return sums, float(loglik)
