"""Checks of single options: numbers, words, truth values, objects."""

from __future__ import annotations

from numbers import Real

import numpy as np

from tokumei._check.kinds import LARGEST


def group_size(k: int, rows: int) -> int:
    """The smallest group size allowed, a whole number from 1 to the number of rows."""
    k = whole(k, "k")
    if not 1 <= k <= rows:
        msg = f"k must be between 1 and the number of rows ({rows}), got {k}"
        raise ValueError(msg)
    return k


def whole(value: int, name: str) -> int:
    """A whole number; True and 2.0 are not."""
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        msg = f"{name} must be a whole number, got {type(value).__name__}"
        raise TypeError(msg)
    return int(value.__index__())


def between(value: int, least: int, most: int, name: str) -> int:
    """A whole number from `least` to `most`."""
    value = whole(value, name)
    if not least <= value <= most:
        msg = f"{name} must be between {least} and {most}, got {value}"
        raise ValueError(msg)
    return value


def at_least(value: int, least: int, name: str) -> int:
    """A whole number that is not below a bound."""
    value = whole(value, name)
    if value < least:
        msg = f"{name} must be at least {least}, got {value}"
        raise ValueError(msg)
    return value


def number(value: float, name: str) -> float:
    """A finite number."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        msg = f"{name} must be a number, got {type(value).__name__}"
        raise TypeError(msg)
    if not np.isfinite(value):
        msg = f"{name} must be finite, got {value}"
        raise ValueError(msg)
    return float(value)


def inside(value: float, lower: float, upper: float, name: str) -> float:
    """A number between two bounds, both excluded."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        msg = f"{name} must be a number, got {type(value).__name__}"
        raise TypeError(msg)
    if not lower < value < upper:
        msg = f"{name} must be above {lower:g} and below {upper:g}, got {value}"
        raise ValueError(msg)
    return float(value)


def gamma(value: float | str, name: str = "gamma") -> float | None:
    """A number of at least 0 that can be squared; None for the word "auto"."""
    if isinstance(value, str) and value == "auto":
        return None
    rule = f"{name} must be a number from 0 to {LARGEST:g}, or 'auto'"
    if isinstance(value, str):
        msg = f"{rule}, got {value!r}"
        raise ValueError(msg)
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        msg = f"{rule}, got {type(value).__name__}"
        raise TypeError(msg)
    number = float(value)
    if not 0.0 <= number <= LARGEST:
        msg = f"{rule}, got {number:g}"
        raise ValueError(msg)
    return number


def flag(value: bool, name: str) -> bool:
    """True or False; 1 and "yes" are not."""
    if not isinstance(value, bool | np.bool_):
        msg = f"{name} must be True or False, got {type(value).__name__}"
        raise TypeError(msg)
    return bool(value)


def one_of(value: str, choices: tuple[str, ...], name: str) -> str:
    """One of a few words."""
    if value not in choices:
        msg = f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}"
        raise ValueError(msg)
    return value


def instance(value: object, kind: type, name: str) -> None:
    """An object of that class; the class itself, without brackets, is a common slip."""
    if isinstance(value, kind):
        return
    if isinstance(value, type):
        msg = f"{name} must be made by a call: {value.__name__}(...), got the class"
    else:
        msg = f"{name} must be of kind {kind.__name__}, got {type(value).__name__}"
    raise TypeError(msg)


def share_or_none(value: float, name: str) -> float:
    """A share that may be none at all: at least 0 and below 1."""
    value = number(value, name)
    if not 0.0 <= value < 1.0:
        msg = f"{name} must be at least 0 and below 1, got {value}"
        raise ValueError(msg)
    return value
