"""Tight ends: a published interval ends where some member is, so an end is a good guess.

The adversary knows the class of a person, that it publishes the least interval around its members,
and how many they are: somebody has the lowest value, somebody the highest. It guesses the lower
end. One who takes the interval for no more than bounds guesses any of the column's values inside
(minimality, Cohen 2022; refinement by what a class must hold).
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tokumei._check import Floats, Labels
from tokumei.risk.attacks.outcome import Attack

KNOWS = "the class of a person, and that intervals are the least ones"


def tight_ends(low: Floats, high: Floats, truth: Floats, column: Hashable) -> Attack:
    """Guess values by the lower ends of their intervals; ends and values of each record."""
    wide = np.isfinite(truth) & (high > low)
    values = np.unique(truth[np.isfinite(truth)])
    inside = np.searchsorted(values, high, "right") - np.searchsorted(values, low, "left")
    chance = float((1.0 / np.maximum(inside[wide], 1)).sum())
    return Attack(
        f"tight ends of {column}",
        KNOWS,
        successes=int((truth == low)[wide].sum()),
        attempts=int(wide.sum()),
        control_successes=chance,
        control_attempts=int(wide.sum()),
        note="the control takes any value inside",
    )


def ends_of(labels: Labels, values: Floats) -> tuple[Floats, Floats]:
    """The least interval of each record's class."""
    low, high = (np.full(int(labels.max()) + 1, end) for end in (np.inf, -np.inf))
    np.minimum.at(low, labels, values)
    np.maximum.at(high, labels, values)
    return low[labels], high[labels]
