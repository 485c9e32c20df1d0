"""Kernels that make or use groups: mdav, aggregate, nearest_centres."""

from __future__ import annotations

import numpy as np

import tokumei as tk
from bench.kernel import (
    Case,
    Kernel,
    Labels,
    loss_of_groups,
    same_groups,
    same_order,
    same_values,
)
from bench.limits import Machine
from bench.problems import SEED, Floats
from tokumei import _check
from tokumei.estimators.microaggregator import nearest_centres as nearest

# Squared distances need a subtraction, a multiplication and an addition for each attribute.
OPERATIONS_OF_A_DISTANCE = 3


def shuffled_groups(rows: int, k: int) -> Labels:
    """Groups of k whose records lie anywhere in the table, the last group larger."""
    labels = np.minimum(np.arange(rows) // k, max(rows // k - 1, 0))
    return np.random.default_rng(SEED).permutation(labels).astype(np.int64)


def table_and_k(table: Floats, case: Case) -> tuple[Floats, int | None]:
    return table, case.k


def table_and_groups(table: Floats, case: Case) -> tuple[Floats, Labels]:
    labels = shuffled_groups(len(table), case.k or 1)
    labels.flags.writeable = False
    return table, labels


def mdav(X: Floats, k: int) -> Labels:
    return tk.mdav(X, k, n_threads=1)


def mdav_limit(machine: Machine, X: Floats, k: int) -> float:
    """Three scans of the remaining records for every 2k removed: 3 n^2 / (4k) records.

    They are read from the memory that holds what remains: the last ones from nearer than the first.
    Counting the distances may take longer than reading.
    """
    return scanning(machine, X, scans=3 * len(X) / (2 * k))


def scanning(machine: Machine, X: Floats, scans: float) -> float:
    """So many scans of the remaining records, of which fewer remain each time: half on average."""
    rows, columns = X.shape
    width = X.itemsize * columns
    reading, below = 0.0, 0.0
    for memory in machine.memories:
        capacity = rows if memory.capacity is None else min(rows, memory.capacity / width)
        if capacity > below:
            records = scans / rows * (capacity**2 - below**2) / 2
            reading += records * width / memory.speed
            below = capacity
    distances = scans * rows / 2
    return max(reading, machine.counting(OPERATIONS_OF_A_DISTANCE * columns * distances))


def aggregate(X: Floats, labels: Labels) -> Floats:
    masked: Floats = tk.aggregate(X, labels, n_threads=1)
    return masked


def aggregate_score(masked: Floats, X: Floats, _labels: Labels) -> float:
    return float(np.square(X - masked).sum() / np.square(X - X.mean(axis=0)).sum())


def aggregate_limit(machine: Machine, X: Floats, labels: Labels) -> float:
    """Table and labels read once, the table written once."""
    size = 2 * X.nbytes + labels.nbytes
    return machine.passing(size, size)


def table_and_centres(table: Floats, case: Case) -> tuple[Floats, Floats]:
    """Rows that were not grouped, and the means of k rows each of their mirror image."""
    k = case.k or 1
    kept = -table[: len(table) // k * k]
    return table, np.asfortranarray(kept.reshape(-1, k, table.shape[1]).mean(axis=1))


def nearest_centres(X: Floats, centres: Floats) -> Labels:
    return nearest(X, centres, _check.run(1))


def nearest_score(found: Labels, X: Floats, centres: Floats) -> float:
    return float(np.square(X - centres[found]).sum())


def nearest_limit(machine: Machine, X: Floats, centres: Floats) -> float:
    """Table and centres read once, and one centre measured for each row."""
    size = X.nbytes + centres.nbytes
    return max(machine.passing(size, size), machine.counting(OPERATIONS_OF_A_DISTANCE * X.size))


NEAREST_CENTRES = Kernel(
    name="nearest_centres",
    arguments=table_and_centres,
    answer=nearest_centres,
    same=same_order,
    score=nearest_score,
    limit=nearest_limit,
    cases=(
        Case("normal", 20_000, 2, k=5),
        Case("normal", 100_000, 3, k=5),
        Case("normal", 100_000, 8, k=5),
        Case("normal", 100_000, 8, k=50),
        Case("normal", 20_000, 16, k=5),
        Case("microdata", 100_000, 8, k=5),
        Case("mixture", 100_000, 8, k=5),
    ),
    quick=(Case("normal", 4_000, 3, k=5), Case("normal", 4_000, 8, k=5)),
)

MDAV = Kernel(
    name="mdav",
    arguments=table_and_k,
    answer=mdav,
    same=same_groups,
    score=loss_of_groups,
    limit=mdav_limit,
    cases=(
        Case("normal", 5_000, 8, k=5),
        Case("normal", 20_000, 8, k=5),
        Case("normal", 20_000, 8, k=50),
        Case("normal", 100_000, 8, k=5),
        Case("normal", 100_000, 8, k=50),
        Case("normal", 1_000_000, 8, k=5),
        Case("normal", 20_000, 2, k=5),
        Case("microdata", 20_000, 8, k=5),
        Case("mixture", 20_000, 8, k=5),
        Case("ties", 20_000, 8, k=5),
        Case("census", k=5),
        Case("tarragona", k=5),
        Case("eia", k=5),
        Case("adult", k=5),
    ),
    quick=(
        Case("normal", 4_000, 8, k=5),
        Case("normal", 4_000, 8, k=50),
        Case("microdata", 4_000, 8, k=5),
        Case("ties", 4_000, 8, k=5),
        Case("census", k=5),
    ),
)

AGGREGATE = Kernel(
    name="aggregate",
    arguments=table_and_groups,
    answer=aggregate,
    same=same_values,
    score=aggregate_score,
    limit=aggregate_limit,
    cases=(Case("normal", 20_000, 8, k=5), Case("normal", 1_000_000, 8, k=5)),
    quick=(Case("normal", 20_000, 8, k=5),),
)
