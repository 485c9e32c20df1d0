"""Kernels that sum distances over all pairs of records, and the shortcuts around them.

pairs_* take no shortcut: they compare every record with every other. information_* and ild_* are
what a user asks for.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tokumei as tk
from bench.kernel import Case, Kernel, Labels, close
from bench.kernels.distance_arguments import (
    PARENT_OF,
    Mixed,
    Words,
    codes_and_masked,
    leaves_and_masked,
    records_and_masked,
    table_alone,
    table_and_masked,
    words_alone,
)
from bench.limits import Machine
from bench.problems import Floats
from tokumei.distances import (
    DamerauLevenshtein,
    Discrete,
    Distance,
    Euclidean,
    Levenshtein,
    Minkowski,
    Product,
    Tree,
)

ANY_POWER = 2.7
# Its parts take 4 steps, their places in tables 4, looking up 5, products of these and with the
# square 5, the series with what goes before and after 9, difference, magnitude and sum 3.
POWER_STEPS = 30

# --- what tokumei answers -----------------------------------------------------------------------


def pairs(X: Floats, p: float) -> float:
    return tk.loss.information(X, Minkowski(p), method="pairs", n_threads=1)


def information_manhattan(X: Floats) -> float:
    return tk.loss.information(X, Minkowski(1), n_threads=1)


def ild_euclidean(original: Floats, masked: Floats) -> float:
    return tk.loss.ild(original, masked, Euclidean(), n_threads=1)


def ild_discrete(original: Labels, masked: Labels) -> float:
    return tk.loss.ild(original[:, 0], masked[:, 0], Discrete(), n_threads=1)


def ild_tree(original: Labels, masked: Labels) -> float:
    return tk.loss.ild(original[:, 0], masked[:, 0], Tree(PARENT_OF), n_threads=1)


def ild_mixed(original: Mixed, masked: Mixed) -> float:
    parts = (Euclidean() if original.is_number(name) else Discrete() for name in original.columns)
    return tk.loss.ild(original.columns, masked.columns, Product(*parts), n_threads=1)


def of_words(words: Words, distance: Distance) -> float:
    return tk.loss.information(words[:, 0], distance, n_threads=1)


# --- when it is right, and how fast it could be ---------------------------------------------------


def itself(answer: float, *_arguments: object) -> float:
    return answer


def pairs_of(rows: int) -> float:
    return rows * (rows - 1) / 2


def sums_limit(machine: Machine, X: Floats) -> float:
    """A subtraction, an absolute value and an addition (or maximum) for each attribute, unfused."""
    return machine.stepping(3 * X.shape[1] * pairs_of(len(X)))


def cubes_limit(machine: Machine, X: Floats) -> float:
    """Two multiplications more for each attribute, and a root of some 25 operations, unfused."""
    return machine.stepping((5 * X.shape[1] + 25) * pairs_of(len(X)))


def powers_limit(machine: Machine, X: Floats) -> float:
    """A power of 30 steps for each attribute, and once more for the root; 8 are fused."""
    return machine.stepping(POWER_STEPS * (X.shape[1] + 1) * pairs_of(len(X)))


def tables_limit(machine: Machine, original: Any, masked: Any) -> float:
    """Both tables read twice: for means, then for squares."""
    size = 2 * 2 * 8 * math.prod(original.shape)
    return machine.passing(size, size)


def columns_limit(machine: Machine, original: Any, masked: Any) -> float:
    """Both tables read once, 8 bytes a value."""
    size = 2 * 8 * math.prod(original.shape)
    return machine.passing(size, size)


def sorting_limit(machine: Machine, X: Floats) -> float:
    """For two attributes each, log2 n splits that touch 32 bytes a record, read and written."""
    rows, columns = X.shape
    size = 2 * 32 * rows * math.log2(rows) * columns * (columns - 1) / 2
    return machine.passing(size, 2 * 32 * rows)


def letters_limit(machine: Machine, words: Words) -> float:
    """Thirteen instructions a letter for a register of 32 words, each worth 16 operations."""
    letters = float(np.char.str_len(words).mean())
    return machine.counting(13 * letters * pairs_of(len(words)) / 32 * 16)


def cells_limit(machine: Machine, words: Words) -> float:
    """Some ten instructions for each two letters of a pair, for 64 words at a time."""
    letters = float(np.char.str_len(words).mean())
    return machine.counting(10 * letters**2 * pairs_of(len(words)) / 64 * 16)


ALL_PAIRS = (
    Case("normal", 2_000, 8),
    Case("normal", 8_000, 8),
    Case("normal", 20_000, 2),
    Case("normal", 20_000, 8),
    Case("normal", 20_000, 32),
)
SOME_PAIRS = (Case("normal", 4_000, 8),)
LONG = (Case("normal", 20_000, 8, k=5), Case("normal", 1_000_000, 8, k=5))
SHORT = (Case("normal", 4_000, 8, k=5),)

PAIRS_MANHATTAN = Kernel(
    name="pairs_manhattan",
    arguments=table_alone,
    answer=lambda X: pairs(X, 1),
    same=close,
    score=itself,
    limit=sums_limit,
    cases=ALL_PAIRS,
    quick=SOME_PAIRS,
)

PAIRS_CHEBYSHEV = Kernel(
    name="pairs_chebyshev",
    arguments=table_alone,
    answer=lambda X: pairs(X, math.inf),
    same=close,
    score=itself,
    limit=sums_limit,
    cases=ALL_PAIRS,
    quick=SOME_PAIRS,
)

PAIRS_CUBES = Kernel(
    name="pairs_cubes",
    arguments=table_alone,
    answer=lambda X: pairs(X, 3),
    same=close,
    score=itself,
    limit=cubes_limit,
    cases=ALL_PAIRS,
    quick=SOME_PAIRS,
)

PAIRS_ANY_POWER = Kernel(
    name="pairs_any_power",
    arguments=table_alone,
    answer=lambda X: pairs(X, ANY_POWER),
    same=close,
    score=itself,
    limit=powers_limit,
    cases=ALL_PAIRS,
    quick=(Case("normal", 2_000, 8),),
)

INFORMATION_MANHATTAN = Kernel(
    name="information_manhattan",
    arguments=table_alone,
    answer=information_manhattan,
    same=close,
    score=itself,
    limit=sorting_limit,
    cases=(Case("normal", 20_000, 2), Case("normal", 20_000, 8), Case("normal", 1_000_000, 2)),
    quick=(Case("normal", 20_000, 2),),
)

ILD_EUCLIDEAN = Kernel(
    name="ild_euclidean",
    arguments=table_and_masked,
    answer=ild_euclidean,
    same=close,
    score=itself,
    limit=tables_limit,
    cases=(*LONG, Case("normal", 20_000, 2, k=5), Case("normal", 20_000, 32, k=5)),
    quick=SHORT,
)

ILD_DISCRETE = Kernel(
    name="ild_discrete",
    arguments=codes_and_masked,
    answer=ild_discrete,
    same=close,
    score=itself,
    limit=columns_limit,
    cases=(Case("normal", 20_000, 1, k=5), Case("normal", 1_000_000, 1, k=5)),
    quick=(Case("normal", 4_000, 1, k=5),),
)

ILD_TREE = Kernel(
    name="ild_tree",
    arguments=leaves_and_masked,
    answer=ild_tree,
    same=close,
    score=itself,
    limit=columns_limit,
    cases=(Case("normal", 20_000, 1), Case("normal", 1_000_000, 1)),
    quick=(Case("normal", 4_000, 1),),
)

ILD_MIXED = Kernel(
    name="ild_mixed",
    arguments=records_and_masked,
    answer=ild_mixed,
    same=close,
    score=itself,
    limit=columns_limit,
    cases=(Case("normal", 20_000, 8, k=5), Case("adult", k=5)),
    quick=SHORT,
)

INFORMATION_LEVENSHTEIN = Kernel(
    name="information_levenshtein",
    arguments=words_alone,
    answer=lambda words: of_words(words, Levenshtein()),
    same=close,
    score=itself,
    limit=letters_limit,
    cases=(Case("normal", 5_000, 1),),
    quick=(Case("normal", 2_000, 1),),
)

INFORMATION_NORMALIZED = Kernel(
    name="information_normalized",
    arguments=words_alone,
    answer=lambda words: of_words(words, Levenshtein(normalized=True)),
    same=close,
    score=itself,
    limit=letters_limit,
    cases=(Case("normal", 5_000, 1),),
    quick=(Case("normal", 2_000, 1),),
)

INFORMATION_DAMERAU = Kernel(
    name="information_damerau",
    arguments=words_alone,
    answer=lambda words: of_words(words, DamerauLevenshtein()),
    same=close,
    score=itself,
    limit=cells_limit,
    cases=(Case("normal", 5_000, 1),),
    quick=(Case("normal", 1_000, 1),),
)

DISTANCES = (
    PAIRS_MANHATTAN,
    PAIRS_CHEBYSHEV,
    PAIRS_CUBES,
    PAIRS_ANY_POWER,
    INFORMATION_MANHATTAN,
    INFORMATION_LEVENSHTEIN,
    INFORMATION_NORMALIZED,
    INFORMATION_DAMERAU,
    ILD_EUCLIDEAN,
    ILD_DISCRETE,
    ILD_TREE,
    ILD_MIXED,
)
