"""The hierarchy of an attribute: what each value becomes on its way up to the top.

It is one thing seen in two ways, and measures take it either way: as a tree, where every label is a
node with a parent, and by level, where every value becomes something at level 1, 2, up to the
height. The rules are the same however it was made:

- A label is one node wherever it stands. A node is a root where no parent is given, or a missing
  one, or itself.
- There is one top. Where there are several roots, "*" is above them, which says "anything", as the
  field writes it; it may be written out or not.
- Levels end at the top together: a value with fewer nodes above it stays itself for longer. Levels
  that were given, and are of one length, stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei._check.cached import cached_property
from tokumei.values.ancestry import Ancestry, ancestry_of
from tokumei.values.calendar import ways_of_dates
from tokumei.values.cells import is_missing
from tokumei.values.columns import coded
from tokumei.values.levels import Ways, check_nested, rows_in_file, topped, ways_in, ways_of_rows
from tokumei.values.parents import parents_along, parents_in, rooted


class Hierarchy:
    """What each value of an attribute becomes on its way up to the top: a tree, level by level.

    Made by `from_parents`, `from_levels`, `from_csv`, `from_nested` or `from_dates`. A label is one
    node wherever it stands; several roots have "*" above them; a value with a short way up stays
    itself for longer, so that all reach the top at the highest level.

    Attributes
    ----------
    values : tuple
        The values, which are level 0.
    height : int
        The highest level.
    levels : dict
        For each value what it becomes at level 1, 2, ...
    parents : dict
        The parent of each node but the top.

    Examples
    --------
    >>> import tokumei as tk
    >>> place = tk.Hierarchy.from_parents({"Tokyo": "Kanto", "Chiba": "Kanto", "Osaka": "Kansai"})
    >>> place.levels["Chiba"]
    ('Kanto', '*')
    >>> place.at(["Chiba", "Osaka"], 1)
    array(['Kanto', 'Kansai'], dtype=object)
    >>> place == tk.Hierarchy.from_levels(place.levels)
    True
    """

    values: tuple[Any, ...]

    def __init__(self, values: Iterable[Any], **made_of: Mapping[Any, Any]) -> None:
        self.values = tuple(values)
        # One of `parents` and `levels` is what it was made of; the other follows when asked for.
        self.__dict__.update(made_of)

    @classmethod
    def from_parents(cls, parent_of: Mapping[Any, Any], *, name: str = "parent_of") -> Hierarchy:
        """A hierarchy from a mapping of each node to its parent.

        Its values are the nodes that are nobody's parent, so the mapping of a recoding, from old to
        new categories, is a hierarchy too. `name` is what messages call the mapping.
        """
        if not isinstance(parent_of, Mapping):
            kind = type(parent_of).__name__
            msg = f"{name} must be a Hierarchy or map each value to its parent, got {kind}"
            raise TypeError(msg)
        parents = rooted(parent_of, name)
        inner = set(parents.values())
        values = (node for node in parent_of if node not in inner and not is_missing(node))
        return cls(values, parents=parents)

    @classmethod
    def from_levels(cls, levels: Any, *, name: str = "levels") -> Hierarchy:
        """A hierarchy from what each value becomes at level 1, 2, ...

        `levels` maps each value to a sequence, or is a table: a row a value, its first column the
        value, each other column a level. Missing cells are skipped; where rows differ in length,
        they say which node is whose parent, and levels are counted from the top.
        """
        return cls._from_ways(ways_in(levels, name), name)

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        *,
        delimiter: str | None = None,
        value: Callable[[str], Hashable] = str,
    ) -> Hierarchy:
        """A hierarchy from a file without header, a row a value and a column a level, as ARX has.

        The delimiter is ";" where the first line has one, and "," otherwise. Blanks around a cell
        do not count. `value` makes the values from the texts of the first column: ``int`` for a
        column of whole numbers.
        """
        path = Path(path)
        rows = (
            [value(first) if first else None, *rest]
            for first, *rest in filter(None, rows_in_file(path, delimiter))
        )
        return cls._from_ways(ways_of_rows(rows, path.name), path.name)

    @classmethod
    def from_nested(cls, nested: Mapping[Any, Any] | Sequence[Any]) -> Hierarchy:
        """A hierarchy from lists of values in mappings by their parents, or in lists.

        A list within a list has no name of its own; it gets one from its values, like "a/b".
        """
        return cls.from_parents(parents_in(nested), name="nested")

    @classmethod
    def from_dates(cls, values: Any, *, name: str = "values") -> Hierarchy:
        """The hierarchy of some dates: a date becomes its month, its quarter and its year.

        They are called 1985-04, 1985-Q2 and 1985. `values` is a column of dates, or of texts that
        are dates; it may repeat them.
        """
        return cls._from_ways(ways_of_dates(values, name), name)

    @classmethod
    def _from_ways(cls, ways: Ways, name: str) -> Hierarchy:
        if len({len(way) for way in ways.values()}) > 1:
            along = [(value, *way) for value, way in ways.items()]
            return cls.from_parents(parents_along(along, name), name=name)
        made = cls(ways, levels=topped(ways))
        check_nested(made._columns(), name)
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        return self.levels == other.levels

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Hierarchy of {len(self.values)} values, {self.height} levels>"

    # By level.

    @cached_property
    def levels(self) -> Mapping[Any, tuple[Any, ...]]:
        """For each value what it becomes at level 1, 2, ..."""
        depths = self.tree.depth[self.find(self.values, None, "values")].tolist()
        height = max(depths)
        levels = {}
        for value, depth in zip(self.values, depths, strict=True):
            way = [value] * (height - depth)
            for _ in range(depth):
                way.append(self.parents[way[-1] if way else value])
            levels[value] = tuple(way)
        return levels

    @property
    def height(self) -> int:
        """The highest level; all values are the top there."""
        return len(self.levels[self.values[0]])

    def _columns(self) -> list[tuple[Any, ...]]:
        """The values at each level."""
        return [self.values, *zip(*self.levels.values(), strict=True)]

    @cached_property
    def labels(self) -> tuple[tuple[Any, ...], ...]:
        """What is left of the values at each level."""
        return tuple(tuple(dict.fromkeys(column)) for column in self._columns())

    @cached_property
    def codes(self) -> Labels:
        """The number of each value's label, among those of the level; a row a level."""
        codes = []
        for labels, values in zip(self.labels, self._columns(), strict=True):
            number = {label: place for place, label in enumerate(labels)}
            codes.append([number[value] for value in values])
        return np.array(codes, dtype=np.int64)

    def places(self, values: Any, name: str = "values") -> Labels:
        """The number of each record's value, among `values`; unknown ones are counted, refused."""
        codes, known = coded(values, name)
        number = {value: place for place, value in enumerate(self.values)}
        return _found(number, known, np.bincount(codes, minlength=len(known)), name)[codes]

    def at(self, values: Any, level: int) -> NDArray[Any]:
        """The values of records at a level, 0 being the values themselves."""
        level = _check.between(level, 0, self.height, "level")
        labels = np.empty(len(self.labels[level]), dtype=object)
        labels[:] = self.labels[level]
        found: NDArray[Any] = labels[self.codes[level][self.places(values)]]
        return found

    # As a tree.

    @cached_property
    def parents(self) -> Mapping[Any, Any]:
        """The parent of each node but the top."""
        ways = ((value, *way) for value, way in self.levels.items())
        return rooted(parents_along(ways, "the hierarchy"), "the hierarchy")

    @cached_property
    def _numbered(self) -> tuple[tuple[Any, ...], Ancestry]:
        return ancestry_of(self.values, self.parents)

    @property
    def nodes(self) -> tuple[Any, ...]:
        """All labels: each value in turn, followed by what is above it and was not named before."""
        return self._numbered[0]

    @property
    def tree(self) -> Ancestry:
        """The numbers of the nodes above each node."""
        return self._numbered[1]

    @cached_property
    def shares(self) -> Floats:
        """The share of all values that each node stands for; 0 where it is a single one."""
        count = np.zeros(len(self.nodes), dtype=np.int64)
        count[self.find(self.values, None, "values")] = 1
        below = self.tree.at_or_below(count)
        return np.where(below > 1, below / len(self.values), 0.0)

    def find(self, known: Sequence[Any], counts: Labels | None, name: str) -> Labels:
        """The node of each of some values, of which there are so many; unknown ones are counted
        and refused.
        """
        number = {node: place for place, node in enumerate(self.nodes)}
        return _found(number, known, counts, name)


def hierarchy_of(given: Hierarchy | Mapping[Any, Any], name: str) -> Hierarchy:
    """What a caller gives for a hierarchy: one, or a mapping of each node to its parent."""
    return given if isinstance(given, Hierarchy) else Hierarchy.from_parents(given, name=name)


def _found(
    number: Mapping[Any, int], known: Sequence[Any], counts: Labels | None, name: str
) -> Labels:
    found = np.fromiter((number.get(value, -1) for value in known), np.int64, len(known))
    unknown = int((found < 0).sum() if counts is None else counts[found < 0].sum())
    if unknown:
        msg = f"{name} has {unknown} values that the hierarchy does not know"
        raise ValueError(msg)
    return found
