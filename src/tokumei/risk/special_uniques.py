"""Special uniques: records that few columns single out, found and scored as SUDA does."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei._kernels import pairs as _kernels
from tokumei.risk.classes import Classes, chosen, classes_of, known_codes
from tokumei.values import tables
from tokumei.values.column import Column

MOST_COLUMNS = 64
# Bytes of the memory of the search: a bit for each class and each set that is not of the largest.
MOST_BYTES = 2**33
Score = Literal["elliot", "sdcmicro"]
SCORES = ("elliot", "sdcmicro")


@dataclass(frozen=True)
class SpecialUniques:
    """Who is singled out by few columns, and which columns do it.

    It holds counts, scores and names of columns.

    Attributes
    ----------
    records, special : int
        How many records there are, and how many have a minimal unique.
    largest : int
        Minimal uniques of up to so many columns were looked for.
    sizes : tuple of int
        How many minimal uniques there are of one column, of two, and so on.
    contributions : dict
        The share of all scores that minimal uniques with this column have; a minimal unique counts
        for each of its columns.
    counts : numpy.ndarray of shape (n, largest)
        The same for each record.
    scores : numpy.ndarray of shape (n,)
        The score of each record; 0 where it has no minimal unique.
    disclosure : numpy.ndarray of shape (n,) or None
        DIS-SUDA: the scores as probabilities that a match is right; None without a fraction.
    """

    records: int
    special: int
    largest: int
    sizes: tuple[int, ...]
    contributions: dict[Any, float]
    counts: Labels = field(repr=False, compare=False)
    scores: Floats = field(repr=False, compare=False)
    disclosure: Floats | None = field(repr=False, compare=False)

    def __str__(self) -> str:
        found = ", ".join(f"{count:,} of {size}" for size, count in enumerate(self.sizes, 1))
        most = sorted(self.contributions.items(), key=lambda one: -one[1])
        parts = ", ".join(f"{name} {share:.0%}" for name, share in most if share > 0)
        return (
            f"{self.special:,} of {self.records:,} records are singled out by {self.largest} "
            f"columns or fewer\n  minimal uniques by columns: {found}\n  part in the scores: "
            f"{parts or 'none'}"
        )


def special_uniques(
    table: Any,
    quasi: Sequence[Hashable] | None = None,
    *,
    largest: int = 4,
    score: Score = "elliot",
    fraction: float | None = None,
    callback: _check.Callback | None = None,
) -> SpecialUniques:
    """Find all minimal sample uniques of up to so many columns, and score the records by them.

    A set of columns is a minimal unique of a record where nobody else has the same values in it,
    but somebody has in each of its proper subsets [1]_. Who is unique in few columns is likely to
    be so in the population, too. A missing cell is part of no set and matches no cell.

    Parameters
    ----------
    table : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    quasi : sequence, optional
        The columns that others may know, up to 64; all by default.
    largest : int
        Sets of up to so many columns are looked for; at most as many as there are count.
    score : {"elliot", "sdcmicro"}
        What a minimal unique of s of d columns adds to its record. "elliot" [2]_: the product of
        ``d - i`` for i from s to the largest size, d - 1 at most. "sdcmicro": ``2**(d - s) - 1``
        divided by d over s, its ``original_scores=FALSE``.
    fraction : float, optional
        The sampling fraction, above 0 and below 1: scores become probabilities (DIS-SUDA).
    callback : callable, optional
        Called now and then with the share of the search done, 0 to 1.

    Returns
    -------
    SpecialUniques

    References
    ----------
    .. [1] A. M. Manning, D. J. Haglin, J. A. Keane, A recursive search algorithm for statistical
       disclosure assessment, Data Mining and Knowledge Discovery 16 (2008).
    .. [2] M. J. Elliot, A. Manning, K. Mayes, J. Gurd, M. Bane, SUDA: a program for detecting
       special uniques, UNECE/Eurostat work session on statistical data confidentiality (2005).

    Examples
    --------
    >>> import tokumei as tk
    >>> people = {"age": [31, 31, 47, 47], "sex": ["f", "m", "f", "f"], "job": ["a", "a", "b", "b"]}
    >>> print(tk.risk.special_uniques(people))
    2 of 4 records are singled out by 3 columns or fewer
      minimal uniques by columns: 1 of 1, 2 of 2, 0 of 3
      part in the scores: sex 100%, age 25%, job 25%
    """
    columns = chosen(tables.table(table, "table"), quasi)
    largest = min(_check.at_least(largest, 1, "largest"), len(columns))
    _check.one_of(score, SCORES, "score")
    if fraction is not None:
        fraction = _check.inside(fraction, 0.0, 1.0, "fraction")
    run = _check.run(1, callback)
    return special_uniques_of(columns, classes_of(columns), largest, score, fraction, run)


def special_uniques_of(
    columns: Mapping[Any, Column],
    classes: Classes,
    largest: int,
    score: str,
    fraction: float | None,
    run: _check.Run,
) -> SpecialUniques:
    """The same of columns whose classes are known."""
    if len(columns) > MOST_COLUMNS:
        msg = f"quasi must name at most {MOST_COLUMNS} columns, got {len(columns)}"
        raise ValueError(msg)
    sets = sum(math.comb(len(columns), size) for size in range(1, largest))
    if sets * len(classes.sizes) > 8 * MOST_BYTES:
        msg = f"largest must be smaller for {len(columns)} columns, got {largest}: {sets} sets"
        raise ValueError(msg)
    # Records that agree in all columns are unique in none: one of them stands for all.
    rows = classes.first_rows
    codes = np.empty((len(rows), len(columns)), dtype=np.int64, order="F")
    for place, column in enumerate(columns.values()):
        codes[:, place] = known_codes(column)[rows]
    several = (classes.sizes > 1).astype(np.uint8)
    found = np.zeros((len(rows), largest), dtype=np.int64, order="F")
    of_columns = np.zeros((len(columns), largest), dtype=np.int64, order="F")
    _kernels.special_uniques(codes, several, found, of_columns, run)
    counts = found[classes.labels]
    weights = np.array([_weight(score, len(columns), s, largest) for s in range(1, largest + 1)])
    scores = np.zeros(len(counts))
    for of_size, weight in zip(counts.T, weights, strict=True):
        scores += of_size * weight
    total = float(scores.sum())
    return SpecialUniques(
        records=len(counts),
        special=int(counts.any(axis=1).sum()),
        largest=largest,
        sizes=tuple(counts.sum(axis=0).tolist()),
        contributions={
            name: float((part * weights).sum()) / total if total else 0.0
            for name, part in zip(columns, of_columns, strict=True)
        },
        counts=counts,
        scores=scores,
        disclosure=None if fraction is None else _dis(scores, classes, len(columns), fraction),
    )


def _weight(score: str, columns: int, size: int, largest: int) -> float:
    """What a minimal unique of so many columns adds to a score."""
    if score == "elliot":
        return float(math.prod(columns - i for i in range(size, min(largest, columns - 1) + 1)))
    return (2.0 ** (columns - size) - 1.0) / math.comb(columns, size)


def _dis(scores: Floats, classes: Classes, columns: int, fraction: float) -> Floats:
    """Scores as probabilities of a right match, by way of the data intrusion simulation.

    The simulation's odds against a right match are those of pairs against uniques; they are shared
    among the special uniques in inverse proportion to a power of their scores.
    """
    power = 1.0 + (8.0 - columns) / 20.0
    special = scores > 0
    found = np.zeros(len(scores))
    in_pairs = 2.0 * float((classes.sizes == 2).sum())
    raised = scores[special] ** power
    against = in_pairs * (1.0 - fraction) / fraction
    found[special] = 1.0 / (1.0 + against / (raised * (1.0 / raised).sum()))
    return found
