"""Rates of success with their intervals, and how far one exceeds another.

Intervals are Wilson's at 95 %; a rate is the middle of its interval, as in Anonymeter, so that a
few attempts never give a rate of 0 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt

Z = 1.959963984540054  # of a normal distribution, 95 % within


@dataclass(frozen=True)
class Rate:
    """A share of attempts, and the interval that holds it in 95 of 100 cases."""

    value: float
    lower: float
    upper: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.lower:.3f}, {self.upper:.3f}]"


def wilson(successes: float, attempts: int) -> Rate:
    """The rate of so many successes; of no attempts nothing is known but that it is a rate."""
    if not attempts:
        return Rate(0.0, 0.0, 1.0)
    middle = (successes + 0.5 * Z * Z) / (attempts + Z * Z)
    spread = max(successes * (attempts - successes) / attempts, 0.0)
    half = Z / (attempts + Z * Z) * sqrt(spread + 0.25 * Z * Z)
    return Rate(middle, max(middle - half, 0.0), min(middle + half, 1.0))


def residual(attack: Rate, control: Rate) -> Rate:
    """(attack - control) / (1 - control), from 0 to 1, with the errors of both carried over."""
    room = 1.0 - control.value
    if room <= 0.0:
        return Rate(0.0, 0.0, 1.0)
    value = (attack.value - control.value) / room
    error = hypot(
        _half(attack) / room,
        _half(control) * (1.0 - attack.value) / room**2,
    )
    return Rate(*(min(max(one, 0.0), 1.0) for one in (value, value - error, value + error)))


def raised(rate: Rate, share: float) -> Rate:
    """The rate of one who, where it fails, is right with this probability by something else."""
    return Rate(*(one + (1.0 - one) * share for one in (rate.value, rate.lower, rate.upper)))


def _half(rate: Rate) -> float:
    return 0.5 * (rate.upper - rate.lower)
