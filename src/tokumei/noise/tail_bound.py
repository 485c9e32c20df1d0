"""How much less noise bounds linkage in all but a share delta of the draws.

The bound of `budget` holds for every draw. It is met where all released values say the least that
they can, which hardly ever happens. Let w be the widths of the bounds in scales of the noise, added
up over attributes, and h(y) = exp(-sum |y - x| / scale), y moved into the bounds, for one original
x. Exchanging two records' outputs shows that no link of x has a posterior above

    1 / (1 + exp(-w) (sum of h over all released records - 1)).

The n terms are independent, lie between 0 and 1, and their means are at least
product (exp(-w_a) (1 + w_a c_a / 2)), whatever the table: the worst is all others at the other end.
Chernoff's bound for each of n records, added up, is delta (decision 25 has the proof, and c).
"""

from __future__ import annotations

import math

# Lattices of numbers that are not whole have so many steps a scale, or more.
STEPS_A_SCALE = 1024
# What rounding in these few operations could be, many times over.
_MARGIN = 1e-9


def widest(n: int, k: int, attributes: int, steps: int | None, delta: float, least: float) -> float:
    """The largest w, equal for all attributes together, whose failures are at most delta.

    `least` is the w that never fails; `steps` the fewest whole steps between the bounds of an
    attribute of whole numbers, None where there is none.
    """
    low, high = least, 2.0 * least
    if not _holds(low * (1.0 + _MARGIN), n, k, attributes, steps, delta):
        return least
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _holds(middle * (1.0 + _MARGIN), n, k, attributes, steps, delta):
            low = middle
        else:
            high = middle
    return low


def log_failure(w: float, n: int, k: int, attributes: int, steps: int | None) -> float:
    """The logarithm of Chernoff's bound for all records together."""
    mean = n * math.exp(-w) * (1.0 + _gain(w / attributes, steps)) ** attributes
    needed = 1.0 + (k - 1) * math.exp(w)
    if needed >= mean:
        return math.inf
    return math.log(n) - (needed * math.log(needed / mean) - needed + mean)


def _holds(w: float, n: int, k: int, attributes: int, steps: int | None, delta: float) -> bool:
    return log_failure(w, n, k, attributes, steps) <= math.log(delta) - _MARGIN


def _gain(w: float, steps: int | None) -> float:
    """w c / 2 = M tanh(w / 2M), for M steps between the bounds."""
    many = STEPS_A_SCALE * w
    least = many if steps is None else min(float(steps), many)
    return least * math.tanh(w / (2.0 * least)) * (1.0 - _MARGIN)
