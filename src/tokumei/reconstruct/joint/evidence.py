"""The joint distribution by evidence: pairs of attributes first, then all of them.

Each pair begins at the Gaussian copula of its margins with the correlation that its released table
supports, or, where one of them has no order, at a copula of as many scores as that supports, and is
drawn from there as far as its evidence goes. The tables of pairs are composed to
one of all attributes, which is drawn on where there are interactions of higher order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tokumei._check import Floats, Labels, Run
from tokumei.reconstruct.cells.transitions import CellTransition, product
from tokumei.reconstruct.joint.association import Margin, association, margin_of
from tokumei.reconstruct.joint.composite import Pair, composed
from tokumei.reconstruct.joint.copula import copula
from tokumei.reconstruct.joint.correspondence import as_likely, correspondence
from tokumei.reconstruct.joint.scores import Side, side_of
from tokumei.reconstruct.joint.shrinkage import Shrunk, draws, shrunk

DRAWS = 100
# Beyond, a table is composed of its pairs and not drawn on; and so many numbers of all draws.
MOST_DRAWN_ON, MOST_DRAWN = 2**20, 2**25


@dataclass(frozen=True)
class Joint:
    """A table, tables as likely (rows), the correlations of those, and what it took."""

    table: Floats
    drawn: Floats | None
    correlations: Floats | None
    freedom: float | None
    passes: int


@dataclass
class Released:
    """What was released, in cells, and the plan by which it is worked on."""

    transitions: Sequence[CellTransition]
    codes: Sequence[Labels]
    middles: Sequence[Floats]
    unordered: frozenset[int]
    passes: int
    run: Run

    def counts(self, *axes: int) -> Floats:
        """How many records were released in each cell of a table of these attributes."""
        shape = [self.transitions[axis].outputs for axis in axes]
        flat = np.ravel_multi_index([self.codes[axis] for axis in axes], shape)
        return np.bincount(flat, minlength=int(np.prod(shape))).astype(np.float64).reshape(shape)


def joint(
    released: Released,
    margins: Sequence[Floats],
    margin_draws: Sequence[Floats],
    start: Floats | None,
    bands: bool,
) -> Joint:
    """The table of all attributes; `start` is used in place of what the pairs make."""
    chance = np.random.default_rng(0)
    count = DRAWS if bands else 0
    drawn_margins = [rows[chance.permutation(len(rows))[:count]] for rows in margin_draws]
    axes = tuple(range(len(margins)))
    if start is not None:
        found = _drawn_on(released, axes, start, released.run.part(0.0, 0.5), chance)
        begins = np.repeat(start[None], count, axis=0)
        return _result(released, found, begins, None, released.run.part(0.5, 1.0), chance)
    begins_of = _Begins(released, margins, drawn_margins, chance)
    pairs: dict[Pair, Floats] = {}
    drawn_pairs: dict[Pair, Floats] = {}
    passes, freedom, every = 0, 0.0, list(combinations(axes, 2))
    *parts, last_part = released.run.parts(len(every) + 1)
    for pair, part in zip(every, parts, strict=True):
        begin, begins = begins_of.pair(pair)
        found = _drawn_on(released, pair, begin, part.part(0.0, 0.5), chance)
        pairs[pair] = found.table
        drawn_pairs[pair] = draws(found, begins, part.part(0.5, 1.0), chance)
        passes, freedom = passes + found.passes, freedom + found.freedom
    correlations = _correlations(drawn_pairs, released.middles, count)
    table = composed(margins, pairs)
    keep = count * table.size <= MOST_DRAWN
    if len(axes) == 2:
        return Joint(table, drawn_pairs[0, 1] if bands else None, correlations, freedom, passes)
    made = [
        composed([rows[i] for rows in drawn_margins], {p: t[i] for p, t in drawn_pairs.items()})
        for i in range(count if keep else 0)
    ]
    if table.size > MOST_DRAWN_ON:
        return Joint(table, np.array(made) if made else None, correlations, freedom, passes)
    found = _drawn_on(released, axes, table, last_part.part(0.0, 0.5), chance)
    rest, drawn = last_part.part(0.5, 1.0), np.array(made) if made else None
    last = _result(released, found, drawn, correlations, rest, chance)
    freedom, passes = freedom + found.freedom, passes + found.passes
    return Joint(last.table, last.drawn, last.correlations, freedom, passes)


class _Begins:
    """Where pairs begin, and as likely beginnings, one for each draw of the margins."""

    def __init__(
        self,
        released: Released,
        margins: Sequence[Floats],
        draws: Sequence[Floats],
        chance: np.random.Generator,
    ) -> None:
        self._released, self._chance = released, chance
        self._margins, self._draws = margins, draws
        self._loaded: dict[int, Margin] = {}
        self._sides: dict[int, Side] = {}

    def pair(self, pair: Pair) -> tuple[Floats, Floats]:
        """A copula: of scores where an attribute has no order, else the Gaussian one."""
        counts = self._released.counts(*pair)
        if self._released.unordered & set(pair):
            one, other = (self._side(axis) for axis in pair)
            found = correspondence(counts, one, other, self._chance)
            rows = self._draws[pair[0]], self._draws[pair[1]]
            return found.table, as_likely(found, (one, other), rows, self._chance)
        first, second = (self._margin(axis) for axis in pair)
        known = association(counts, [first, second], self._chance)
        begin = copula(first.cells, second.cells, known.correlation)
        tables = [
            copula(a, b, float(r))
            for a, b, r in zip(first.drawn_cells, second.drawn_cells, known.draws, strict=True)
        ]
        return begin, np.array(tables).reshape(len(tables), *begin.shape)

    def _margin(self, axis: int) -> Margin:
        if axis not in self._loaded:
            self._loaded[axis] = margin_of(
                self._released.transitions[axis], self._margins[axis], self._draws[axis]
            )
        return self._loaded[axis]

    def _side(self, axis: int) -> Side:
        if axis not in self._sides:
            ordered = axis not in self._released.unordered
            self._sides[axis] = side_of(
                self._released.transitions[axis], self._margins[axis], ordered=ordered
            )
        return self._sides[axis]


def _drawn_on(
    released: Released,
    axes: Sequence[int],
    start: Floats,
    run: Run,
    chance: np.random.Generator,
) -> Shrunk:
    transitions = [released.transitions[axis] for axis in axes]
    return shrunk(transitions, released.counts(*axes), start, released.passes, run, chance)


def _result(
    released: Released,
    found: Shrunk,
    begins: Floats | None,
    correlations: Floats | None,
    run: Run,
    chance: np.random.Generator,
) -> Joint:
    drawn = None
    if begins is not None and 0 < begins.size <= MOST_DRAWN:
        drawn = draws(found, begins, run, chance)
        if correlations is None:
            correlations = np.array([correlations_of(one, released.middles) for one in drawn])
    return Joint(found.table, drawn, correlations, found.freedom, found.passes)


def correlations_of(table: Floats, middles: Sequence[Floats]) -> Floats:
    """The correlations of all attributes, each value the middle of its cell."""
    axes = len(middles)
    found = np.eye(axes)
    for first, second in combinations(range(axes), 2):
        others = tuple(axis for axis in range(axes) if axis not in (first, second))
        both = table.sum(axis=others)
        found[first, second] = found[second, first] = _correlation(
            both, middles[first], middles[second]
        )
    return found


def _correlation(table: Floats, one: Floats, other: Floats) -> float:
    first, second = table.sum(axis=1), table.sum(axis=0)
    a, b = one - (first * one).sum(), other - (second * other).sum()
    spread = float((first * a**2).sum() * (second * b**2).sum())
    both = float(np.einsum("i,ij,j->", a, table, b))
    return both / float(np.sqrt(spread)) if spread > 0.0 else 0.0


def _correlations(
    drawn: dict[Pair, Floats], middles: Sequence[Floats], count: int
) -> Floats | None:
    if not count:
        return None
    found = np.repeat(np.eye(len(middles))[None], count, axis=0)
    for (first, second), tables in drawn.items():
        values = [_correlation(one, middles[first], middles[second]) for one in tables]
        found[:, first, second] = found[:, second, first] = values
    return found


def log_likelihood(transitions: Sequence[CellTransition], counts: Floats, table: Floats) -> float:
    """Of released counts under a table."""
    expected = product(list(transitions), table, forward=True)
    return float((counts * np.log(np.maximum(expected, 1e-300))).sum())
