"""MIL after MDAV and V-MDAV: what single moves gain, what they cost, and how far the optimum is.

``python examples/papers/mil_experiment.py`` repeats the experiment of the ILD thesis, appendix A,
and prints the thesis' numbers beside ours. The draws are random, so the two agree in kind, not
digit by digit. Beyond the thesis, the optimal partition (`tokumei.univariate`) is shown as the
floor that no method can pass. ``--full`` counts tests for every distribution, size and seed of the
thesis (an hour or so); ``--figures FOLDER`` draws the curves, where matplotlib is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tokumei as tk
from tokumei.microaggregation import mil_report

# Mean and standard deviation of each normal component; a hundred records of each.
DISTRIBUTIONS = {
    "DS0": [(0, 1)],
    "DS1": [(5, 1), (10, 1)],
    "DS2": [(5, 1), (8, 1)],
    "DS3": [(5, 1), (10, 2)],
    "DS4": [(10, 3), (20, 2)],
    "DS5": [(0, 1), (5, 2), (12, 3)],
    "DS6": [(5, 1.5), (10, 1), (15, 1.5)],
    "DS7": [(5, 3), (15, 2), (20, 1)],
    "DS8": [(5, 3), (12, 1.5), (20, 2)],
    "DS9": [(5, 2), (10, 1.5), (18, 3)],
    "DS10": [(0, 1), (5, 1), (10, 1)],
    "DS11": [(0, 1), (3, 1), (6, 1)],
    "DS12": [],  # uniform on 0 to 1
}
METHODS = {"MDAV": tk.mdav, "V-MDAV": lambda x, k: tk.vmdav(x, k, gamma=1.0)}

# The thesis: share of improved cases, mean and largest cut of the loss, in percent.
THESIS_CUTS = {
    "MDAV": {
        "DS0": (69.4, 2.7, 7.6),
        "DS1": (88.9, 35.5, 68.8),
        "DS2": (87.9, 12.5, 31.2),
        "DS3": (73.7, 11.9, 40.8),
        "DS4": (80.8, 21.4, 54.9),
        "DS5": (60.4, 10.4, 37.3),
        "DS6": (55.0, 8.7, 40.0),
        "DS7": (49.7, 14.6, 50.7),
        "DS8": (73.2, 7.6, 37.6),
        "DS9": (38.9, 3.4, 21.3),
        "DS10": (59.1, 18.5, 67.3),
        "DS11": (81.9, 7.5, 32.2),
        "DS12": (75.5, 8.6, 40.2),
        "all": (66.5, 12.6, 68.8),
    },
    "V-MDAV": {
        "DS0": (91.8, 3.4, 21.7),
        "DS1": (66.7, 14.3, 39.2),
        "DS2": (70.7, 5.0, 19.8),
        "DS3": (99.0, 7.5, 26.7),
        "DS4": (97.0, 7.9, 35.4),
        "DS5": (98.7, 11.5, 31.6),
        "DS6": (91.3, 6.3, 34.1),
        "DS7": (98.7, 16.8, 36.2),
        "DS8": (98.0, 8.1, 32.7),
        "DS9": (98.7, 8.9, 19.6),
        "DS10": (82.6, 13.2, 51.7),
        "DS11": (84.6, 4.5, 18.4),
        "DS12": (69.4, 8.7, 27.6),
        "all": (89.9, 8.9, 51.7),
    },
}
# The thesis: mean and largest number of tests over all data sets, by number of records.
THESIS_TESTS = {
    "MDAV": {100: (9.23, 60), 1_000: (33.58, 282), 10_000: (29.05, 356), 100_000: (34.21, 354)},
    "V-MDAV": {
        100: (18.95, 151),
        1_000: (279.01, 1_514),
        10_000: (3_384.47, 21_960),
        100_000: (41_917.79, 249_428),
    },
}


def normal(rng: np.random.Generator, n: int, mean: float, deviation: float) -> np.ndarray:
    """Nearly normal numbers: means of six uniform ones, standardised."""
    uniform = rng.random((n, 6)).mean(axis=1)
    return deviation * (uniform - 0.5) / np.sqrt(1 / 72) + mean


def draw(name: str, n: int, seed: int) -> np.ndarray:
    """About n records of a distribution, shared evenly among its components."""
    rng = np.random.default_rng(seed)
    components = DISTRIBUTIONS[name]
    if not components:
        return rng.random(n)
    share = n // len(components)
    return np.concatenate([normal(rng, share, *component) for component in components])


def loss(x: np.ndarray, labels: np.ndarray) -> float:
    return tk.loss.ilssdm(x[:, None], labels)


def losses(x: np.ndarray) -> list[dict[str, float]]:
    """The loss of every method for k = 2 to N/2, with and without MIL, and the least there is."""
    rows = []
    for k in range(2, len(x) // 2 + 1):
        row = {"k": k}
        for name, method in METHODS.items():
            labels = method(x[:, None], k)
            row[name] = loss(x, labels)
            row[f"{name}+MIL"] = loss(x, tk.mil(x, labels, k))
        row["optimum"] = loss(x, tk.univariate(x, k))
        rows.append(row)
    return rows


def cuts(rows: list[dict[str, float]], method: str) -> tuple[float, float, float]:
    """Share of improved cases, mean cut of those, largest cut; in percent."""
    before = np.array([row[method] for row in rows])
    after = np.array([row[f"{method}+MIL"] for row in rows])
    cut = 100 * (1 - after / before)
    improved = cut[cut > 1e-10]
    if not len(improved):
        return 0.0, 0.0, 0.0
    return 100 * len(improved) / len(cut), improved.mean(), improved.max()


def above_optimum(rows: list[dict[str, float]], method: str) -> float:
    """Mean excess of a method's loss over the least possible, in percent."""
    return 100 * np.mean([row[method] / row["optimum"] - 1 for row in rows])


def print_losses(name: str, rows: list[dict[str, float]]) -> None:
    print(f"\nLoss (SSE/SST) of {name}")
    columns = ["MDAV", "MDAV+MIL", "V-MDAV", "V-MDAV+MIL", "optimum"]
    print(f"{'k':>4}" + "".join(f"{column:>12}" for column in columns))
    for row in rows[:14]:
        print(f"{row['k']:>4}" + "".join(f"{row[column]:>12.6f}" for column in columns))


def print_cuts(results: dict[str, list[dict[str, float]]]) -> None:
    every = [row for rows in results.values() for row in rows]
    for method, thesis in THESIS_CUTS.items():
        print(f"\nWhat MIL makes of {method}, in percent (the thesis in brackets)")
        print(
            f"{'':>6}{'improved':>17}{'mean cut':>17}{'largest cut':>17}"
            f"{'above the optimum':>20}{'with MIL':>10}"
        )
        for name, rows in [*results.items(), ("all", every)]:
            numbers = "".join(
                f"{ours:>9.1f} ({theirs:>5.1f})"
                for ours, theirs in zip(cuts(rows, method), thesis[name], strict=True)
            )
            before, after = above_optimum(rows, method), above_optimum(rows, f"{method}+MIL")
            print(f"{name:>6} {numbers}{before:>20.1f}{after:>10.1f}")


def test_plan(full: bool) -> Iterator[tuple[int, list[str], range, range]]:
    """Sizes with the distributions, seeds and group sizes to count the tests for."""
    names = [name for name in DISTRIBUTIONS if name != "DS12"]
    for n in (100, 1_000, 10_000, 100_000):
        if full or n <= 1_000:
            yield n, names, range(3), range(2, 51)
        elif n == 10_000:
            yield n, names, range(1), range(2, 51, 6)
        else:
            yield n, ["DS0"], range(1), range(2, 51, 6)


def count_tests(full: bool) -> None:
    print("\nTests made by MIL: mean and largest (the thesis in brackets)")
    print(f"{'N':>8}{'cases':>7}" + "".join(f"{name:>40}" for name in METHODS))
    for n, names, seeds, sizes in test_plan(full):
        counts: dict[str, list[int]] = {name: [] for name in METHODS}
        for name in names:
            for seed in seeds:
                x = draw(name, n, seed)
                for k in sizes:
                    for method, partition in METHODS.items():
                        counts[method].append(mil_report(x, partition(x[:, None], k), k).tests)
        line = f"{n:>8}{len(counts['MDAV']):>7}"
        for method, tests in counts.items():
            mean, most = THESIS_TESTS[method][n]
            line += f"{np.mean(tests):>11.2f} ({mean:>9.2f}){max(tests):>8} ({most:>6})"
        print(line, flush=True)


def draw_figures(results: dict[str, list[dict[str, float]]], folder: Path) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        print("\nmatplotlib is not installed: no figures")
        return
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    for name in ("DS0", "DS1", "DS9"):
        rows = results[name]
        figure, axes = plt.subplots(1, 2, figsize=(11, 4), sharey=True, layout="constrained")
        for axis, method in zip(axes, METHODS, strict=True):
            k = [row["k"] for row in rows]
            for column in (method, f"{method}+MIL", "optimum"):
                axis.plot(k, [row[column] for row in rows], label=column, linewidth=1)
            axis.set(title=f"{name}, {method}", xlabel="k", ylabel="SSE / SST")
            axis.legend()
        path = folder / f"mil_{name.lower()}.svg"
        figure.savefig(path)
        plt.close(figure)
        print(f"drew {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true", help="all sizes and seeds of the thesis")
    parser.add_argument("--seed", type=int, default=0, help="of the data (default 0)")
    parser.add_argument("--figures", type=Path, help="folder to draw the curves into")
    arguments = parser.parse_args()

    results = {}
    for name, components in DISTRIBUTIONS.items():
        x = draw(name, 100 * max(1, len(components)), arguments.seed)
        results[name] = losses(x)
    for name in ("DS0", "DS1", "DS9"):
        print_losses(name, results[name])
    print_cuts(results)
    count_tests(arguments.full)
    if arguments.figures is not None:
        draw_figures(results, arguments.figures)


if __name__ == "__main__":
    main()
