"""What can be asked for, declared once.

A dataclass that derives from `Options` is a list of options. Each field is one: its default,
its rule (a check that returns the value in its one form, or raises) and one line of help. From the
fields come the command line, the job file and its schema, the audit and the hash of a job; spelled
out signatures are compared with them by a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, field, fields
from typing import Any

from tokumei._check import scalars
from tokumei._check.scalars import number, one_of

# A value and its name -> the value in its one form.
Rule = Callable[[Any, str], Any]


def as_it_is(value: Any) -> Any:
    """What an audit shows of most options: all."""
    return value


def sizes(value: Mapping[str, Any]) -> dict[str, int]:
    """What an audit shows of lists of categories: how many there are for each column."""
    return {name: len(one) for name, one in value.items()}


def nothing(value: Any) -> None:
    """What an audit shows of paths."""
    return


def option(
    default: Any = MISSING,
    *,
    rule: Rule,
    help: str,
    keyword: str = "",
    shown: Callable[[Any], Any] = as_it_is,
) -> Any:
    """A field of `Options`.

    `keyword` is its name among the arguments of a function and in messages, the field's own by
    default; `shown` is what an audit, which may be published, holds of its value.
    """
    about = {"rule": rule, "description": help, "keyword": keyword, "shown": shown}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=about)
    return field(default=default, metadata=about)


class Options:
    """A frozen dataclass whose values have been checked, each by the rule of its field."""

    def __post_init__(self) -> None:
        for each in options_of(type(self)):
            value = each.metadata["rule"](getattr(self, each.name), keyword_of(each))
            object.__setattr__(self, each.name, value)


def options_of(kind: type) -> list[Field[Any]]:
    """The fields of a class that are options."""
    return [each for each in fields(kind) if "rule" in each.metadata]


def keyword_of(each: Field[Any]) -> str:
    """What a function calls this option."""
    return str(each.metadata["keyword"] or each.name)


def default_of(each: Field[Any]) -> Any:
    """The default of an option; `MISSING` where it must be given."""
    return each.default if each.default_factory is MISSING else each.default_factory()


def choice(*words: str) -> Rule:
    """One of these words."""
    return lambda value, name: one_of(value, words, name)


def optional(rule: Rule) -> Rule:
    """None, or what another rule allows."""
    return lambda value, name: None if value is None else rule(value, name)


def at_least(least: int) -> Rule:
    """A whole number from there on."""
    return lambda value, name: scalars.at_least(value, least, name)


def share(value: Any, name: str) -> float:
    """A number from 0 to 1."""
    if not 0.0 <= number(value, name) <= 1.0:
        msg = f"{name} must be between 0 and 1, got {value}"
        raise ValueError(msg)
    return float(value)


def positive(value: Any, name: str) -> float:
    """A number above 0."""
    if number(value, name) <= 0:
        msg = f"{name} must be positive, got {value}"
        raise ValueError(msg)
    return float(value)


def not_negative(value: Any, name: str) -> float:
    """A number from 0 on."""
    if number(value, name) < 0:
        msg = f"{name} must not be negative, got {value}"
        raise ValueError(msg)
    return float(value)


def text(value: Any, name: str) -> str:
    """A text."""
    if not isinstance(value, str):
        msg = f"{name} must be a text, got {type(value).__name__}"
        raise TypeError(msg)
    return value


def column(value: Any, name: str) -> str:
    """The name of a column: a text, or a whole number, which stands for its digits."""
    return str(value) if type(value) is int else text(value, name)


def names(value: Any, name: str) -> tuple[str, ...]:
    """Names of columns; a text alone would be a list of its letters."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        msg = f"{name} must be a list of column names, got {type(value).__name__}"
        raise TypeError(msg)
    listed = tuple(str(each) if type(each) is int else each for each in value)
    if not all(isinstance(each, str) for each in listed):
        msg = f"{name} must be a list of column names, and names are text"
        raise TypeError(msg)
    return listed


def by_column(rule: Rule, what: str) -> Rule:
    """A mapping from columns to what another rule allows; `what` names one of them."""

    def checked(value: Any, name: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            msg = f"{name} must map columns to what is said of them, got {type(value).__name__}"
            raise TypeError(msg)
        return {
            str(key) if type(key) is int else key: rule(each, f"{what} of column {key!r}")
            for key, each in value.items()
        }

    return checked
