"""Whether the first line of a CSV file has names of columns, or is a record like the others.

Loaded by `decoder`, in the process that has a bound on its memory: imports nothing of tokumei.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import Any


def is_data(names: Sequence[str], columns: Sequence[Any], numbers: Sequence[str]) -> bool:
    """Whether names are numbers, dates, or values of their own columns, which are text."""
    patterns = [re.compile(pattern, re.ASCII | re.IGNORECASE) for pattern in numbers]
    if any(pattern.fullmatch(name.strip()) for name in names for pattern in patterns):
        return True
    if any(_is_date(name.strip()) for name in names):
        return True
    return any(
        bool(name.strip()) and _is_among(name, column)
        for name, column in zip(names, columns, strict=True)
    )


def _is_date(text: str) -> bool:
    with suppress(ValueError):
        date.fromisoformat(text[:10])
        return True
    return False


def _is_among(name: str, column: Any) -> bool:
    # Most names are not even among the bytes of all cells, and to know that needs nothing loaded.
    looked_for = re.compile(re.escape(name.encode()))
    if not any(looked_for.search(text) for part in column.chunks if (text := part.buffers()[2])):
        return False
    import pyarrow.compute as pc

    return bool(pc.any(pc.equal(column, name)).as_py())
