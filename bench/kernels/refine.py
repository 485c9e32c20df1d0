"""The kernel that lowers the loss of groups: refine."""

from __future__ import annotations

import math

import tokumei as tk
from bench.kernel import TOLERANCE, Case, Kernel, Labels, sum_of_squares
from bench.limits import Machine
from bench.problems import Floats

# Perturbations a record.
EFFORT = 3.0


def table_groups_and_k(table: Floats, case: Case) -> tuple[Floats, Labels, int | None]:
    labels = tk.mdav(table, case.k or 1, n_threads=1)
    labels.flags.writeable = False
    return table, labels, case.k


def refine(X: Floats, labels: Labels, k: int) -> float:
    """What the groups cost in the end: searches may differ in groups, not in what these lose."""
    return sum_of_squares(X, tk.refine(X, labels, k, effort=EFFORT, n_threads=1))


def no_worse(cost: float, plain_search: float) -> bool:
    return cost <= plain_search * (1 + TOLERANCE)


def is_lower(cost: float, X: Floats, labels: Labels, _k: int) -> float:
    """1 where the cost is no higher than the start's. Losses themselves are in the asv project."""
    return 1.0 if cost <= sum_of_squares(X, labels) * (1 + TOLERANCE) else math.nan


def limit(machine: Machine, X: Floats, labels: Labels, _k: int) -> float:
    """The table and the labels read once: what a search must do at least is not known."""
    size = X.nbytes + labels.nbytes
    return machine.passing(size, size)


REFINE = Kernel(
    name="refine",
    arguments=table_groups_and_k,
    answer=refine,
    same=no_worse,
    score=is_lower,
    limit=limit,
    cases=(
        Case("normal", 5_000, 8, k=5),
        Case("mixture", 20_000, 8, k=5),
        Case("mixture", 100_000, 8, k=5),
        Case("microdata", 20_000, 8, k=5),
        Case("census", k=3),
        Case("census", k=10),
        Case("tarragona", k=5),
        Case("eia", k=5),
        Case("adult", k=5),
    ),
    quick=(Case("mixture", 4_000, 8, k=5), Case("census", k=5)),
)
