"""Options of the command that say more than a word: orders, trees, pairs of a name and a word."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from tokumei.release.errors import InputError, counted, told


def pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    """``name=word`` as a mapping."""
    found = {}
    for text in given:
        name, equals, word = text.partition("=")
        if not (name and equals and word):
            msg = f"{option} is written as name=word, got {text!r}"
            raise InputError(msg)
        found[name.strip()] = word.strip()
    return found


def effort(given: str) -> str | float:
    """A word, or a number of shakes a record."""
    try:
        return float(given)
    except ValueError:
        return given


def orders(given: Sequence[str]) -> dict[str, list[str]]:
    """``name=low<middle<high`` as a mapping from names to values."""
    return {
        name: [value.strip() for value in order.split("<")]
        for name, order in pairs("ordinal", given).items()
    }


def trees(given: Sequence[str]) -> dict[str, dict[str, str]]:
    """``name=file.csv`` as a mapping from names to trees, each from nodes to their parents."""
    return {name: tree(Path(path)) for name, path in pairs("tree", given).items()}


def tree(path: Path) -> dict[str, str]:
    """A tree from a CSV file without header: a row a leaf, from the leaf up to the root."""
    with told(f"cannot read {path.name}"), path.open(encoding="utf-8-sig", newline="") as file:
        rows = [[cell.strip() for cell in row if cell.strip()] for row in csv.reader(file)]
    parent_of: dict[str, str] = {}
    torn = 0
    for row in rows:
        for child, parent in pairwise(row):
            # A leaf may be repeated on its way up, where other leaves have more levels.
            if child != parent:
                torn += parent_of.setdefault(child, parent) != parent
    if torn:
        msg = f"{path.name}: {counted(torn, 'row')} with another parent for a node than before"
        raise InputError(msg)
    if not parent_of:
        msg = f"{path.name} holds no tree: a row goes from a leaf up to the root"
        raise InputError(msg)
    return parent_of
