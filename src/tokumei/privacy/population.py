"""A table of the population that a release's records are of, coded as the release is."""

from __future__ import annotations

import hashlib
import os
from typing import Any

import numpy as np

from tokumei._check import Labels
from tokumei._check.options import nothing, option


class Population:
    """A table in memory, told from others by its cells."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __str__(self) -> str:
        import narwhals.stable.v2 as nw
        import pyarrow as pa

        cells = nw.from_native(self.table, eager_only=True).to_arrow()
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, cells.schema) as writer:
            writer.write_table(cells)
        return f"sha256:{hashlib.sha256(sink.getvalue()).hexdigest()}"


def population(value: Any, name: str) -> str | Population:
    """The name of a file, or a table in memory."""
    if isinstance(value, Population | str):
        return value
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if not hasattr(value, "columns"):
        msg = f"{name} must be a table or the name of a file, got {type(value).__name__}"
        raise TypeError(msg)
    return Population(value)


def of_population() -> Any:
    """The option of every model that asks for the population."""
    return option(
        None,
        rule=population,
        help="A table of the population, coded like the release, or its file.",
        shown=nothing,
    )


def sizes_in(groups: Labels, codes: Labels | None) -> tuple[Labels, Labels]:
    """How many records each group has in the release, and how many in the population.

    `codes` is the group of each record of the population, -1 where the release has none like it.
    """
    if codes is None:
        msg = "this model counts the records of a population"
        raise ValueError(msg)
    here = np.bincount(groups)
    there = np.bincount(codes[codes >= 0], minlength=len(here))[: len(here)]
    return here[here > 0], there[here > 0]
