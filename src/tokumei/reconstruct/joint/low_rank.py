"""A matrix seen in noise of its own for each entry, of a rank that nobody knows.

Seen is Y = W * X + Z, with Z normal of variance 1 and W the product of a strength for each row and
one for each column. The prior of X is a sum of a few columns times rows, whose entries are normal;
each has a size of its own, any of a list from next to nothing to what X can be at most, as likely
as any other, so that the records choose the rank. Given the rows of such a sum its columns are
normal and the other way round, so they are drawn in turns (Gibbs' sampler), and how much the
records speak for X against X = 0 comes from the same draws where only a share of the records is
believed: half, a quarter, ... and none (stepping stones; Xie, Lewis, Fan, Kuo & Chen 2011).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats

COLUMNS = 8
# Of the root of a column's size times its row's, as shares of the most it can be.
SIZES = np.geomspace(0.01, 1.0, 9)
# Draws thrown away and kept at each share of the records, and of all of them.
WARM, STEPS, LAST_WARM, LAST = 16, 60, 100, 500


@dataclass(frozen=True)
class LowRank:
    """The mean of X, draws of it, as columns and rows (its product), and the log evidence."""

    mean: Floats
    columns: Floats
    rows: Floats
    evidence: float

    def draw(self, number: int) -> Floats:
        """One of the draws of X, of which neighbours are alike."""
        return np.asarray(self.columns[number] @ self.rows[number].T)


def low_rank(
    seen: Floats, down: Floats, across: Floats, most: float, chance: np.random.Generator
) -> LowRank:
    """The posterior of X; `down` and `across` are the strengths of its rows and its columns.

    `most` is the variance of an entry of the largest columns and rows. Costs some thousand passes
    over the matrix.
    """
    model = _Model(seen, down, across, most * SIZES, chance)
    kept = []
    for step in range(LAST_WARM + LAST):
        model.draw(1.0)
        if step >= LAST_WARM:
            kept.append((model.columns, model.rows))
    columns, rows = (np.array(each) for each in zip(*kept, strict=True))
    mean = np.einsum("dir,djr->ij", columns, rows, optimize=True) / LAST
    strongest = float(down.max() * across.max()) ** 2
    halvings = max(int(np.ceil(np.log2(max(strongest, 2.0)))), 1)
    evidence, above = 0.0, 1.0
    # Downwards: what goes together is lost where it should be, but would be found too late.
    for share in (*0.5 ** np.arange(1, halvings + 1), 0.0):
        values = []
        for step in range(WARM + STEPS):
            model.draw(share)
            if step >= WARM:
                values.append((above - share) * model.likelihood())
        top = max(values)
        evidence += top + float(np.log(np.mean(np.exp(np.array(values) - top))))
        above = share
    return LowRank(mean, columns, rows, evidence)


class _Model:
    """Columns and rows of X as drawn last."""

    def __init__(
        self,
        seen: Floats,
        down: Floats,
        across: Floats,
        variances: Floats,
        chance: np.random.Generator,
    ) -> None:
        self._weighed = down[:, None] * seen * across
        self._down, self._across = down, across
        self._variances, self._chance = variances, chance
        count = min(COLUMNS, *seen.shape)
        self._size = np.full(count, variances[-1])
        self.rows = np.sqrt(variances[-1]) * np.linalg.svd(seen)[2][:count].T
        self.columns = np.empty((len(seen), count))

    def draw(self, share: float) -> None:
        """Each in turn, where this share of the records is believed; none: from the prior."""
        if share == 0.0:
            self._size = self._chance.choice(self._variances, len(self._size))
            self.columns, self.rows = (
                self._chance.standard_normal(each.shape) * np.sqrt(self._size)
                for each in (self.columns, self.rows)
            )
            return
        self.columns = self._half(self._weighed, self._down, self._across, self.rows, share)
        self.rows = self._half(self._weighed.T, self._across, self._down, self.columns, share)
        entries = len(self.columns) + len(self.rows)
        squares = (self.columns**2).sum(axis=0) + (self.rows**2).sum(axis=0)
        logs = -0.5 * (
            entries * np.log(self._variances) + np.divide.outer(squares, self._variances)
        )
        # The largest of logarithms with Gumbel's noise is a draw in proportion to powers of e.
        picks = (logs + self._chance.gumbel(size=logs.shape)).argmax(axis=1)
        self._size = self._variances[picks]

    def _half(
        self, weighed: Floats, here: Floats, there: Floats, others: Floats, share: float
    ) -> Floats:
        """Columns given rows: normal, of a precision that differs between entries by one factor.

        So one decomposition serves all; its symmetric root does not depend on signs of vectors.
        """
        root = np.sqrt(self._size)
        scaled = there[:, None] * others * root
        values, vectors = np.linalg.eigh(scaled.T @ scaled)
        precision = 1.0 + share * np.multiply.outer(here**2, np.maximum(values, 0.0))
        pull = share * (weighed @ (others * root)) @ vectors
        noise = self._chance.standard_normal(pull.shape) @ vectors
        return np.asarray((pull / precision + noise / np.sqrt(precision)) @ vectors.T * root)

    def likelihood(self) -> float:
        """The log-likelihood of X over that of nothing."""
        shown = (self._down[:, None] * self.columns, self._across[:, None] * self.rows)
        both = float((self.columns * (self._weighed @ self.rows)).sum())
        return both - 0.5 * float(((shown[0].T @ shown[0]) * (shown[1].T @ shown[1])).sum())
