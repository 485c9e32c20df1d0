"""What groups may not do: cross a stratum, or count a household more than once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tokumei import _check
from tokumei.microaggregation.publish.aggregate import aggregate_of
from tokumei.microaggregation.records import Codes, Records, Table

# What forms the groups of some rows: rows, the run, when to end -> labels.
Form = Callable[[_check.Labels, _check.Run, _check.Deadline | None], _check.Labels]


def check_strata(strata: tuple[_check.Labels, int], k: int) -> None:
    """Strata that all have at least k members."""
    stratum, count = strata
    sizes = np.bincount(stratum, minlength=count)
    if sizes.min() < k:
        msg = f"{int((sizes < k).sum())} of {count} strata have fewer than k = {k} members"
        raise ValueError(msg)


def check_households(households: tuple[_check.Labels, int], k: int) -> None:
    """At least k households in all."""
    _, count = households
    if count < k:
        msg = f"k = {k} households are asked for in each group, but there are {count} in all"
        raise ValueError(msg)


def by_stratum(
    form: Form,
    strata: tuple[_check.Labels, int],
    run: _check.Run,
    end: _check.Deadline | None,
) -> _check.Labels:
    """The groups of all strata, each formed from the rows of one in its share of the time."""
    stratum, count = strata
    total = len(stratum)
    order = np.argsort(stratum, kind="stable")
    labels = np.empty(total, dtype=np.int64)
    first = done = 0
    for rows in np.split(order, np.cumsum(np.bincount(stratum, minlength=count))[:-1]):
        share = run.part(done / total, (done + len(rows)) / total)
        part = form(rows, share, end and end.part(len(rows) / (total - done)))
        labels[rows] = part + first
        first += int(part.max()) + 1
        done += len(rows)
    return in_order_of_first_record(labels)


def as_records(
    x: Table,
    weights: _check.Floats | None,
    households: tuple[_check.Labels, int],
    run: _check.Run,
) -> tuple[Table, _check.Floats]:
    """Each household as one record, and its members' weights added up.

    Its numbers are the means of its members, its categories those of which they weigh most, of
    equals the lower code, a missing one before all.
    """
    household, count = households
    _, first = np.unique(household, return_index=True)
    numbers = x.numbers if isinstance(x, Records) else x
    means = aggregate_of(numbers, household, count, "mean", weights, run.silent())
    mass = np.bincount(household, weights).astype(np.float64)
    means = np.asfortranarray(means[first])
    if not isinstance(x, Records):
        return means, mass
    codes = [_heaviest(column, weights, household) for column in x.codes.T]
    return Records(means, np.asfortranarray(np.column_stack(codes)), x.weights), mass


def _heaviest(codes: Codes, weights: _check.Floats | None, household: _check.Labels) -> Codes:
    """The code of each household that weighs most."""
    span = int(codes.max()) + 2
    cells, place = np.unique(household * span + codes + 1, return_inverse=True)
    owners, values = np.divmod(cells, span)
    order = np.lexsort((values, -np.bincount(place, weights), owners))
    heaviest = np.flatnonzero(np.diff(owners[order], prepend=-1))
    found: Codes = (values[order][heaviest] - 1).astype(np.int32)
    return found


def strata_of(
    households: tuple[_check.Labels, int], strata: tuple[_check.Labels, int]
) -> tuple[_check.Labels, int]:
    """The stratum of each household, in which all its members must be."""
    household, _ = households
    stratum, count = strata
    _, first = np.unique(household, return_index=True)
    torn = len(set(household[stratum != stratum[first][household]].tolist()))
    if torn:
        msg = f"{torn} households lie in more than one stratum"
        raise ValueError(msg)
    return stratum[first], count


def in_order_of_first_record(labels: _check.Labels) -> _check.Labels:
    """The same groups, numbered in the order of their first record."""
    _, first, group = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]
