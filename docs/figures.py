"""Draws the README picture and FlexDice blocks from real runs: ``python docs/figures.py``."""

import csv
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import matplotlib.ticker
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
    draw_lost()


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


def draw_lost() -> None:
    """What masking the example's people loses: each column before and after, at k = 5 and 25."""
    path = Path(__file__).parent.parent / "examples" / "people.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    cells = {name: [int(row[name]) for row in rows] for name in ("age", "region", "income")}
    masked = {
        k: tk.release.mask(
            pa.table(cells),
            k,
            quasi=list(cells),
            kinds={"region": "nominal"},
            keep_order=True,
            random_state=0,
        )
        for k in (5, 25)
    }
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.2))
    before = np.array(cells["income"]) / 1000
    bins = np.linspace(before.min(), np.quantile(before, 0.98), 26)
    axes[0].hist(before, bins, color="#bbbbbb", label="before")
    for (k, made), colour in zip(masked.items(), ("C0", "C3"), strict=True):
        after = np.array(made.table["income"].to_pylist()) / 1000
        axes[0].hist(after, bins, histtype="step", color=colour, label=f"k = {k}")
        close = np.corrcoef(before, after)[0, 1]
        few = slice(0, 300)  # of the records, whose order says nothing
        label = f"k = {k}: {close:.3f}"
        axes[1].scatter(before[few], after[few], s=5, color=colour, label=label)
    axes[0].set(title="How a column is spread", xlabel="income (thousand)", ylabel="records")
    axes[1].set(title="Record by record", xlabel="income before", ylabel="income after")
    axes[1].set(xscale="log", yscale="log")
    for axis in (axes[1].xaxis, axes[1].yaxis):
        axis.set_major_locator(mpl.ticker.FixedLocator([20, 50, 100, 300]))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(mpl.ticker.NullLocator())
    axes[1].legend(frameon=False, title="correlation", fontsize=8)
    axes[0].set_ylim(0, 120)
    axes[0].legend(frameon=False, fontsize=8, loc="upper right")
    sizes = np.bincount(np.unique(cells["region"], return_inverse=True)[1])
    named = np.unique(cells["region"])
    for made, colour in zip(masked.values(), ("C0", "C3"), strict=True):
        left = np.isin(named, made.table["region"].to_pylist())
        shares = [left[sizes == size].mean() for size in np.unique(sizes)]
        axes[2].plot(np.unique(sizes), 100 * np.array(shares), "o-", color=colour, ms=3)
    axes[2].set(title="Rare categories go first", xlabel="records of a region before")
    axes[2].set_ylabel("regions still there (%)")
    for one in axes:
        one.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(FOLDER / "lost.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
