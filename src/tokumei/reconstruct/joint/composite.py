"""From the tables of all pairs of attributes to one table of all attributes.

Iterative proportional fitting: the table is multiplied, pair after pair, by what brings its sums to
those of the pair. What it comes to has the given tables of pairs, as far as they agree with one
another, and no interaction of higher order: of all such tables the one of largest entropy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tokumei._check import Floats

Pair = tuple[int, int]

SWEEPS, CLOSE, SLOW = 60, 1e-5, 0.9
# Of two margins, which cost little and converge slowly where cells are nearly empty.
TURNS = 300
_LEAST = 1e-300


def independent(margins: Sequence[Floats]) -> Floats:
    """The product of margins."""
    product: Floats = np.ones(())
    for margin in margins:
        product = np.multiply.outer(product, margin)
    return product


def fitted(tables: Floats, first: Floats, second: Floats) -> Floats:
    """Positive tables of two attributes brought to these margins; one table, or all at once.

    The ratios of odds stay what they are. Rows and columns in turns, until rows are right, too.
    """
    for _ in range(TURNS):
        rows = tables.sum(axis=-1)
        if float(np.abs(rows - first).max()) < CLOSE / rows.shape[-1]:
            break
        tables = tables * (first / rows)[..., None]
        tables = tables * (second / tables.sum(axis=-2))[..., None, :]
    return np.asarray(tables / tables.sum(axis=(-2, -1), keepdims=True))


def composed(margins: Sequence[Floats], pairs: Mapping[Pair, Floats]) -> Floats:
    """The table with these tables of pairs (first attribute < second), begun at independence."""
    table, axes = independent(margins), len(margins)
    if axes == 2:
        return next(iter(pairs.values()), table)
    before = np.inf
    for _ in range(SWEEPS):
        furthest = 0.0
        for (first, second), wanted in pairs.items():
            others = tuple(axis for axis in range(axes) if axis not in (first, second))
            now = table.sum(axis=others)
            furthest = max(furthest, float(np.abs(now - wanted).sum()))
            ratio = wanted / np.maximum(now, _LEAST)
            table = table * np.expand_dims(ratio, others)
        # Pairs that do not agree with one another leave a rest.
        if furthest < CLOSE or furthest > SLOW * before:
            break
        before = furthest
    return table / float(table.sum())
