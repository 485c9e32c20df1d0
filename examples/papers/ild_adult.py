"""Information loss by distance of mixed data: the Adult experiment of the ILD thesis (its 4.1).

Two attributes of 32,561 people, capital gain (a number) and marital status (a category), are
microaggregated in three ways: in runs of k records sorted by the number (A), by the category (B),
and by the category first and the number then (C). The mean stands for a run's numbers, the most
frequent category for its categories. Drawn are the losses of either attribute and of both together,
for categories that are 0 or 1 apart (figures 4.1 to 4.3) and for their normalised Levenshtein
distances (4.4 to 4.6).

    python examples/papers/ild_adult.py FOLDER [--data adult.csv] [--k 2 200]
"""

from __future__ import annotations

import argparse
import csv
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tokumei as tk
from tokumei.distances import Discrete, Distance, Euclidean, Levenshtein, Product

NUMBER, CATEGORY = "capital-gain", "marital-status"
DISTANCES: dict[str, Distance] = {
    "discrete": Discrete(),
    "normalised Levenshtein": Levenshtein(normalized=True),
}


@dataclass(frozen=True)
class Losses:
    """The losses of one partition under one distance, for each k."""

    number: np.ndarray
    category: np.ndarray
    total: np.ndarray


def find_data() -> Path | None:
    """The data set in shared/data of this folder or one above."""
    places = (up / "shared" / "data" / "adult.csv" for up in Path(__file__).resolve().parents)
    return next((place for place in places if place.is_file()), None)


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and categories of all records."""
    with path.open(encoding="utf-8", newline="") as lines:
        records = list(csv.DictReader(lines))
    numbers = np.array([float(record[NUMBER]) for record in records])
    return numbers, np.array([record[CATEGORY].strip() for record in records])


def runs(order: np.ndarray, k: int) -> np.ndarray:
    """Labels of runs of k records along an order; the last run has up to 2k - 1."""
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.minimum(np.arange(len(order)) // k, len(order) // k - 1)
    return labels


def most_frequent(categories: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Each record gets the most frequent category of its group, of ties the first one."""
    names, codes = np.unique(categories, return_inverse=True)
    groups = int(labels.max()) + 1
    counts = np.bincount(labels * len(names) + codes, minlength=groups * len(names))
    return names[counts.reshape(groups, len(names)).argmax(axis=1)[labels]]


def measure(numbers: np.ndarray, categories: np.ndarray, ks: range) -> dict[str, dict[str, Losses]]:
    """Losses by distance and partition."""
    orders = {
        "A": np.argsort(numbers, kind="stable"),
        "B": np.argsort(categories, kind="stable"),
        "C": np.lexsort((numbers, categories)),
    }
    found: dict[str, dict[str, Losses]] = {name: {} for name in DISTANCES}
    for partition, order in orders.items():
        losses = {name: np.empty((3, len(ks))) for name in DISTANCES}
        for place, k in enumerate(ks):
            labels = runs(order, k)
            means = tk.aggregate(numbers[:, np.newaxis], labels)[:, 0]
            modes = most_frequent(categories, labels)
            for name, distance in DISTANCES.items():
                losses[name][:, place] = (
                    tk.loss.ild(numbers, means, Euclidean()),
                    tk.loss.ild(categories, modes, distance),
                    tk.loss.ild(
                        {"number": numbers, "category": categories},
                        {"number": means, "category": modes},
                        Product(Euclidean(), distance),
                    ),
                )
        for name in DISTANCES:
            found[name][partition] = Losses(*losses[name])
    return found


def draw(found: dict[str, dict[str, Losses]], ks: range, folder: Path) -> None:
    """Six figures, one for each distance and partition, on common axes; and one of the totals."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "tokumei"
    mpl.rcParams["svg.fonttype"] = "none"
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    cases = [(name, partition) for name in found for partition in found[name]]
    every = [(c.number, c.category, c.total) for each in found.values() for c in each.values()]
    low, top = min(0.0, np.min(every)), np.max(every)
    for figure_number, (name, partition) in enumerate(cases, 1):
        losses = found[name][partition]
        figure, axes = plt.subplots(figsize=(5, 3.4))
        axes.plot(ks, losses.number, label=f"{NUMBER} (Euclid)", lw=1.2)
        axes.plot(ks, losses.category, label=f"{CATEGORY} ({name})", lw=1.2)
        axes.plot(ks, losses.total, label="both", color="black", lw=1.6)
        axes.set(xlabel="k", ylabel="ILD", xlim=(0, ks[-1]), ylim=(low, top))
        axes.set_title(f"Figure 4.{figure_number}: ILD of {partition}, {name}", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
        figure.tight_layout()
        figure.savefig(folder / f"ild-adult-4.{figure_number}.svg", metadata={"Date": None})
        plt.close(figure)
    figure, both = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
    for axes, (name, partitions) in zip(both, found.items(), strict=True):
        for partition, losses in partitions.items():
            axes.plot(ks, losses.total, label=partition)
        axes.set_title(f"categories: {name}", fontsize=10)
        axes.set(xlabel="k", xlim=(0, ks[-1]))
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
    both[0].set_ylabel("ILD of both attributes")
    figure.tight_layout()
    figure.savefig(folder / "ild-adult.svg", metadata={"Date": None})
    plt.close(figure)


def show_table(found: dict[str, dict[str, Losses]], ks: range) -> None:
    """Losses in per cent for some k."""
    shown = [k for k in (2, 3, 5, 10, 20, 50, 100, 150, 200) if k in ks]
    for name, partitions in found.items():
        print(f"\nILD in %, categories: {name}")
        print("     " + "".join(f"{partition + ' ' + what:>12}" for partition in partitions
                                for what in ("number", "category", "both")))  # fmt: skip
        for k in shown:
            row = [
                100 * values[k - ks[0]]
                for losses in partitions.values()
                for values in (losses.number, losses.category, losses.total)
            ]
            print(f"k={k:<4}" + "".join(f"{value:12.3f}" for value in row))


def conclude(found: dict[str, dict[str, Losses]], ks: range) -> bool:
    """Say in words whether the thesis' findings show; return whether all do."""
    all_hold = True
    print()
    for name, losses in found.items():
        a, b, c = losses["A"], losses["B"], losses["C"]
        below = (c.total < a.total) & (c.total < b.total)
        findings = {
            f"C loses less than A and B for {below.sum()} of {len(ks)} values of k": below.all(),
            f"A's category loss grows with k, {growth(a.category)}": grows(a.category),
            f"B's number loss grows with k, {growth(b.number)}": grows(b.number),
            f"A's total loss grows with k, {growth(a.total)}": grows(a.total),
            f"B's total loss grows with k, {growth(b.total)}": grows(b.total),
        }
        for finding, holds in findings.items():
            print(f"{'holds' if holds else 'DOES NOT HOLD'}: {name}: {finding}")
            all_hold &= bool(holds)
    return all_hold


def growth(values: np.ndarray) -> str:
    return f"from {100 * values[0]:.2f} to {100 * values[-1]:.2f} %"


def grows(values: np.ndarray) -> bool:
    """Whether the mean of each fifth of the range of k lies above that of the fifth before."""
    means = [part.mean() for part in np.array_split(values, min(5, len(values)))]
    return bool((np.diff(means) > 0).all())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the figures go")
    parser.add_argument("--data", type=Path, default=find_data(), help="adult.csv")
    parser.add_argument("--k", type=int, nargs=2, default=(2, 200), metavar=("FIRST", "LAST"))
    words = parser.parse_args()
    if words.data is None or not words.data.is_file():
        parser.error("adult.csv is not here: give --data")
    ks = range(words.k[0], words.k[1] + 1)
    numbers, categories = read(words.data)
    found = measure(numbers, categories, ks)
    show_table(found, ks)
    draw(found, ks, words.folder)
    print(f"\nsix figures and their totals for k = {ks[0]}..{ks[-1]} are in {words.folder}")
    return 0 if conclude(found, ks) else 1


if __name__ == "__main__":
    sys.exit(main())
