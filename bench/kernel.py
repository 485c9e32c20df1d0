"""What a kernel is to the benchmarks, and when two answers are the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.problems import Floats

Labels = NDArray[np.int64]

# Relative. Others may round otherwise; who computes something else is much farther off.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Case:
    """A problem at one size, and what the question needs besides. Public files have their own
    sizes."""

    problem: str
    rows: int | None = None
    columns: int | None = None
    k: int | None = None


@dataclass(frozen=True)
class Kernel:
    """One question, asked of tokumei and of everyone who can answer it.

    `arguments` makes of a table and a case what the question is asked with, the same for everyone.
    `answer` is tokumei's, on one thread; peers answer by a function of the kernel's name. `same`
    compares an answer with the truth (None: only the score is promised), `score` is one number that
    answers of any size must share (a loss, where there is one; NaN where the answer breaks a
    promise), `limit` the least seconds on a machine.
    """

    name: str
    arguments: Callable[[Floats, Case], tuple[Any, ...]]
    answer: Callable[..., Any]
    same: Callable[[Any, Any], bool] | None
    score: Callable[..., float]  # of an answer and the arguments
    limit: Callable[..., float]  # of a bench.limits.Machine and the arguments
    cases: tuple[Case, ...]
    quick: tuple[Case, ...]

    def agree(self, answer: Any, truth: Any, *arguments: Any) -> bool:
        """Whether an answer is as right as the truth's."""
        if self.same is not None:
            return self.same(answer, truth)
        return close(self.score(answer, *arguments), self.score(truth, *arguments))


def close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=TOLERANCE)


def same_values(a: Floats, b: Floats) -> bool:
    """Equal to within TOLERANCE of the largest value."""
    return bool(np.allclose(a, b, rtol=0.0, atol=TOLERANCE * float(np.abs(b).max())))


def same_order(a: Labels, b: Labels) -> bool:
    """The same permutation."""
    return bool(np.array_equal(a, b))


def same_groups(a: Labels, b: Labels) -> bool:
    """The same partition, whatever the groups are called."""
    return bool(np.array_equal(numbered_by_first_row(a), numbered_by_first_row(b)))


def numbered_by_first_row(labels: Labels) -> Labels:
    _, first, group = np.unique(labels, return_index=True, return_inverse=True)
    number = np.empty(first.size, dtype=np.int64)
    number[np.argsort(first)] = np.arange(first.size)
    return number[group]


def sum_of_squares(table: Floats, labels: Labels) -> float:
    """Squared distances to the means of the groups, summed; independent of what is measured."""
    sizes = np.maximum(np.bincount(labels), 1)
    total = 0.0
    for column in table.T:
        means = np.bincount(labels, weights=column) / sizes
        total += float(np.square(column - means[labels]).sum())
    return total


def loss_of_groups(labels: Labels, table: Floats, k: int) -> float:
    """SSE/SST; NaN where a record has no group or a group has fewer than k."""
    if len(labels) != len(table) or labels.min() < 0:
        return math.nan
    sizes = np.bincount(labels)
    if sizes[sizes > 0].min() < k:
        return math.nan
    return sum_of_squares(table, labels) / sum_of_squares(table, np.zeros_like(labels))
