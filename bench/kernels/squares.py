"""Kernels that sum squares: standardize, sse."""

from __future__ import annotations

import numpy as np

import tokumei as tk
from bench.kernel import Case, Kernel, Labels, close, same_values
from bench.kernels.groups import table_and_groups
from bench.limits import Machine
from bench.problems import Floats


def raw_table(table: Floats, _case: Case) -> tuple[Floats]:
    """The table in units of its own, away from zero."""
    raw = np.asfortranarray(table * np.geomspace(1.0, 1e4, table.shape[1]) + 1e3)
    raw.flags.writeable = False
    return (raw,)


def standardize(X: Floats) -> Floats:
    return tk.standardize(X, n_threads=1)


def standardize_score(scaled: Floats, X: Floats) -> float:
    """The absolute values, summed with another weight for each attribute."""
    return float(np.abs(scaled).sum(axis=0) @ np.arange(1, X.shape[1] + 1))


def standardize_limit(machine: Machine, X: Floats) -> float:
    """The table read once and written once."""
    return machine.passing(2 * X.nbytes, 2 * X.nbytes)


def sse(X: Floats, labels: Labels) -> float:
    return tk.loss.sse(X, labels, n_threads=1)


def sse_score(answer: float, _X: Floats, _labels: Labels) -> float:
    return answer


def sse_limit(machine: Machine, X: Floats, labels: Labels) -> float:
    """Table and labels read once."""
    size = X.nbytes + labels.nbytes
    return machine.passing(size, size)


STANDARDIZE = Kernel(
    name="standardize",
    arguments=raw_table,
    answer=standardize,
    same=same_values,
    score=standardize_score,
    limit=standardize_limit,
    cases=(Case("microdata", 20_000, 8), Case("microdata", 1_000_000, 8)),
    quick=(Case("microdata", 20_000, 8),),
)

SSE = Kernel(
    name="sse",
    arguments=table_and_groups,
    answer=sse,
    same=close,
    score=sse_score,
    limit=sse_limit,
    cases=(Case("normal", 20_000, 8, k=5), Case("normal", 1_000_000, 8, k=5)),
    quick=(Case("normal", 20_000, 8, k=5),),
)
