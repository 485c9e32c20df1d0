"""Masked numbers back into the table, and everything out of it that leads back to a person."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from tokumei.release.errors import as_input_error
from tokumei.release.io.frames import Frame, remade
from tokumei.release.mask.attributes import Published
from tokumei.release.schema import Schema


def release(
    frame: Frame, schema: Schema, masked: Mapping[str, Published], *, keep_order: bool
) -> Frame:
    """The table to publish: identifiers dropped, quasi-identifiers masked, rows shuffled."""
    with as_input_error("the masked table cannot be put together"):
        kept = frame.drop(schema.of("identifier"))
        kept = kept.with_columns(_column(frame, name, masked[name]) for name in schema.of("quasi"))
        if not keep_order:
            kept = kept[shuffled(len(kept)), :]
        return remade(kept)


def _column(frame: Frame, name: str, published: Published) -> Any:
    if published.rows is not None:
        return frame[name][published.rows.tolist()].alias(name)
    kind = nw.Float64() if published.numeric else nw.String()
    return nw.new_series(name, published.cells, dtype=kind, backend=frame.implementation)


def shuffled(rows: int) -> NDArray[Any]:
    """A random order of the rows. The operating system draws it, so no seed brings it back."""
    keys = np.frombuffer(os.urandom(8 * rows), dtype=np.uint64)
    return np.argsort(keys, kind="stable")
