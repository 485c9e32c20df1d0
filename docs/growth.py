"""Draws how times of paths and cuts grow with the size of a table: ``python docs/growth.py``.

Two figures into docs/_static, from CPU times of one thread on this machine. path_growth.svg: the
path through blocks against the path that looks at all records. edge_growth.svg: the claims about
the cut, each against what it replaces. The plain path, the edge costs (6) and (8) and Dijkstra's
search are those of tests/oracle, in Python, with floats. A series ends before the first run that
would take longer than ``--limit`` seconds. Every method over n: ``python -m bench growth``.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import tokumei as tk

sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]
from oracle import dijkstra, edge_costs, edge_costs_in_turn, in_order, nearest_point_next

from bench.growth import Series, plot, series

mpl.use("svg")
mpl.rcParams.update({"svg.hashsalt": "tokumei", "svg.fonttype": "none", "font.size": 9})

FOLDER = Path(__file__).parent / "_static"
D, K = 8, 5
SIZES = [int(10 ** (e / 2)) for e in range(6, 14)]


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


def paths(limit: float) -> None:
    tables = {n: np.random.default_rng(0).normal(size=(n, D)) for n in SIZES[:5]}
    plain = series("plain NPN", SIZES[:5], lambda n: nearest_point_next(tables[n]), limit)
    small = tk.npn_order(tables[SIZES[0]])
    assert np.array_equal(nearest_point_next(tables[SIZES[0]]), small)
    large = {n: np.asfortranarray(np.random.default_rng(0).normal(size=(n, D))) for n in SIZES}
    paths = {
        "NPN": lambda n: tk.npn_order(large[n], n_threads=1),
        "FlexDice, C1 = 256": lambda n: tk.flexdice_order(large[n], n_threads=1),
        f"FlexDice, C1 = d k = {D * K}": lambda n: tk.flexdice_order(
            large[n], c1=D * K, n_threads=1
        ),
    }
    fast = {name: series(name, SIZES, call, limit) for name, call in paths.items()}
    figure, axis = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
    plot(
        axis,
        {"NPN as written (numpy)": plain, **fast},
        f"paths, normal data, {D} attributes",
        "records",
    )
    guide(axis, plain, 2.0, "n²")
    guide(axis, fast[f"FlexDice, C1 = d k = {D * K}"], 1.0, "n")
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
    paths(limit)


if __name__ == "__main__":
    main()
