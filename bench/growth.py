"""How times grow with the number of records: series, a table of them, and a figure.

A series ends before the first call that would take longer than its limit, judged by the growth so
far. Its power is the slope between its last two sizes on scales of logarithms: 1 is linear.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import tokumei as tk
from bench.measure import Effort, best, seconds
from bench.problems import SEED, Floats, normal
from tokumei.microaggregation import hilbert_order, kmember, mondrian

COLUMNS, K = 8, 5
LARGEST = 10_000_000
EFFORT = Effort(repeats=3, repeating=0.1, affordable=math.inf)
Series = list[tuple[float, float]]  # sizes and CPU seconds

METHODS: dict[str, Callable[[Floats], object]] = {
    "k-member": lambda X: kmember(X, K, n_threads=1),
    "V-MDAV": lambda X: tk.vmdav(X, K, n_threads=1),
    "MDAV": lambda X: tk.mdav(X, K, n_threads=1),
    "NPN path": lambda X: tk.npn_order(X, n_threads=1),
    "grid path": lambda X: tk.grid_order(X, n_threads=1),
    "MDAV in blocks": lambda X: tk.partition(X, K, method="block_mdav", n_threads=1),
    "FlexDice path": lambda X: tk.flexdice_order(X, n_threads=1),
    "Mondrian": lambda X: mondrian(X, K, n_threads=1),
    "Hilbert order": lambda X: hilbert_order(X, n_threads=1),
    "cut": lambda X: tk.cut(X, np.arange(len(X)), K, n_threads=1),
    "univariate": lambda X: tk.univariate(X[:, 0], K, n_threads=1),
}
HEADINGS = ("method", "records", "CPU time", "each record", "power of n at the end")


def sizes(largest: int = LARGEST) -> list[int]:
    """A thousand records and half a power of ten more at a step."""
    return [size for e in range(6, 15) if (size := int(10 ** (e / 2))) <= largest]


def table(rows: int) -> Floats:
    return np.asfortranarray(normal(rows, COLUMNS, np.random.default_rng(SEED)))


def series(
    name: str, over: Iterable[float], call: Callable[[float], object], limit: float
) -> Series:
    """Times over sizes, as long as the next one is expected to stay below the limit."""
    found: Series = []
    for size in over:
        if len(found) >= 2 and expected(found, size) > limit:
            break
        _, timing = best(partial(call, size), EFFORT)
        found.append((size, max(timing.cpu, 1e-6)))
        print(f"{name:>28}{size:>12,}{found[-1][1]:>12.5f} s", file=sys.stderr, flush=True)
    return found


def power(found: Series) -> float:
    """Of n, between the last two sizes."""
    (a, s), (b, t) = found[-2:]
    return math.log(t / s) / math.log(b / a)


def expected(found: Series, size: float) -> float:
    """Seconds at a size, if growth goes on as it was, and is linear at least."""
    last, taken = found[-1]
    return float(taken * (size / last) ** max(1.0, power(found)))


def methods(limit: float, largest: int = LARGEST) -> dict[str, Series]:
    """Every method over n: normal data, one thread."""
    tables = {rows: table(rows) for rows in sizes(largest)}

    def over_tables(method: Callable[[Floats], object]) -> Callable[[float], object]:
        return lambda rows: method(tables[int(rows)])

    return {
        name: series(name, tables, over_tables(method), limit) for name, method in METHODS.items()
    }


def rows_of(curves: dict[str, Series]) -> list[tuple[str, ...]]:
    """A line a method: how far it got, and how it grows there."""
    return [
        (
            name,
            f"{points[-1][0]:,}",
            seconds(points[-1][1]),
            seconds(points[-1][1] / points[-1][0]),
            f"{power(points):.2f}" if len(points) > 1 else "-",
        )
        for name, points in curves.items()
    ]


def plot(axis: Any, curves: dict[str, Series], title: str, label: str) -> None:
    import matplotlib as mpl

    colours = mpl.colormaps["tab20"](np.linspace(0, 1, max(len(curves), 2)))
    for colour, (name, points) in zip(colours, curves.items(), strict=False):
        axis.loglog(*zip(*points, strict=True), "o-", ms=3, lw=1.1, color=colour, label=name)
    axis.set(title=title, xlabel=label, ylabel="CPU seconds, one thread")
    axis.grid(color="0.92")
    axis.legend(fontsize=7, frameon=False)


def draw(curves: dict[str, Series], path: Path) -> bool:
    """The figure of all methods; whether matplotlib is here to draw it."""
    if not find_spec("matplotlib"):
        return False
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "tokumei", "svg.fonttype": "none", "font.size": 9})
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(7.5, 5), layout="constrained")
    plot(axis, curves, f"normal data, {COLUMNS} attributes, k = {K}", "records")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return True


def main(words: Sequence[str]) -> int:
    """``python -m bench growth SECONDS``: the table of all methods."""
    limit = float(words[0]) if words else 2.0
    for row in (HEADINGS, *rows_of(methods(limit))):
        print("".join(f"{cell:>24}" for cell in row))
    return 0
