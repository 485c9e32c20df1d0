"""Local recoding: the levels of an optimum, lowered again where records allow it.

Groups of one generalisation do not overlap, so each may be generalised anew, to the cheapest levels
at or below its own that leave all its parts publishable; its parts again, until nothing changes.
Suppressed records are generalised by themselves, as long as some of them can be published so. Every
model keeps: what is published is groups that each fulfil all of them, and where two come to be
alike, they fulfil them together.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Labels, Run
from tokumei.recode.costs import Costs
from tokumei.recode.search import FullDomainOptions, Generalisation, distinct, search


def local_levels(
    values: Labels, counts: Labels, options: FullDomainOptions, found: Generalisation, run: Run
) -> tuple[Labels, NDArray[np.bool_], float]:
    """The levels of each row, whether it is suppressed, and what all of it costs."""
    levels = np.tile(found.levels, (len(values), 1))
    gone = found.suppressed.copy()
    waiting = _groups(values, options, found.levels, np.flatnonzero(~gone))
    left = np.flatnonzero(gone)
    while len(left):
        most = int(counts[left].sum())
        again = _of_rows(values, counts, replace(options, most_suppressed=most), left, run)
        if again is None or again.suppressed.all():
            break
        kept = left[~again.suppressed]
        gone[kept] = False
        levels[kept] = again.levels
        waiting += _groups(values, options, again.levels, kept)
        left = left[again.suppressed]
    plain = replace(options, most_suppressed=0)
    while waiting:
        rows = waiting.pop()
        lower = _of_rows(values, counts, _at_most(plain, levels[rows[0]]), rows, run)
        if lower is not None and (lower.levels < levels[rows[0]]).any():
            levels[rows] = lower.levels
            waiting += _groups(values, options, lower.levels, rows)
    return levels, gone, _cost(values, counts, options, levels, gone)


def _of_rows(
    values: Labels, counts: Labels, options: FullDomainOptions, rows: Labels, run: Run
) -> Generalisation | None:
    """The cheapest levels of some rows alone, with what they cost as parts of the whole."""
    demands = tuple(demand.within(rows) for demand in options.demands)
    costs = replace(options.costs, shift=np.zeros_like(options.costs.shift))
    options = replace(options, demands=demands, costs=costs)
    return search(np.asfortranarray(values[rows]), counts[rows], options, run)


def _at_most(options: FullDomainOptions, levels: Labels) -> FullDomainOptions:
    """The lattice at and below some levels."""
    kept = np.concatenate(
        [
            np.arange(first, first + size * (level + 1))
            for first, size, level in zip(_firsts(options), options.sizes, levels, strict=True)
        ]
    )
    costs = options.costs
    cut = replace(costs, generalised=costs.generalised[kept], suppressed=costs.suppressed[kept])
    return replace(options, heights=levels.copy(), codes=options.codes[kept], costs=cut)


def _firsts(options: FullDomainOptions) -> Labels:
    """Where the codes of each attribute begin."""
    return np.concatenate([[0], np.cumsum(options.sizes * (options.heights + 1))[:-1]])


def _places(values: Labels, options: FullDomainOptions, levels: Labels) -> Labels:
    """Where the codes and costs of each row's values stand, at levels of its own."""
    found: Labels = _firsts(options) + levels * options.sizes + values
    return found


def _groups(
    values: Labels, options: FullDomainOptions, levels: Labels, rows: Labels
) -> list[Labels]:
    """Some rows by their labels at a level, all those of one group together."""
    if not len(rows):
        return []
    labels = options.codes[_places(values[rows], options, levels)]
    _, _, group = distinct(np.asfortranarray(labels))
    order = np.argsort(group, kind="stable")
    return np.split(rows[order], np.flatnonzero(np.diff(group[order])) + 1)


def _cost(
    values: Labels,
    counts: Labels,
    options: FullDomainOptions,
    levels: Labels,
    gone: NDArray[np.bool_],
) -> float:
    costs: Costs = options.costs
    places = _places(values, options, levels)
    cells = np.where(gone[:, None], costs.suppressed[places], costs.generalised[places])
    each = np.maximum(0.0, (counts @ cells - costs.shift) * costs.scale)
    return float(costs.weight @ each)
