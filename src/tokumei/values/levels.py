"""What values become level by level, from what a person or a file writes down."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tokumei.values.columns import is_missing, listed
from tokumei.values.parents import TOP
from tokumei.values.tables import table

Ways = dict[Any, tuple[Any, ...]]


def ways_in(levels: Any, name: str) -> Ways:
    """What each value becomes: of a mapping of sequences, or of a table with a row a value."""
    if not isinstance(levels, Mapping):
        return ways_of_rows(zip(*map(listed, table(levels, name).values()), strict=True), name)
    odd = sum(not isinstance(way, list | tuple | np.ndarray) for way in levels.values())
    if odd:
        msg = f"{name} must map each value to a sequence of levels; {odd} of them are none"
        raise TypeError(msg)
    return ways_of_rows(([value, *way] for value, way in levels.items()), name)


def ways_of_rows(rows: Iterable[Sequence[Any]], name: str) -> Ways:
    """What each value becomes, missing cells skipped; a row may be repeated."""
    ways: Ways = {}
    torn = 0
    for row in rows:
        cells = tuple(cell for cell in row if not is_missing(cell))
        if cells:
            torn += ways.setdefault(cells[0], cells[1:]) != cells[1:]
    if torn:
        msg = f"{name} has {torn} rows that give a value other levels than a row before"
        raise ValueError(msg)
    if not ways:
        msg = f"{name} is empty"
        raise ValueError(msg)
    return ways


def rows_in_file(path: Path, delimiter: str | None) -> list[list[str]]:
    """The cells of a CSV file without header; ";" is the delimiter if its first line has one."""
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    if delimiter is None:
        delimiter = ";" if lines and ";" in lines[0] else ","
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
    if not any(cell for row in rows for cell in row[1:]):
        msg = f"{path.name} has no levels: a row is a value and what it becomes, up to the top"
        raise ValueError(msg)
    return rows


def topped(ways: Ways) -> Ways:
    """Levels of one length, with the top as the highest."""
    if len({way[-1] if way else value for value, way in ways.items()}) == 1:
        return ways
    return {value: (*way, TOP) for value, way in ways.items()}


def check_nested(columns: Sequence[Sequence[Any]], name: str) -> None:
    """Refuse levels at which equal values are parted again."""
    for level in range(len(columns) - 1):
        pairs = set(zip(columns[level], columns[level + 1], strict=True))
        parted = len(pairs) - len({low for low, _ in pairs})
        if parted:
            above = f"parted again at level {level + 1}"
            msg = f"{name}: {parted} values of level {level} are {above}"
            raise ValueError(msg)
