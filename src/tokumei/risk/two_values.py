"""The exact posterior of every link in a table of two different originals.

Only the set of released records that are of the first kind matters. Its probability is that of
independent choices, given how many there are: a conditional Bernoulli law (Chen, Dempster & Liu
1994). The odds are tilted so that the number chosen is what it has to be in the mean, and the law
of the number without one record follows from that with it, in the direction that does not enlarge
errors. O(n^2) steps, O(n) memory.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats, Labels

MOST_OF_TWO = 40_000


def by_two_values(logs: Floats, counts: Labels) -> Floats:
    """P(a record of this kind (two rows) was released as this (columns))."""
    first = int(counts[0])
    chances = _tilted(logs[0] - logs[1], first)
    number = np.zeros(len(chances) + 1)
    number[0] = 1.0
    for placed, chance in enumerate(chances, 1):
        number[1 : placed + 1] = number[1 : placed + 1] * (1.0 - chance) + number[:placed] * chance
        number[0] *= 1.0 - chance
    chosen = chances * _without(number, chances, first - 1) / number[first]
    return np.stack([chosen / counts[0], (1.0 - chosen) / counts[1]])


def _tilted(log_odds: Floats, wanted: int) -> Floats:
    """Chances with these odds, all times one factor, that sum to the number wanted."""
    reach = float(np.abs(log_odds).max()) + np.log(len(log_odds)) + 1.0
    low, high = -reach, reach
    for _ in range(200):
        middle = 0.5 * (low + high)
        if _chance(log_odds + middle).sum() < wanted:
            low = middle
        else:
            high = middle
    return _chance(log_odds + 0.5 * (low + high))


def _chance(log_odds: Floats) -> Floats:
    far = np.exp(-np.abs(log_odds))
    return np.asarray(np.where(log_odds >= 0.0, 1.0, far) / (1.0 + far))


def _without(number: Floats, chances: Floats, wanted: int) -> Floats:
    """P(so many are chosen among the others), for each record left out."""
    found = np.zeros(len(chances))
    rare = chances <= 0.5
    small, large = chances[rare], chances[~rare]
    left = np.zeros(len(small))
    for k in range(wanted + 1):
        left = np.maximum(number[k] - small * left, 0.0) / (1.0 - small)
    found[rare] = left
    right = np.zeros(len(large))
    for k in range(len(chances), wanted, -1):
        right = np.maximum(number[k] - (1.0 - large) * right, 0.0) / large
    found[~rare] = right
    return found
