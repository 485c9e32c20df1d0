"""The two ways a release ends early, and how a foreign error becomes one of them.

Every message is one sentence. It holds names of columns and files, rules and counts, never a value
of the data: pyarrow, DuckDB and the dataframe libraries quote cells in theirs, so none is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokumei.release.release import Audit

MOST_NAMES = 8


class InputError(ValueError):
    """The table, a file or an argument cannot be used."""


class Unfinished(InputError):
    """The same, and what has been done is kept: the same call goes on with it."""


class Refused(Exception):
    """The release gate found a reason not to publish; `audit` says which check failed."""

    def __init__(self, message: str, audit: Audit) -> None:
        super().__init__(message)
        self.audit = audit


@contextmanager
def as_input_error(what: str) -> Iterator[None]:
    """Turn whatever goes wrong inside into an InputError that begins with `what`."""
    try:
        yield
    except (InputError, Refused, MemoryError):
        raise
    except OSError as error:
        msg = f"{what}: {error.strerror or 'it is damaged or of another kind than its name says'}"
        raise InputError(msg) from None
    except Exception as error:
        msg = f"{what} ({type(error).__name__})"
        raise InputError(msg) from None


def named(columns: Collection[str], what: str = "column") -> str:
    """Columns in a sentence: "column 'age'", "columns 'age', 'sex' and 12 more"."""
    shown = ", ".join(repr(name) for name in list(columns)[:MOST_NAMES])
    more = len(columns) - MOST_NAMES
    return f"{what}{'s' * (len(columns) > 1)} {shown}" + (f" and {more} more" if more > 0 else "")


def counted(number: int, what: str) -> str:
    """A number and its noun: "1 row", "2 rows"."""
    return f"{number} {what}{'s' * (number != 1)}"
