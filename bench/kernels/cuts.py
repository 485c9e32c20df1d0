"""Kernels that cut an order: cut, flexdice (a path and its cut), univariate, mil.

The best cut is promised by its loss, not by its groups: where several cuts are equally good but for
rounding, any of them will do. A competitor may also answer with the sum of squares alone.
"""

from __future__ import annotations

import math

import numpy as np

import tokumei as tk
from bench.kernel import Case, Kernel, Labels, loss_of_groups, same_groups, sum_of_squares
from bench.kernels.groups import table_and_k
from bench.kernels.orders import blocks_limit
from bench.limits import Machine
from bench.problems import SEED, Floats

OPERATIONS_OF_A_SEGMENT = 2  # for each attribute: a multiplication and an addition


def table_way_and_k(table: Floats, case: Case) -> tuple[Floats, Labels, int | None]:
    """The table as it lies in files, record after record, and an order that jumps about in it."""
    X = np.ascontiguousarray(table)
    way = np.random.default_rng(SEED).permutation(len(X))
    X.flags.writeable = way.flags.writeable = False
    return X, way, case.k


def column_and_k(table: Floats, case: Case) -> tuple[Floats, int | None]:
    """The first attribute: a table of one column."""
    return table[:, :1], case.k


def column_groups_and_k(table: Floats, case: Case) -> tuple[Floats, Labels, int]:
    """The first attribute in runs of k along its order, every other run one record too long."""
    k = case.k or 1
    column = table[:, :1]
    run = np.arange(len(column)) // (2 * k + 1) * 2 + (np.arange(len(column)) % (2 * k + 1) >= k)
    # The last run may be short: it joins the one before.
    last = run[-1]
    if np.count_nonzero(run == last) < k and last > 0:
        run = np.minimum(run, last - 1)
    labels = np.empty(len(column), dtype=np.int64)
    labels[np.argsort(column[:, 0], kind="stable")] = run
    labels.flags.writeable = False
    return column, labels, k


def cut(X: Floats, way: Labels, k: int) -> Labels:
    return tk.cut(X, way, k, n_threads=1)


def flexdice(X: Floats, k: int) -> Labels:
    return tk.partition(X, k, method="flexdice", n_threads=1)


def univariate(X: Floats, k: int) -> Labels:
    return tk.univariate(X, k, n_threads=1)


def mil(X: Floats, labels: Labels, k: int) -> Labels:
    return tk.mil(X, labels, k)


def least_loss(answer: Labels | float, X: Floats, *rest: object) -> float:
    """SSE/SST of groups, or of a sum of squares that is said to be the least."""
    k = rest[-1]
    assert isinstance(k, int)
    if isinstance(answer, float):
        return answer / sum_of_squares(X, np.zeros(len(X), dtype=np.int64))
    return loss_of_groups(answer, X, k)


def loss_after_moves(answer: Labels, X: Floats, labels: Labels, k: int) -> float:
    """SSE/SST; NaN where moves raised it."""
    loss = loss_of_groups(answer, X, k)
    return loss if loss <= loss_of_groups(labels, X, k) * (1 + 1e-12) else math.nan


def cut_limit(machine: Machine, X: Floats, way: Labels, k: int) -> float:
    """k segments for every record; the table is read meanwhile."""
    rows, columns = X.shape
    size = X.nbytes + 2 * way.nbytes
    segments = rows * k
    return max(
        machine.passing(size, size),
        machine.counting(OPERATIONS_OF_A_SEGMENT * columns * segments),
    )


def flexdice_limit(machine: Machine, X: Floats, k: int) -> float:
    """The path of flexdice_order, then the cut."""
    return blocks_limit(machine, X) + cut_limit(machine, X, np.arange(len(X)), k)


def univariate_limit(machine: Machine, X: Floats, _k: int) -> float:
    """The values read once, the labels written once; sorting takes longer."""
    return machine.passing(2 * X.nbytes, 2 * X.nbytes)


def mil_limit(machine: Machine, X: Floats, labels: Labels, _k: int) -> float:
    """Values and labels read once, labels written once."""
    size = X.nbytes + 2 * labels.nbytes
    return machine.passing(size, size)


CUT = Kernel(
    name="cut",
    arguments=table_way_and_k,
    answer=cut,
    same=None,
    score=least_loss,
    limit=cut_limit,
    cases=(
        Case("normal", 1_000_000, 8, k=5),
        Case("normal", 1_000_000, 8, k=50),
        Case("normal", 1_000_000, 8, k=1000),
        Case("microdata", 1_000_000, 8, k=5),
        Case("normal", 1_000_000, 2, k=5),
        Case("normal", 100_000, 50, k=5),
    ),
    quick=(Case("normal", 50_000, 8, k=5), Case("normal", 50_000, 8, k=50)),
)

FLEXDICE = Kernel(
    name="flexdice",
    arguments=table_and_k,
    answer=flexdice,
    same=None,
    score=least_loss,
    limit=flexdice_limit,
    cases=(
        Case("normal", 1_000_000, 8, k=5),
        Case("microdata", 1_000_000, 8, k=5),
        Case("normal", 100_000, 50, k=5),
        Case("normal", 100_000, 50, k=50),
    ),
    quick=(Case("normal", 20_000, 8, k=5),),
)

UNIVARIATE = Kernel(
    name="univariate",
    arguments=column_and_k,
    answer=univariate,
    same=None,
    score=least_loss,
    limit=univariate_limit,
    cases=(
        *(Case("normal", rows, 1, k=k) for rows in (1_000_000, 10_000_000) for k in (5, 50, 1000)),
        Case("microdata", 1_000_000, 1, k=5),
    ),
    quick=(Case("normal", 100_000, 1, k=5), Case("normal", 100_000, 1, k=50)),
)

MIL = Kernel(
    name="mil",
    arguments=column_groups_and_k,
    answer=mil,
    same=same_groups,
    score=loss_after_moves,
    limit=mil_limit,
    cases=(Case("normal", 1_000_000, 1, k=5), Case("normal", 1_000_000, 1, k=50)),
    quick=(Case("normal", 100_000, 1, k=5),),
)
