"""Draws the README picture and FlexDice blocks from real runs: ``python docs/figures.py``."""

import csv
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa

import tokumei as tk
from tokumei.release.mask.step import Microaggregate
from tokumei.release.schema import Columns

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "tokumei"
mpl.rcParams["svg.fonttype"] = "none"

FOLDER = Path(__file__).parent / "_static"


def people(n: int = 50) -> np.ndarray:
    """Invented people: age and income, income rising with age and spreading."""
    rng = np.random.default_rng(11)
    age = rng.uniform(20, 75, n)
    income = 12 + 0.45 * age + rng.gamma(2, 0.12 * age)
    return np.column_stack([age, income])


def draw_groups() -> None:
    X = people()
    Z = tk.standardize(X)
    labels = tk.partition(Z, k=5)
    means = tk.aggregate(X, labels)
    colours = mpl.colormaps["tab10"](np.arange(labels.max() + 1) % 10)
    figure, axes = plt.subplots(figsize=(7, 3.4))
    for record, mean, label in zip(X, means, labels, strict=True):
        axes.plot(*zip(record, mean, strict=True), color=colours[label], alpha=0.45, lw=0.8)
    axes.scatter(*X.T, s=16, c=colours[labels], label="records")
    axes.scatter(*np.unique(means, axis=0).T, s=70, marker="D", c="black", label="published means")
    axes.set(xlabel="age", ylabel="income (thousand)")
    axes.spines[["top", "right"]].set_visible(False)
    loss = 100 * tk.loss.ilssdm(Z, labels)
    axes.set_title(f"{len(X)} records, groups of at least 5, {loss:.1f} % of the information lost")
    axes.legend(frameon=False, loc="upper left")
    figure.tight_layout()
    figure.savefig(FOLDER / "groups.svg", metadata={"Date": None})


def draw_blocks() -> None:
    """The blocks of two clouds and a ring, and the links that the path follows."""
    rng = np.random.default_rng(5)
    angle = rng.uniform(0, 2 * np.pi, 600)
    ring = 3.5 * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(0, 0.2, (600, 2))
    clouds = np.concatenate([rng.normal(0, 0.4, (700, 2)), rng.normal((5, 4), 0.6, (500, 2))])
    blocks = tk.microaggregation.flexdice_blocks(np.concatenate([ring, clouds]), c1=25)
    blocks.plot().savefig(FOLDER / "flexdice_blocks.svg", metadata={"Date": None})


def main() -> None:
    draw_groups()
    draw_blocks()
    draw_choosing()


def draw_choosing() -> None:
    """The map of risk and loss of the example's people."""
    path = Path(__file__).parent.parent / "examples" / "people.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [row[name] for row in rows] for name in ("age", "region", "income")}
    numbers = {name: [int(cell) for cell in cells] for name, cells in columns.items()}
    job = tk.release.Job(
        (Microaggregate(),),
        (tk.privacy.KAnonymity(),),
        Columns(quasi=list(numbers), kinds={"region": "nominal"}),
    )
    methods = ["auto", "mdav", "mondrian"]
    found = tk.release.compare(job, pa.table(numbers), k=[2, 3, 5, 10, 25], methods=methods)
    found.plot(FOLDER / "choosing.svg")


if __name__ == "__main__":
    main()
