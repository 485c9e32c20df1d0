"""A proxy of a release: the same job on a random half of the people, the others as control.

A proxy is attacked in place of the release, since there one knows who is in and who is not; it is
never released. Halves are drawn from a fixed seed: the same table and job have the same verdict, so
that asking again does not help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tokumei._check import Labels
from tokumei.release.errors import InputError
from tokumei.release.io.frames import Frame, columns_of
from tokumei.release.job import Job
from tokumei.release.schema import Schema
from tokumei.risk.attacks.records import Records, comparable
from tokumei.values import tables
from tokumei.values.column import Column
from tokumei.values.containers import listed

MOST_ROWS = 20_000  # of a proxy
MOST_ROUNDS, ROWS_OF_ALL = 8, 80_000
# What a step makes of a table, in the order of its rows.
Remake = Callable[[Job, Frame], Frame]


@dataclass(frozen=True)
class Round:
    """People whose records were released in a proxy, the proxy, and people who are not in it."""

    members: Records
    proxy: Records
    strangers: Records


def half_of(job: Job, roles: Schema, frame: Frame) -> int:
    """How many people, or households, a proxy has."""
    return min(_units(job, frame)[1] // 2, MOST_ROWS)


def rounds(
    job: Job, roles: Schema, frame: Frame, names: Sequence[str], remake: Remake
) -> Iterator[Round]:
    """One proxy after another, each of other people; none where the job cannot be done on half."""
    unit_of, units = _units(job, frame)
    half = min(units // 2, MOST_ROWS)
    asked = replace(job, run=job.run.silent(), output=replace(job.output, keep_order=True))
    chance = np.random.default_rng(0)
    order = np.arange(units)
    for number in range(max(1, min(MOST_ROUNDS, ROWS_OF_ALL // max(half, 1)))):
        if number % 2 == 0:
            order = chance.permutation(units)
            one, other = order[:half], order[half : 2 * half]
        else:
            one, other = other, one
        members = frame[_rows(unit_of, one, units), :]
        strangers = frame[_rows(unit_of, other, units), :]
        try:
            proxy = remake(asked, members)
        except InputError:
            return
        yield Round(
            *comparable([columns(each, names) for each in (members, proxy, strangers)], names)
        )


def columns(frame: Frame, names: Sequence[str]) -> dict[Any, Column]:
    """Some columns of a frame, as attacks read them."""
    table = columns_of(frame, names)
    read = tables.table(dict(zip(names, table.columns, strict=True)), "the table")
    return {name: one if one.has_hash else _as_texts(one) for name, one in read.items()}


def _as_texts(column: Column) -> Column:
    """Lists and records as texts, which can be told apart."""
    return Column([None if cell is None else repr(cell) for cell in listed(column.source)])


def _units(job: Job, frame: Frame) -> tuple[Labels, int]:
    """Who must stay together in a proxy: each row by itself, or the people of a household."""
    if job.schema.household is None:
        return np.arange(len(frame)), len(frame)
    household = columns(frame, [job.schema.household])[job.schema.household]
    codes = household.codes
    return codes, int(codes.max()) + 1


def _rows(unit_of: Labels, chosen: Labels, units: int) -> list[int]:
    inside = np.zeros(units, dtype=bool)
    inside[chosen] = True
    found: list[int] = np.flatnonzero(inside[unit_of]).tolist()
    return found
