"""Information amounts and ILD: the double sums, and the shortcuts around them."""

from __future__ import annotations

import math
import os

import tokumei as tk
from bench import problems
from bench.kernel import Case
from bench.kernels.distance_arguments import (
    codes_and_masked,
    leaves_and_masked,
    records_and_masked,
    table_and_masked,
    words_alone,
)
from bench.kernels.distances import (
    ANY_POWER,
    ild_discrete,
    ild_euclidean,
    ild_mixed,
    ild_tree,
    information_manhattan,
    of_words,
    pairs,
)
from bench.peers import TRUTH
from bench.race import SMALL
from tokumei.distances import DamerauLevenshtein, Levenshtein, Minkowski
from tokumei.machine import LEVEL_VARIABLE, LEVELS, level


def use(instructions: str) -> None:
    """Use an instruction set; asv leaves out those that the processor lacks."""
    try:
        level({LEVEL_VARIABLE: instructions})
    except ValueError as reason:
        raise NotImplementedError from reason
    os.environ[LEVEL_VARIABLE] = instructions


class Pairs:
    """Every record with every other, with each instruction set."""

    params = ((2_000, 20_000), (2, 8, 32), (1, 2), LEVELS)
    param_names = ("rows", "columns", "threads", "instructions")

    def setup(self, rows: int, columns: int, threads: int, instructions: str) -> None:
        use(instructions)
        self.x = problems.table("normal", rows, columns)

    def ask(self, p: float, threads: int) -> float:
        return tk.loss.information(self.x, Minkowski(p), method="pairs", n_threads=threads)

    def time_pairs_manhattan(self, rows: int, columns: int, threads: int, name: str) -> None:
        self.ask(1, threads)

    def time_pairs_chebyshev(self, rows: int, columns: int, threads: int, name: str) -> None:
        self.ask(math.inf, threads)

    def time_pairs_cubes(self, rows: int, columns: int, threads: int, name: str) -> None:
        self.ask(3, threads)

    def peakmem_pairs(self, rows: int, columns: int, threads: int, name: str) -> None:
        self.ask(1, threads)


class AnyPower:
    """By a power that is no whole half, for which 20,000 rows take minutes without vectors."""

    params = ((2_000,), (2, 8, 32), (1, 2), LEVELS)
    param_names = Pairs.param_names
    unit = "relative error"

    def setup(self, rows: int, columns: int, threads: int, instructions: str) -> None:
        use(instructions)
        self.x = problems.table("normal", rows, columns)
        self.small = problems.table("normal", SMALL // 3, columns)

    def time_pairs_any_power(self, rows: int, columns: int, threads: int, name: str) -> None:
        tk.loss.information(self.x, Minkowski(ANY_POWER), method="pairs", n_threads=threads)

    def track_agreement(self, rows: int, columns: int, threads: int, name: str) -> float:
        """How far the sum of a small problem is from the truth's."""
        truth: float = TRUTH.answer("pairs_any_power")(self.small)
        return abs(pairs(self.small, ANY_POWER) / truth - 1)


class Shortcuts:
    """The shortcuts at rows where the double sum is still possible, and beyond."""

    params = ((20_000, 200_000), (2, 8))
    param_names = ("rows", "columns")

    def setup(self, rows: int, columns: int) -> None:
        table, case = problems.table("normal", rows, columns), Case("normal", k=5)
        self.table = table
        self.euclidean = table_and_masked(table, case)
        self.discrete = codes_and_masked(table, case)
        self.tree = leaves_and_masked(table, case)
        self.mixed = records_and_masked(table, case)

    def time_information_manhattan(self, rows: int, columns: int) -> None:
        information_manhattan(self.table)

    def time_ild_euclidean(self, rows: int, columns: int) -> None:
        ild_euclidean(*self.euclidean)

    def time_ild_discrete(self, rows: int, columns: int) -> None:
        ild_discrete(*self.discrete)

    def time_ild_tree(self, rows: int, columns: int) -> None:
        ild_tree(*self.tree)

    def time_ild_mixed(self, rows: int, columns: int) -> None:
        ild_mixed(*self.mixed)

    def peakmem_ild_euclidean(self, rows: int, columns: int) -> None:
        ild_euclidean(*self.euclidean)

    def peakmem_ild_mixed(self, rows: int, columns: int) -> None:
        ild_mixed(*self.mixed)


class Adult:
    """All fourteen attributes of a public file."""

    def setup(self) -> None:
        try:
            table = problems.table("adult")
        except problems.Absent as reason:
            raise NotImplementedError from reason
        self.records = records_and_masked(table, Case("adult", k=5))

    def time_ild_mixed(self) -> None:
        ild_mixed(*self.records)


class TenMillion:
    """Ten million records of eight numbers."""

    timeout = 300

    def setup(self) -> None:
        self.x = problems.table("normal", 10_000_000, 8)

    def time_ild_euclidean(self) -> None:
        ild_euclidean(self.x, self.x)

    def peakmem_ild_euclidean(self) -> None:
        ild_euclidean(self.x, self.x)


class Words:
    params = ((1_000, 5_000), LEVELS)
    param_names = ("words", "instructions")

    def setup(self, words: int, instructions: str) -> None:
        use(instructions)
        (self.words,) = words_alone(problems.table("normal", words, 1), Case("normal"))

    def time_information_levenshtein(self, words: int, instructions: str) -> None:
        of_words(self.words, Levenshtein())

    def time_information_normalized(self, words: int, instructions: str) -> None:
        of_words(self.words, Levenshtein(normalized=True))

    def time_information_damerau(self, words: int, instructions: str) -> None:
        of_words(self.words, DamerauLevenshtein())

    def peakmem_information_levenshtein(self, words: int, instructions: str) -> None:
        of_words(self.words, Levenshtein())
