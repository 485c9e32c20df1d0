"""Information loss by distance of mixed data: the Adult experiment of the ILD thesis (its 4.1).

Two attributes of 32,561 people, capital gain (a number) and marital status (a category), are
microaggregated in three ways: in runs of k records sorted by the number (A), by the category (B),
and by the category first and the number then (C). The mean stands for a run's numbers, the most
frequent category for its categories. Drawn are the losses of either attribute and of both together,
for categories that are 0 or 1 apart (figures 4.1 to 4.3) and for their normalised Levenshtein
distances (4.4 to 4.6).

Which of equally frequent categories is the mode the thesis does not say, and at small k it decides:
all three rules of `represent` stand side by side.

    python examples/papers/ild_adult.py FOLDER [--data adult.csv] [--k 2 200] [--write]
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from certificate import Cell, add_options, certify

import tokumei as tk
from tokumei.distances import Discrete, Distance, Euclidean, Levenshtein, Product
from tokumei.microaggregation import represent

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


def modes(categories: np.ndarray, order: np.ndarray, k: int, ties: str) -> np.ndarray:
    """Each record gets the most frequent category of its run along the order."""
    along = tk.microaggregation.runs(np.arange(len(order)), k)
    found = np.empty_like(categories)
    found[order] = represent(categories[order], along, ties=ties)
    return found


def category_loss(numbers: np.ndarray, categories: np.ndarray, k: int, ties: str) -> float:
    """What order A loses of the category under a rule for ties, in per cent."""
    order = np.argsort(numbers, kind="stable")
    return 100 * tk.loss.ild(categories, modes(categories, order, k, ties), Discrete())


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
            labels = tk.microaggregation.runs(order, k)
            means = tk.aggregate(numbers[:, np.newaxis], labels)[:, 0]
            most = modes(categories, order, k, "first")
            for name, distance in DISTANCES.items():
                losses[name][:, place] = (
                    tk.loss.ild(numbers, means, Euclidean()),
                    tk.loss.ild(categories, most, distance),
                    tk.loss.ild(
                        {"number": numbers, "category": categories},
                        {"number": means, "category": most},
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


def finding_cells(found: dict[str, dict[str, Losses]], ks: range) -> Iterator[Cell]:
    """What the thesis says of its figures 4.1 to 4.6, which have no numbers."""
    for place, (name, losses) in enumerate(found.items()):
        a, b, c = losses["A"], losses["B"], losses["C"]
        below = (c.total < a.total) & (c.total < b.total)
        where = f"thesis, figures 4.{3 * place + 1} to 4.{3 * place + 3} ({name})"
        findings = {
            f"C loses less than A and B, k from 3 to {ks[-1]}": below[np.array(ks) > 2].all(),
            "A's loss of the category grows with k": grows(a.category),
            "B's loss of the number grows with k": grows(b.number),
            "A's total loss grows with k": grows(a.total),
            "B's total loss grows with k": grows(b.total),
        }
        for finding, holds in findings.items():
            yield Cell(where, finding, "yes", "yes" if holds else "no")
        if ks[0] == 2:
            cell, printed = "C loses less than A and B at k = 2", "yes"
            reason = f"{PAIRS} {100 * a.total[0]:.3f} %"
            yield Cell(where, cell, printed, "yes" if below[0] else "no", reason)
        yield Cell(where, "the curves", "an image", f"ild-adult-4.{3 * place + 1}.svg ...", IMAGE)


def tie_cells(numbers: np.ndarray, categories: np.ndarray) -> Iterator[Cell]:
    """Order A's loss of the category at k = 2, 3 and 10 under each rule for ties of the mode."""
    for ties, words in TIES.items():
        losses = [category_loss(numbers, categories, k, ties) for k in (2, 3, 10)]
        shown = ", ".join(f"{loss:.3f}" for loss in losses)
        where = "thesis, section 4.1, ties of the mode"
        yield Cell(where, f"{words}: loss in % at k = 2, 3, 10", "not printed", shown, UNSAID)
        grown = "yes" if losses == sorted(losses) else "no"
        yield Cell(where, f"{words}: grows from k = 2 on", "yes", grown, OTHER_RULE)


PAIRS = "a mixed pair becomes its first: categories stay as spread as they were, and A loses"
IMAGE = "an image without numbers, drawn again"
UNSAID = "the thesis does not say which of equally frequent categories is the mode"
OTHER_RULE = "under this rule for ties it does not grow, so the thesis must have another"
TIES = {"first": "first to occur", "order": "first in sort order", "common": "commoner overall"}


def grows(values: np.ndarray) -> bool:
    """Whether the mean of each fifth of the range of k lies above that of the fifth before."""
    means = [part.mean() for part in np.array_split(values, min(5, len(values)))]
    return bool((np.diff(means) > 0).all())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the figures go")
    parser.add_argument("--data", type=Path, default=find_data(), help="adult.csv")
    parser.add_argument("--k", type=int, nargs=2, default=(2, 200), metavar=("FIRST", "LAST"))
    add_options(parser)
    words = parser.parse_args()
    if words.data is None or not words.data.is_file():
        parser.error("adult.csv is not here: give --data")
    ks = range(words.k[0], words.k[1] + 1)
    numbers, categories = read(words.data)
    found = measure(numbers, categories, ks)
    show_table(found, ks)
    draw(found, ks, words.folder)
    print(f"\nsix figures and their totals for k = {ks[0]}..{ks[-1]} are in {words.folder}")
    cells = [*finding_cells(found, ks), *tie_cells(numbers, categories)]
    return certify("ild_adult", cells, write=words.write)


if __name__ == "__main__":
    sys.exit(main())
