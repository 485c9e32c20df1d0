"""What is asked for, checked before any work."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei import _check
from tokumei.microaggregation.methods.by_name import METHODS
from tokumei.microaggregation.search.search import checked_effort
from tokumei.release.errors import InputError
from tokumei.release.schema import Schema

KINDS = ("numeric", "ordinal", "nominal", "tree")
POLICIES = ("refuse", "category", "impute")


@dataclass(frozen=True)
class Job:
    """A masking as it is asked for; `roles` are the names given for each role."""

    roles: dict[str, object]
    k: int
    method: str
    effort: str | float
    keep_order: bool
    run: _check.Run
    kinds: Mapping[str, str]
    orders: Mapping[str, Sequence[Any]]
    trees: Mapping[str, Mapping[Any, Hashable]]
    represent: Mapping[str, str]
    attribute_weights: Mapping[str, float]
    weight: str | None
    household: str | None
    strata: tuple[str, ...]
    missing: str

    def asked(self, roles: Schema) -> dict[str, Any]:
        """The roles and parameters, as an audit holds them."""
        return {
            "roles": dict(roles.roles),
            "parameters": {
                "k": self.k,
                "method": self.method,
                "effort": self.effort,
                "missing": self.missing,
                "kinds": dict(self.kinds),
                "represent": dict(self.represent),
                "attribute_weights": dict(self.attribute_weights),
                "strata": list(self.strata),
                "keep_order": self.keep_order,
            },
        }

    @property
    def random_numbers(self) -> str:
        """Where the order of the rows came from."""
        return "none" if self.keep_order else "operating system"


def job(
    *,
    roles: dict[str, object],
    k: int,
    method: str,
    keep_order: bool,
    n_threads: int | None,
    callback: _check.Callback | None,
    kinds: Mapping[str, str] | None = None,
    orders: Mapping[str, Sequence[Any]] | None = None,
    trees: Mapping[str, Mapping[Any, Hashable]] | None = None,
    represent: Mapping[str, str] | None = None,
    attribute_weights: Mapping[str, float] | None = None,
    weight: str | None = None,
    household: str | None = None,
    strata: Iterable[str] = (),
    missing: str = "refuse",
    effort: str | float = "balanced",
) -> Job:
    """A job of arguments that can be right; what depends on the table is checked with it."""
    weights = dict(attribute_weights or {})
    try:
        k = _check.whole(k, "k")
        _check.one_of(method, ("auto", *METHODS), "method")
        _check.one_of(missing, POLICIES, "missing")
        checked_effort(effort)
        for name, kind in (kinds or {}).items():
            _check.one_of(kind, KINDS, f"the kind of column {name!r}")
        for name, value in weights.items():
            _positive(value, f"the weight of column {name!r}")
        run = _check.run(n_threads, callback)
    except (TypeError, ValueError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    if k < 2:
        msg = f"k must be at least 2, or nothing is masked; got {k}"
        raise InputError(msg)
    if isinstance(strata, str):
        msg = "strata must be a list of column names, got str"
        raise InputError(msg)
    roles = roles | {
        role: [name] for role, name in (("weight", weight), ("household", household)) if name
    }
    return Job(
        roles=roles,
        k=k,
        method=method,
        effort=effort,
        keep_order=bool(keep_order),
        run=run,
        kinds=dict(kinds or {}),
        orders=dict(orders or {}),
        trees=dict(trees or {}),
        represent=dict(represent or {}),
        attribute_weights=weights,
        weight=weight,
        household=household,
        strata=tuple(strata),
        missing=missing,
    )


def _positive(value: float, name: str) -> None:
    if _check.number(value, name) <= 0:
        msg = f"{name} must be positive, got {value}"
        raise ValueError(msg)


def check_names(job: Job, columns: Sequence[str], quasi: Sequence[str]) -> None:
    """Refuse options that speak of columns that are not there, or not quasi-identifiers."""
    for option, named in (
        ("kinds", job.kinds),
        ("orders", job.orders),
        ("trees", job.trees),
        ("represent", job.represent),
        ("attribute_weights", job.attribute_weights),
    ):
        for name in named:
            if name not in quasi:
                msg = f"{option} names {name!r}, which is not a quasi-identifier"
                raise InputError(msg)
    for name, kind in job.kinds.items():
        if kind == "tree" and name not in job.trees:
            msg = f"column {name!r} is to be a tree, but no tree is given for it"
            raise InputError(msg)
    for name in job.strata:
        if name not in columns:
            msg = f"the table has no column {name!r}, named in strata"
            raise InputError(msg)


def check_rows(rows: int, k: int) -> None:
    """Refuse a table with too few rows for one group."""
    if rows == 0:
        msg = "the table has no rows"
        raise InputError(msg)
    if k > rows:
        msg = f"k must be between 2 and the number of rows ({rows}), got {k}"
        raise InputError(msg)
