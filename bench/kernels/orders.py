"""Kernels that order records by nearness: npn_order, grid_order, flexdice_order, hilbert_order."""

from __future__ import annotations

import numpy as np

import tokumei as tk
from bench.kernel import Case, Kernel, Labels, same_order
from bench.kernels.groups import OPERATIONS_OF_A_DISTANCE, scanning
from bench.limits import Machine
from bench.problems import Floats

BLOCK = 256  # records a block of FlexDice may have, as by default


def table_alone(table: Floats, _case: Case) -> tuple[Floats]:
    return (table,)


def npn_order(X: Floats) -> Labels:
    return tk.npn_order(X, n_threads=1)


def grid_order(X: Floats) -> Labels:
    return tk.grid_order(X, blocks_per_axis=blocks_per_axis(X), n_threads=1)


def blocks_per_axis(X: Floats) -> int:
    """Some 64 records a block if they filled space evenly; in many dimensions two an axis."""
    rows, columns = X.shape
    return max(2, round(float((rows / 64) ** (1 / columns))))


def flexdice_order(X: Floats) -> Labels:
    return tk.flexdice_order(X, c1=BLOCK, n_threads=1)


def hilbert_order(X: Floats) -> Labels:
    return tk.microaggregation.hilbert_order(X, n_threads=1)


def length_of_path(order: Labels, X: Floats) -> float:
    """The steps from record to record, summed; NaN where it is not a path over all."""
    if not np.array_equal(np.sort(order), np.arange(len(X))):
        return float("nan")
    steps = np.diff(X[order], axis=0)
    return float(np.sqrt(np.square(steps).sum(axis=1)).sum())


def npn_limit(machine: Machine, X: Floats) -> float:
    """One scan of the remaining records for every step: n^2/2 records."""
    return scanning(machine, X, scans=float(len(X)))


def blocks_limit(machine: Machine, X: Floats) -> float:
    """Every record compared with the rest of its block: at least c1/4 on average."""
    rows, columns = X.shape
    distances = rows * min(rows, BLOCK) / 4
    return reading_limit(machine, X) + machine.counting(
        OPERATIONS_OF_A_DISTANCE * columns * distances
    )


def reading_limit(machine: Machine, X: Floats) -> float:
    """The table read once, the order written once."""
    size = X.nbytes + 8 * len(X)
    return machine.passing(size, size)


NPN_ORDER = Kernel(
    name="npn_order",
    arguments=table_alone,
    answer=npn_order,
    same=same_order,
    score=length_of_path,
    limit=npn_limit,
    cases=(
        Case("normal", 20_000, 8),
        Case("normal", 100_000, 8),
        Case("normal", 1_000_000, 8),
        Case("microdata", 100_000, 8),
        Case("mixture", 100_000, 8),
        Case("adult"),
    ),
    quick=(Case("normal", 10_000, 8), Case("microdata", 10_000, 8)),
)

GRID_ORDER = Kernel(
    name="grid_order",
    arguments=table_alone,
    answer=grid_order,
    same=same_order,
    score=length_of_path,
    limit=reading_limit,
    cases=(Case("normal", 100_000, 2), Case("normal", 100_000, 4), Case("microdata", 100_000, 4)),
    quick=(Case("normal", 20_000, 3),),
)

FLEXDICE_ORDER = Kernel(
    name="flexdice_order",
    arguments=table_alone,
    answer=flexdice_order,
    same=same_order,
    score=length_of_path,
    limit=blocks_limit,
    cases=(
        Case("normal", 1_000_000, 8),
        Case("microdata", 1_000_000, 8),
        Case("normal", 100_000, 50),
    ),
    quick=(Case("normal", 20_000, 8), Case("microdata", 20_000, 8)),
)

HILBERT_ORDER = Kernel(
    name="hilbert_order",
    arguments=table_alone,
    answer=hilbert_order,
    same=same_order,
    score=length_of_path,
    limit=reading_limit,
    cases=(Case("normal", 1_000_000, 8), Case("normal", 100_000, 50)),
    quick=(Case("normal", 20_000, 8),),
)
