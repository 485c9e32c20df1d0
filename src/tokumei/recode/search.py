"""The search of the lattice of levels: what it is told, and what it finds."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Labels, Run
from tokumei._kernels import lattice as _kernels
from tokumei.recode.costs import Costs
from tokumei.recode.demands import Demand
from tokumei.values.hierarchy import Hierarchy

# Nodes that may wait in memory, 48 bytes each; larger lattices are searched from above first.
MOST_NODES = 10_000_000


@dataclass(frozen=True, eq=False)
class FullDomainOptions:
    """What a search is to find, as the kernel takes it: see ``lattice/full_domain.hpp``."""

    sizes: Labels
    heights: Labels
    codes: Labels
    costs: Costs
    demands: tuple[Demand, ...]
    k: int
    most_suppressed: int
    most_nodes: int = MOST_NODES


@dataclass(frozen=True, eq=False)
class Generalisation:
    """The cheapest levels found, which distinct rows are suppressed, and what is proven of it."""

    levels: Labels
    suppressed: NDArray[np.bool_]
    cost: float
    bound: float
    tried: int


def hierarchy_codes(trees: Sequence[Hierarchy]) -> tuple[Labels, Labels, Labels]:
    """Values and highest level of each hierarchy, and the label of each value at each level."""
    sizes = np.array([len(tree.values) for tree in trees], dtype=np.int64)
    heights = np.array([tree.height for tree in trees], dtype=np.int64)
    return sizes, heights, np.concatenate([tree.codes.reshape(-1) for tree in trees])


def distinct(places: Labels) -> tuple[Labels, Labels, Labels]:
    """The distinct rows, how many records each has, and the row of each record."""
    row_of = np.empty(len(places), dtype=np.int64)
    count = _kernels.equal_rows(places, row_of)
    first = np.empty(count, dtype=np.int64)
    first[row_of[::-1]] = np.arange(len(places))[::-1]
    counts = np.bincount(row_of, minlength=count)
    return np.asfortranarray(places[first]), counts, row_of


def search(
    values: Labels, counts: Labels, options: FullDomainOptions, run: Run
) -> Generalisation | None:
    """The cheapest levels of distinct rows; None where no levels are allowed.

    A search whose time is over leaves what it has found.
    """
    levels = np.zeros(values.shape[1], dtype=np.int64)
    suppressed = np.zeros(len(counts), dtype=np.uint8)
    figures = np.array([np.inf, 0.0, 0.0])
    with contextlib.suppress(StopIteration):
        _kernels.full_domain(values, counts, options, levels, suppressed, figures, run)
    cost, bound, tried = figures.tolist()
    if cost == np.inf:
        return None
    return Generalisation(levels, suppressed.astype(bool), cost, bound, int(tried))
