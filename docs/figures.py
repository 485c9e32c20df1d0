"""Draws the picture of the README from a real run: ``python docs/figures.py``."""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import tokumei as tk

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "tokumei"
mpl.rcParams["svg.fonttype"] = "none"

TARGET = Path(__file__).parent / "_static" / "groups.svg"


def people(n: int = 50) -> np.ndarray:
    """Invented people: age and income, income rising with age and spreading."""
    rng = np.random.default_rng(11)
    age = rng.uniform(20, 75, n)
    income = 12 + 0.45 * age + rng.gamma(2, 0.12 * age)
    return np.column_stack([age, income])


def main() -> None:
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
    figure.savefig(TARGET, metadata={"Date": None})


if __name__ == "__main__":
    main()
