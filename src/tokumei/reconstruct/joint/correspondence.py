"""Where two attributes begin of which one has no order: a copula of scores.

The noise is known, so what was released of two attributes, less the product of its margins, tells
every coefficient of the table's correspondence analysis without bias; its error is that of
independent counts over how much of the coefficient is left. A prior of few products of scores
(`low_rank`) says which to believe and how far. It is the discrete counterpart of the Gaussian
copula, whose correlation is one such coefficient, with the same half of the prior on independence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats
from tokumei.reconstruct.joint.association import DOUBT
from tokumei.reconstruct.joint.composite import fitted
from tokumei.reconstruct.joint.low_rank import LowRank, low_rank
from tokumei.reconstruct.joint.scores import Side

# What a cell keeps at least of its share under independence, where sums of scores fall below.
FLOOR = 1e-3


@dataclass(frozen=True)
class Correspondence:
    """How two attributes go together: a table, the probability that they do not, draws."""

    table: Floats
    independent: float
    found: LowRank | None


def correspondence(
    counts: Floats, one: Side, other: Side, chance: np.random.Generator
) -> Correspondence:
    """The table of two attributes that their released table supports, with the margins given.

    It is the product of the margins where independence is as probable as `DOUBT`.
    """
    product = np.multiply.outer(one.margin, other.margin)
    if not len(one.strengths) or not len(other.strengths):
        return Correspondence(product, 1.0, None)
    most = 1.0 / float(np.sqrt(one.size * other.size))
    down = one.strengths * np.sqrt(float(counts.sum()))
    found = low_rank(moments(counts, one, other), down, other.strengths, most, chance)
    independent = float(1.0 / (1.0 + np.exp(min(found.evidence, 500.0))))
    if independent >= DOUBT:
        return Correspondence(product, independent, found)
    kept = (1.0 - independent) * found.mean
    return Correspondence(table(one, other, kept), independent, found)


def moments(counts: Floats, one: Side, other: Side) -> Floats:
    """What was released of each product of scores, in units of its error under independence."""
    records = float(counts.sum())
    shares = counts / records
    apart = shares - np.multiply.outer(shares.sum(axis=1), shares.sum(axis=0))
    return np.asarray(np.sqrt(records) * one.released.T @ apart @ other.released)


def table(one: Side, other: Side, coefficients: Floats) -> Floats:
    """p q (1 + sum of scores), made positive and brought to its margins."""
    return _positive(one.margin, other.margin, one.cells @ coefficients @ other.cells.T)


def as_likely(
    known: Correspondence,
    sides: tuple[Side, Side],
    margins: tuple[Floats, Floats],
    chance: np.random.Generator,
) -> Floats:
    """Tables as likely, one for each draw of the margins (rows)."""
    count = len(margins[0])
    shares = (chance.permutation(count) + 0.5) / max(count, 1)
    tables = np.empty((count, len(sides[0].margin), len(sides[1].margin)))
    for number in range(count):
        first, second = (rows[number] for rows in margins)
        apart = np.zeros(tables.shape[1:])
        if known.found is not None and shares[number] >= known.independent:
            at = number * len(known.found.columns) // count
            coefficients = known.found.draw(at)
            apart = sides[0].of(first) @ coefficients @ sides[1].of(second).T
        tables[number] = _positive(first, second, apart)
        # What lies at the floor may as well be empty, and is in as many draws as that is likely.
        empty = apart <= (FLOOR - 1.0) * np.multiply.outer(first, second)
        tables[number][empty] = 0.0
        tables[number] /= tables[number].sum()
    return tables


def _positive(first: Floats, second: Floats, apart: Floats) -> Floats:
    first, second = (np.maximum(margin, 1e-12) for margin in (first, second))
    first, second = first / first.sum(), second / second.sum()
    product = np.multiply.outer(first, second)
    return fitted(np.maximum(product + apart, FLOOR * product), first, second)
