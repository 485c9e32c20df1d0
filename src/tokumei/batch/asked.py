"""A job on a data set, checked: what is read of a piece, and how much is held at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from tokumei._check import Floats, Labels
from tokumei.batch import strata
from tokumei.batch.pieces import Piece, Source
from tokumei.batch.source import read_as
from tokumei.batch.texts import Reading
from tokumei.privacy import KAnonymity, LDiversity, MinHouseholds, TCloseness
from tokumei.release.errors import InputError
from tokumei.release.io import files, frames
from tokumei.release.io.files import Layout
from tokumei.release.job import Job
from tokumei.release.mask import encode
from tokumei.release.schema import Columns, Schema

BASE = 600 << 20  # bytes of libraries, of a sample and of attacks, whatever the table
HELD = 6  # times its records' bytes that a task takes: read, sorted, masked, counted, written
LEAST_BYTES = 4 << 20  # of records in a task


@dataclass(frozen=True)
class Sizes:
    """How large is what tasks hold at once, in rows; and how many records a sample has."""

    block: int = 1 << 17
    task: int = 1 << 22
    task_bytes: int = 1 << 28
    sample: int = 1 << 18
    bins: int = 8
    part: int = 1 << 20  # of a file of the release, at most but for chance

    def within(self, limit: float, threads: int) -> tuple[Sizes, int]:
        """The sizes and the threads of a run that takes at most so many bytes of memory."""
        room = (limit - BASE) / HELD
        if room < LEAST_BYTES:
            least = (BASE + HELD * LEAST_BYTES) / 2**30
            msg = f"memory_limit must be at least {least:.2f} GiB, got {limit / 2**30:g}"
            raise InputError(msg)
        threads = min(threads, max(int(room / (4 * LEAST_BYTES)), 1))
        return replace(self, task_bytes=min(self.task_bytes, int(room / threads))), threads

    def held(self, threads: int) -> int:
        """The bytes of memory that tasks of so many threads take at most."""
        return BASE + HELD * self.task_bytes * threads


SIZES = Sizes()


class Scattered(Protocol):
    """What is known of a release whose records are scattered over files."""

    @property
    def asked(self) -> Asked: ...

    @property
    def rows(self) -> int: ...

    @property
    def row_bytes(self) -> float: ...

    @property
    def parts(self) -> int: ...

    @property
    def bins(self) -> int: ...

    @property
    def centres(self) -> Mapping[str, float]:
        """The means of columns, as they were."""

    def of_written(self, connection: Any, cells: str, names: Sequence[str]) -> dict[str, Any]:
        """What more is asked of a file, whose cells SQL reads so."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A job on a data set, checked: what each piece is read for."""

    job: Job
    roles: Schema
    columns: Columns
    names: tuple[str, ...]  # that are read
    sizes: Sizes = SIZES
    readings: Mapping[str, Reading] = field(default_factory=dict)  # of columns of texts

    @property
    def step(self) -> Any:
        """What is done: a `Microaggregate`, `Recode` or `Perturb`."""
        return self.job.steps[0]

    @property
    def k(self) -> int:
        """The k that is asked for; 0 where none is."""
        model = self.job.model(KAnonymity)
        return 0 if model is None else int(model.k)

    @property
    def quasi(self) -> list[str]:
        """The columns that are changed."""
        return self.roles.of(self.job.role)

    @property
    def strata(self) -> tuple[str, ...]:
        """The columns whose values groups never cross."""
        return tuple(getattr(self.step, "strata", ()))

    @property
    def unmasked(self) -> list[str]:
        """What is released as it is and others may know."""
        return [*self.roles.of("other"), *self.roles.of("weight")]

    @property
    def diversity(self) -> dict[str, int]:
        """How many different values of which columns every group shows."""
        return {m.column: m.l for m in self.job.privacy if isinstance(m, LDiversity)}

    @property
    def household(self) -> str:
        """The column of households; "" where none is named."""
        return self.columns.household or ""

    @property
    def apart(self) -> int:
        """How many households a group has at least whose members may be parted; else 0."""
        model = self.job.model(MinHouseholds)
        return 0 if model is None else int(model.count)

    @property
    def together(self) -> bool:
        """Whether members of a household stay together, and k counts households."""
        return bool(self.household) and not self.apart

    @property
    def closeness(self) -> list[TCloseness]:
        """How near to the table the values of every group are to be."""
        return [m for m in self.job.privacy if isinstance(m, TCloseness)]

    @property
    def of_classes(self) -> bool:
        """Whether more is asked of classes than each block can count: joining may break it."""
        kinds = [m.kind for m in self.job.privacy if isinstance(m, LDiversity)]
        return bool(self.closeness) or any(kind != "distinct" for kind in kinds)

    @property
    def searched(self) -> bool:
        """Whether groups are to show more than k records, which is for a search alone."""
        return bool(self.diversity or self.apart or self.closeness)

    @property
    def different(self) -> dict[str, int]:
        """How many different values of which columns every class is to have."""
        homes = {self.household: self.apart or self.k} if self.household else {}
        return self.diversity | homes

    def shows(self, table: Any) -> bool:
        """Whether so many different values are among these records."""
        asked = self.different.items()
        return all(len(strata.codes_of(table, [name])[1]) >= least for name, least in asked)

    def weights_of(self, table: Any) -> Floats | None:
        """How much each record of a piece counts in a mean; None where all count alike."""
        name = self.columns.weight
        if name is None:
            return None
        return encode.weights(frames.frame_of(self.as_read(table, [name])), name)

    def read(self, source: Source, piece: Piece) -> Any:
        """What of a piece is read: nothing that is not released."""
        table = source.read(piece, self.names)
        return table if getattr(source, "settled", False) else self.as_read(table, self.quasi)

    def as_read(self, table: Any, names: Sequence[str]) -> Any:
        """Some columns of a piece as they are worked on; others are passed on as they are."""
        for name in names:
            if name in self.readings:
                place = table.schema.get_field_index(name)
                table = table.set_column(place, name, read_as(table, name, self.readings[name]))
        return table

    def strata_in(self, table: Any) -> Any:
        """The columns of a piece that say its strata."""
        names = self.strata
        return self.as_read(table.select(names), names)

    def homes_of(self, table: Any) -> Labels:
        """A code for the household of each record of a piece; none may be missing."""
        names = [self.household]
        return strata.codes_of(self.as_read(table.select(names), names), names)[0]

    @property
    def layout(self) -> Layout:
        """How the files of the release are written."""
        commas = [n for n in self.quasi if n in self.readings and self.readings[n].notation.comma]
        return files.layout_of(Path(f"part.{self.job.output.files}"), commas=tuple(commas))
