"""What groups publish, back in the columns of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokumei.release.errors import as_input_error
from tokumei.release.io.frames import Frame, column_like
from tokumei.release.mask.quasi_identifiers import Published


def masked(frame: Frame, published: Mapping[str, Published]) -> Frame:
    """The table with its quasi-identifiers masked."""
    with as_input_error("the masked table cannot be put together"):
        return frame.with_columns(_column(frame, name, one) for name, one in published.items())


def _column(frame: Frame, name: str, published: Published) -> Any:
    if published.rows is not None:
        return frame[name][published.rows.tolist()].alias(name)
    return column_like(frame, name, published.cells)
