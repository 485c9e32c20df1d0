"""Draws where shortcuts overtake the double sum, from CPU times: ``python docs/crossover.py``."""

import time
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import tokumei as tk
from tokumei.distances import Discrete, Distance, Euclidean, Minkowski
from tokumei.loss.distance import amounts

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "tokumei"
mpl.rcParams["svg.fonttype"] = "none"

TARGET = Path(__file__).parent / "_static" / "crossover.svg"
ROWS = np.unique(np.round(np.geomspace(30, 20_000, 12)).astype(int))
COLOURS = ("#2563a8", "#c2410c", "#3f7d3a", "#7a4b9a")


def numbers(columns: int) -> Callable[[int], np.ndarray]:
    def made(rows: int) -> np.ndarray:
        return np.asfortranarray(np.random.default_rng(rows).normal(size=(rows, columns)))

    return made


def categories(rows: int) -> np.ndarray:
    return np.random.default_rng(rows).integers(0, 50, size=rows)


CASES: dict[str, tuple[Callable[[int], np.ndarray], Distance]] = {
    "Euclid, 8 columns": (numbers(8), Euclidean()),
    "Manhattan, 2 columns": (numbers(2), Minkowski(1)),
    "Manhattan, 8 columns": (numbers(8), Minkowski(1)),
    "discrete, 50 categories": (categories, Discrete()),
}


def seconds(values: np.ndarray, distance: Distance, method: str) -> float:
    """CPU time of a call, at best; short calls many at a time."""
    calls, shortest = 1, float("inf")
    for _ in range(12):
        begin = time.process_time()
        for _ in range(calls):
            tk.loss.information(values, distance, method=method, n_threads=1)
        spent = time.process_time() - begin
        shortest = min(shortest, spent / calls)
        if spent > 0.2:
            break
        calls = min(2 * calls, max(calls, round(calls * 0.02 / max(spent, 1e-6))))
    return shortest


def main() -> None:
    # What the shortcut costs is shown also where the double sum would be chosen.
    amounts.sorting_pays = lambda rows, columns: True
    figure, every_axes = plt.subplots(1, 4, figsize=(11, 3.1), sharex=True, sharey=True)
    for axes, colour, (name, (make, distance)) in zip(
        every_axes, COLOURS, CASES.items(), strict=True
    ):
        tables = [make(rows) for rows in ROWS]
        for method, style in (("pairs", "--"), ("auto", "-")):
            times = [seconds(values, distance, method) for values in tables]
            label = "double sum" if method == "pairs" else "shortcut"
            axes.loglog(ROWS, times, style, color=colour, label=label)
        axes.set_title(name, fontsize=10)
        axes.set_xlabel("records")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
    every_axes[0].set_ylabel("seconds, one core")
    figure.tight_layout()
    figure.savefig(TARGET, metadata={"Date": None})


if __name__ == "__main__":
    main()
