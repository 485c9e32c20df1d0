"""Generalisation hierarchies by level: what each value becomes, from itself to the very top."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei.recode.names import joined
from tokumei.values.columns import coded, column

TOP = "*"


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The values of an attribute and what they become at each level.

    Level 0 is the value itself; at the highest level most hierarchies know one value only. Values
    that are equal at one level are equal at all higher ones.

    Parameters
    ----------
    ways : mapping
        For each value what it becomes at level 1, 2, ...; all of one length.

    Examples
    --------
    >>> import tokumei as tk
    >>> tree = tk.recode.Hierarchy.from_nested({"Kanto": ["Tokyo", "Chiba"], "Kansai": ["Osaka"]})
    >>> tree.height
    2
    >>> tree.at(["Chiba", "Osaka"], 1)
    array(['Kanto', 'Kansai'], dtype=object)
    """

    ways: Mapping[Any, Sequence[Hashable]] = field(repr=False)
    height: int = field(init=False)
    codes: NDArray[np.int64] = field(init=False, repr=False)
    labels: tuple[tuple[Hashable, ...], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.ways, Mapping) or not self.ways:
            msg = "ways must map each value to what it becomes, level by level"
            raise TypeError(msg)
        lengths = {len(way) for way in self.ways.values()}
        if len(lengths) > 1:
            msg = f"ways must all be of one length, got {min(lengths)} to {max(lengths)} levels"
            raise ValueError(msg)
        levels = [list(self.ways), *map(list, zip(*self.ways.values(), strict=True))]
        codes, labels = zip(*map(_coded_level, levels), strict=True)
        object.__setattr__(self, "height", len(levels) - 1)
        object.__setattr__(self, "codes", np.array(codes))
        object.__setattr__(self, "labels", labels)
        for level in range(self.height):
            parted = _parted(self.codes[level], self.codes[level + 1])
            if parted:
                msg = f"{parted} values of level {level} are parted again at level {level + 1}"
                raise ValueError(msg)

    @classmethod
    def from_parents(cls, parent_of: Mapping[Any, Hashable]) -> Hierarchy:
        """A hierarchy from a mapping of each value, and each parent but the top, to its parent.

        Ways of different lengths end at the top together: a value with a short one stays itself
        for longer. Several roots get a common top, "*".
        """
        if not isinstance(parent_of, Mapping) or not parent_of:
            msg = "parent_of must map each value to its parent"
            raise TypeError(msg)
        above = {child: up for child, up in parent_of.items() if up is not None and up != child}
        parents = set(above.values())
        leaves = [value for value in parent_of if value not in parents]
        ways = {leaf: _way_up(leaf, above, len(parent_of)) for leaf in leaves}
        if len({way[-1] for way in ways.values()}) > 1:
            ways = {leaf: [*way, TOP] for leaf, way in ways.items()}
        if not ways:
            msg = "parent_of must be a tree: all its values lead round in a circle"
            raise ValueError(msg)
        longest = max(map(len, ways.values()))
        return cls({leaf: [leaf] * (longest - len(w)) + w[1:] for leaf, w in ways.items()})

    @classmethod
    def from_nested(cls, nested: Mapping[Any, Any] | Sequence[Any], top: Any = TOP) -> Hierarchy:
        """A hierarchy from lists of values in mappings by their parents, or in lists.

        A list within a list has no name of its own; it gets one from its values, like "a/b".
        """
        parent_of: dict[Any, Any] = {}
        _descend(nested, top, parent_of)
        return cls.from_parents(parent_of)

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        *,
        delimiter: str | None = None,
        value: Callable[[str], Hashable] = str,
    ) -> Hierarchy:
        """A hierarchy from a file with one row a value and one column a level, as ARX writes them.

        The delimiter is ";" where the first line has one, and "," otherwise. `value` makes the
        values from the texts of the first column: ``int`` for a column of whole numbers.
        """
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
        if delimiter is None:
            delimiter = ";" if lines and ";" in lines[0] else ","
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
        widths = {len(row) for row in rows}
        if len(widths) != 1:
            msg = f"a hierarchy must have rows of one length, got {sorted(widths) or 'no rows'}"
            raise ValueError(msg)
        ways = {value(row[0]): row[1:] for row in rows}
        if len(ways) < len(rows):
            msg = f"a hierarchy names each value once; {len(rows) - len(ways)} rows repeat one"
            raise ValueError(msg)
        return cls(ways)

    def places(self, values: Any, name: str = "values") -> _check.Labels:
        """The number of each value, in the order of `ways`; unknown ones are counted, refused."""
        codes, known = coded(column(values, name), name)
        number = {value: place for place, value in enumerate(self.ways)}
        places = np.array([number.get(value, -1) for value in known], dtype=np.int64)
        unknown = int((places[codes] < 0).sum())
        if unknown:
            msg = f"{name} has {unknown} values that the hierarchy does not know"
            raise ValueError(msg)
        found: _check.Labels = places[codes]
        return found

    def at(self, values: Any, level: int) -> NDArray[Any]:
        """The values at a level, 0 being the values themselves."""
        level = _check.between(level, 0, self.height, "level")
        labels = np.empty(len(self.labels[level]), dtype=object)
        labels[:] = self.labels[level]
        found: NDArray[Any] = labels[self.codes[level][self.places(values)]]
        return found


def _coded_level(values: list[Any]) -> tuple[list[int], tuple[Any, ...]]:
    number: dict[Any, int] = {}
    return [number.setdefault(value, len(number)) for value in values], tuple(number)


def _parted(low: NDArray[np.int64], high: NDArray[np.int64]) -> int:
    pairs = np.unique(np.stack([low, high]), axis=1)
    return int(pairs.shape[1] - len(np.unique(low)))


def _way_up(leaf: Any, above: Mapping[Any, Any], most: int) -> list[Any]:
    way = [leaf]
    while way[-1] in above:
        way.append(above[way[-1]])
        if len(way) > most + 1:
            msg = "parent_of must be a tree: some of its values lead round in a circle"
            raise ValueError(msg)
    return way


def _descend(nested: Any, parent: Any, parent_of: dict[Any, Any]) -> None:
    if isinstance(nested, Mapping):
        for name, below in nested.items():
            _add(name, parent, parent_of)
            _descend(below, name, parent_of)
        return
    if isinstance(nested, str) or not isinstance(nested, Sequence):
        msg = f"a hierarchy is nested mappings and lists, got {type(nested).__name__}"
        raise TypeError(msg)
    for item in nested:
        if isinstance(item, list | tuple) and len(_leaves(item)) == 1:
            _add(_leaves(item)[0], parent, parent_of)
        elif isinstance(item, list | tuple):
            name = joined("/")(_leaves(item))
            _add(name, parent, parent_of)
            _descend(item, name, parent_of)
        else:
            _add(item, parent, parent_of)


def _add(child: Any, parent: Any, parent_of: dict[Any, Any]) -> None:
    if child in parent_of:
        msg = f"a hierarchy names each value once; value {len(parent_of) + 1} is a repetition"
        raise ValueError(msg)
    parent_of[child] = parent


def _leaves(items: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for item in items:
        found += _leaves(item) if isinstance(item, list | tuple) else [item]
    return found
