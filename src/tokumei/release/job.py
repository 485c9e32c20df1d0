"""What is asked for, checked before any work."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei import _check
from tokumei.microaggregation.partition import METHODS
from tokumei.release.errors import InputError


@dataclass(frozen=True)
class Job:
    """A masking as it is asked for; `roles` are the names given for each role."""

    roles: dict[str, object]
    k: int
    method: str
    keep_order: bool
    n_threads: int
    callback: _check.Callback | None


def job(
    *,
    roles: dict[str, object],
    k: int,
    method: str,
    keep_order: bool,
    n_threads: int | None,
    callback: _check.Callback | None,
) -> Job:
    """A job of arguments that can be right; what depends on the table is checked with it."""
    try:
        k = _check.whole(k, "k")
        _check.one_of(method, ("auto", *METHODS), "method")
        threads, _, callback = _check.run(n_threads, callback)
    except (TypeError, ValueError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    if k < 2:
        msg = f"k must be at least 2, or nothing is masked; got {k}"
        raise InputError(msg)
    return Job(roles, k, method, bool(keep_order), threads, callback)


def check_rows(rows: int, k: int) -> None:
    """Refuse a table with too few rows for one group."""
    if rows == 0:
        msg = "the table has no rows"
        raise InputError(msg)
    if k > rows:
        msg = f"k must be between 2 and the number of rows ({rows}), got {k}"
        raise InputError(msg)
