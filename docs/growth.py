"""Draws how times grow with the size of a table: ``python docs/growth.py``.

Three figures into docs/_static, from CPU times of one thread on this machine. growth.svg: every
method over n. path_growth.svg: the path through blocks against the path that looks at all records.
edge_growth.svg: the claims about the cut, each against what it replaces. The plain path, the edge
costs (6) and (8) and Dijkstra's search are those of tests/oracle, in Python, with floats. A series
ends before the first run that would take longer than ``--limit`` seconds.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import tokumei as tk
from tokumei.microaggregation import hilbert_order, kmember, mondrian

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from oracle import dijkstra, edge_costs, edge_costs_in_turn, in_order, nearest_point_next

mpl.use("svg")
mpl.rcParams.update({"svg.hashsalt": "tokumei", "svg.fonttype": "none", "font.size": 9})

FOLDER = Path(__file__).parent / "_static"
D, K = 8, 5
SIZES = [int(10 ** (e / 2)) for e in range(6, 15)]
Series = list[tuple[float, float]]

METHODS: dict[str, Callable[[np.ndarray], object]] = {
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


def seconds(call: Callable[[], object]) -> float:
    """CPU seconds, the best of up to three calls that together take a tenth of a second."""
    best, spent, calls = math.inf, 0.0, 0
    while calls < 3 and (calls == 0 or spent < 0.1):
        begin = time.process_time()
        call()
        taken = time.process_time() - begin
        best, spent, calls = min(best, taken), spent + taken, calls + 1
    return best


def series(
    name: str, sizes: Iterable[float], call: Callable[[float], object], limit: float
) -> Series:
    """Times over sizes, as long as the next one is expected to stay below the limit."""
    found: Series = []
    for size in sizes:
        if len(found) >= 2:
            (a, s), (b, t) = found[-2:]
            power = max(1.0, math.log(t / s) / math.log(b / a)) if min(s, t) > 0 else 1.0
            if t * (size / b) ** power > limit:
                break
        found.append((size, max(seconds(lambda size=size: call(size)), 1e-6)))
        print(f"{name:>28}{size:>12,}{found[-1][1]:>12.5f} s", flush=True)
    return found


def plot(axis: Any, curves: dict[str, Series], title: str, label: str) -> None:
    colours = mpl.colormaps["tab20"](np.linspace(0, 1, max(len(curves), 2)))
    for colour, (name, points) in zip(colours, curves.items(), strict=False):
        axis.loglog(*zip(*points, strict=True), "o-", ms=3, lw=1.1, color=colour, label=name)
    axis.set(title=title, xlabel=label, ylabel="CPU seconds, one thread")
    axis.grid(color="0.92")
    axis.legend(fontsize=7, frameon=False)


def guide(axis: Any, points: Series, power: float, name: str) -> None:
    """A dashed line of the claimed growth through the last point."""
    (first, _), (last, time_) = points[0], points[-1]
    sizes = np.array([first, last], dtype=float)
    axis.loglog(sizes, time_ * (sizes / last) ** power, "k--", lw=0.7)
    axis.annotate(name, (first, time_ * (first / last) ** power), fontsize=7, va="bottom")


def save(figure: Any, name: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    figure.savefig(FOLDER / name, metadata={"Date": None})
    plt.close(figure)


def methods(limit: float) -> dict[str, Series]:
    tables = {n: np.asfortranarray(np.random.default_rng(0).normal(size=(n, D))) for n in SIZES}
    curves = {
        name: series(name, SIZES, lambda n, method=method: method(tables[n]), limit)
        for name, method in METHODS.items()
    }
    figure, axis = plt.subplots(figsize=(7.5, 5), layout="constrained")
    plot(axis, curves, f"normal data, {D} attributes, k = {K}", "records")
    save(figure, "growth.svg")
    return curves


def paths(curves: dict[str, Series], limit: float) -> None:
    tables = {n: np.random.default_rng(0).normal(size=(n, D)) for n in SIZES[:5]}
    plain = series("plain NPN", SIZES[:5], lambda n: nearest_point_next(tables[n]), limit)
    small = tk.npn_order(tables[SIZES[0]])
    assert np.array_equal(nearest_point_next(tables[SIZES[0]]), small)
    large = {n: np.asfortranarray(np.random.default_rng(0).normal(size=(n, D))) for n in SIZES[:8]}
    claimed = series(
        "FlexDice, C1 = d k",
        SIZES[:8],
        lambda n: tk.flexdice_order(large[n], c1=D * K, n_threads=1),
        limit,
    )
    figure, axis = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
    shown = {
        "NPN as written (numpy)": plain,
        "NPN, npn_order": curves["NPN path"],
        "FlexDice, C1 = 256": curves["FlexDice path"],
        f"FlexDice, C1 = d k = {D * K}": claimed,
    }
    plot(axis, shown, f"paths, normal data, {D} attributes", "records")
    guide(axis, plain, 2.0, "n²")
    guide(axis, claimed, 1.0, "n")
    save(figure, "path_growth.svg")


def edges(limit: float) -> None:
    n, ks = 2_000, [2, 4, 8, 16, 32, 64]
    X = np.random.default_rng(0).normal(size=(n, 2))
    graph = edge_costs_in_turn(X, K, float)
    loss = tk.loss.sse(X, tk.cut(X, np.arange(n), K))
    for shortest in (in_order(graph), dijkstra(graph), in_order(edge_costs(X, K, float))):
        assert math.isclose(shortest, loss, rel_tol=1e-9)
    anew = series("every edge anew", ks, lambda k: edge_costs(X, k, float), limit)
    turn = series("every edge in turn", ks, lambda k: edge_costs_in_turn(X, k, float), limit)
    fast = series("cut", ks, lambda k: tk.cut(X, np.arange(n), k, n_threads=1), limit)
    sizes, k = [1_000, 3_162, 10_000, 31_622, 100_000], 20
    stored = {
        m: edge_costs_in_turn(np.random.default_rng(0).normal(size=(m, 2)), k, float) for m in sizes
    }
    by_order = series("DP on the stored graph", sizes, lambda m: in_order(stored[m]), limit)
    by_length = series("Dijkstra on the stored graph", sizes, lambda m: dijkstra(stored[m]), limit)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2), layout="constrained")
    shown = {"each cost anew": anew, "each from the one before": turn, "cut (all of it)": fast}
    plot(left, shown, f"edge costs, {n:,} records, 2 attributes", "k")
    guide(left, anew, 2.0, "k²")
    guide(left, turn, 1.0, "k")
    plot(
        right,
        {"Dijkstra": by_length, "DP": by_order},
        f"path in a stored graph, k = {k}",
        "records",
    )
    guide(right, by_order, 1.0, "n")
    save(figure, "edge_growth.svg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=float, default=20.0, help="seconds a run may take")
    limit = parser.parse_args().limit
    edges(min(limit, 5.0))
    paths(methods(limit), limit)


if __name__ == "__main__":
    main()
