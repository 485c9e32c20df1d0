"""Logarithms and powers with bounds that hold, and floats on the safe side of a number.

`decimal` rounds ln and exp correctly, so a margin of a few units in its last place bounds them.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

_DIGITS = 60
_CONTEXT = Context(prec=_DIGITS, Emin=-(10**9), Emax=10**9)
_MARGIN = Fraction(1, 10 ** (_DIGITS - 10))


def log_bounds(ratio: Fraction) -> tuple[Fraction, Fraction]:
    """Two fractions with the logarithm of `ratio` between them."""
    quotient = _CONTEXT.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
    value = Fraction(_CONTEXT.ln(quotient))
    margin = _MARGIN * (1 + abs(value))
    return value - margin, value + margin


def exp_bounds(power: Fraction) -> tuple[Fraction, Fraction]:
    """Two fractions with exp(power) between them, 0 <= power <= 1000."""
    quotient = _CONTEXT.divide(Decimal(power.numerator), Decimal(power.denominator))
    value = Fraction(_CONTEXT.exp(quotient))
    return value * (1 - _MARGIN), value * (1 + _MARGIN)


def down(value: Fraction) -> float:
    """The largest float that is not above `value`."""
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


def up(value: Fraction) -> float:
    """The smallest float that is not below `value`."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
