"""Long paths and paths through blocks: the path paper's figure 5 from real runs, and its question.

The paper expects that a path which stays inside blocks is not only cheaper than one that always
goes to the nearest record of all (NPN), but that the groups cut from it lose less. Its figure 5
shows why on a sketch; experiments were left for later. Here both paths run on records, are cut at
their best, and are measured: loss (100 SSE/SST) and CPU time of one thread, over the number of
records, of attributes and of records in a group, on drawn and on public tables.

    python examples/papers/path_figure5.py [--figures FOLDER] [--data FOLDER] [--quick] [--write]
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from certificate import Cell, add_options, certify

import tokumei as tk
from tokumei.microaggregation import flexdice_blocks, hilbert_order

PATHS: dict[str, Callable[..., np.ndarray]] = {
    "NPN": tk.npn_order,
    "grid": tk.grid_order,
    "FlexDice 64": lambda X, **run: tk.flexdice_order(X, c1=64, **run),
    "FlexDice 256": lambda X, **run: tk.flexdice_order(X, c1=256, **run),
    "FlexDice 1024": lambda X, **run: tk.flexdice_order(X, c1=1024, **run),
    "Hilbert": hilbert_order,
}
FILES = {  # the numeric columns of public tables
    "census": (),
    "tarragona": (),
    "eia": ("RESREVENUE", "RESSALES", "COMREVENUE", "COMSALES", "INDREVENUE", "INDSALES"),
    "adult": ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"),
}
Results = dict[str, tuple[float, list[float]]]  # of each path: seconds, and the loss for each k
GROUP_SIZES = (3, 5, 10, 25, 50)


def normal(n: int, d: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(n, d))


def mixture(n: int, d: int) -> np.ndarray:
    """Fifty normal clouds of different shapes."""
    rng = np.random.default_rng(0)
    centres = rng.normal(scale=4.0, size=(50, d))
    shapes = rng.normal(size=(50, d, d)) / np.sqrt(d)
    cloud = rng.integers(50, size=n)
    table = rng.normal(size=(n, d))
    for c in range(50):
        table[cloud == c] = centres[c] + table[cloud == c] @ shapes[c]
    return table


def find_data() -> Path | None:
    """The public tables: shared/data of this folder or one above."""
    places = (up / "shared" / "data" for up in Path(__file__).resolve().parents)
    return next((place for place in places if place.is_dir()), None)


def read(path: Path, columns: tuple[str, ...]) -> np.ndarray:
    with path.open(encoding="utf-8", newline="") as lines:
        head, *records = csv.reader(lines)
    places = [head.index(column) for column in columns or head]
    return np.array([[float(record[place]) for place in places] for record in records])


def timed(function: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, float]:
    begin = time.process_time()
    answer = function(*arguments, **options)
    return answer, time.process_time() - begin


def loss_of(X: np.ndarray, order: np.ndarray, k: int) -> float:
    return 100 * tk.loss.ilssdm(X, tk.cut(X, order, k, n_threads=1))


def compare(
    name: str, table: np.ndarray, *, npn: bool = True
) -> dict[str, tuple[float, list[float]]]:
    """Prints, for each path, its time and the loss of its best cut for every k."""
    X = np.asfortranarray(tk.standardize(table))
    n, d = X.shape
    print(f"\n{name}, {n:,} records, {d} attributes: 100 SSE/SST, and seconds for the path")
    print(f"{'':>14}" + "".join(f"{f'k = {k}':>9}" for k in GROUP_SIZES) + f"{'seconds':>10}")
    found = {}
    for path, order_of in PATHS.items():
        if path == "NPN" and not npn:
            continue
        order, seconds = timed(order_of, X, n_threads=1)
        losses = [loss_of(X, order, k) for k in GROUP_SIZES]
        print(f"{path:>14}" + "".join(f"{loss:>9.3f}" for loss in losses) + f"{seconds:>10.3f}")
        found[path] = seconds, losses
    if n <= 40_000:
        losses = [100 * tk.loss.ilssdm(X, tk.mdav(X, k, n_threads=1)) for k in GROUP_SIZES]
        print(f"{'(MDAV)':>14}" + "".join(f"{loss:>9.3f}" for loss in losses), flush=True)
        found["MDAV"] = np.nan, losses
    return found


def drawing() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The sketch's setting: a square of 4 x 4 blocks, some eighty records, k = 5."""
    X = np.random.default_rng(3).random((80, 2))
    return X, {
        "NPN": tk.npn_order(X),
        "blocks, 4 x 4": tk.grid_order(X, blocks_per_axis=4),
    }


def squares(k: int, drawings: int = 200) -> Iterator[Cell]:
    """How the sketch's setting ends over many draws, which differ."""
    losses = []
    for seed in range(drawings):
        X = np.random.default_rng(seed).random((80, 2))
        orders = (tk.npn_order(X), tk.grid_order(X, blocks_per_axis=4))
        losses.append([loss_of(X, order, k) for order in orders])
    npn, blocks = np.array(losses).T
    apart = npn - blocks
    words = (
        f"mean 100 SSE/SST {npn.mean():.2f} and {blocks.mean():.2f}, difference "
        f"{apart.mean():.2f} with standard deviation {apart.std():.2f} over {drawings} draws; "
        f"blocks lose less in {100 * np.mean(apart > 0):.0f} %"
    )
    where = f"path paper, figure 5: 80 records, 4 x 4 blocks, k = {k}"
    better = "blocks" if apart.mean() > 0 else "the path"
    reason = "a sketch without numbers: " + words
    yield Cell(where, "which path loses less", "blocks", better, reason)
    yield Cell(where, "losses of path and blocks", "an image", "drawn", reason)


def outer_block() -> Cell:
    """The paper looks for the first record in the outer blocks only."""
    X = np.array([[10, 0], [-10, 0], [0, 10], [0, -10], [8, 8], [-0.1, -0.1], [-8, -8.0]])
    outer = tk.grid_order(X, blocks_per_axis=16)[0] < 4
    reason = "(8, 8) is farther from the mean than (10, 0), and in no outer one of 16 x 16 blocks"
    claim = "the farthest record is in an outer block"
    return Cell("path paper, section 5.3", claim, "yes", "yes" if outer else "no", reason)


def searches(X: np.ndarray, c1: int) -> tuple[int, int, int, int]:
    """Blocks; then searches for a next record in other blocks, levels of them, blocks looked into.

    Counted along the FlexDice path as the paper walks it: breadth first over linked blocks, level
    after level, until one has an unvisited record.
    """
    made = flexdice_blocks(X, c1=c1)
    count = len(made.sizes)
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for low, high in made.links[:, :2].tolist():
        neighbours[low].append(high)
        neighbours[high].append(low)
    left = made.sizes.tolist()
    found = levels = touched = 0
    for block in made.block[tk.flexdice_order(X, c1=c1)][:-1].tolist():
        left[block] -= 1
        if left[block]:
            continue
        found += 1
        level, seen = [block], {block}
        while level and not any(left[b] for b in level):
            level = list({b for one in level for b in neighbours[one]} - seen)
            seen.update(level)
            levels += 1
        touched += len(seen) - 1
    return count, found, levels, touched


def search_costs(sizes: Iterable[int]) -> Iterator[Cell]:
    """What all searches cost: the paper writes p B in one place and p B^2 in another."""
    k, rows = 5, []
    for d in (2, 8):
        for n in sizes:
            blocks, found, levels, touched = searches(normal(n, d), c1=d * k)
            rows.append((d, n, blocks, touched / n))
            print(f"d = {d}, {n:>7,} records: {blocks:>6,} blocks, {found:>6,} searches, "
                  f"{levels / found:.2f} levels and {touched / found:.1f} blocks a search, "
                  f"{touched / n:.2f} blocks a record")  # fmt: skip
    a_record = [each for *_, each in rows]
    powers = []
    for d in (2, 8):
        of_d = [(b, each * n) for at, n, b, each in rows if at == d]
        (b, first), (c, last) = of_d[0], of_d[-1]
        powers.append(np.log(last / first) / np.log(c / b))
    power = max(powers)
    reason = (
        f"blocks looked into along the path, normal records, C1 = d k: "
        f"{min(a_record):.1f} to {max(a_record):.1f} a record; their number grows as "
        f"B^{powers[0]:.2f} (d = 2) and B^{powers[1]:.2f} (d = 8)"
    )
    ours = "p B" if power < 1.3 else "p B^2" if power > 1.7 else f"p B^{power:.1f}"
    where = "path paper, section 5.3: what all searches together cost"
    yield Cell(where, "where it is p B", "p B", ours, reason)
    yield Cell(where, "where it is p B^2", "p B^2", ours, reason)


def draw(results: dict[str, Results], folder: Path) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        print("\nmatplotlib is not installed: no figures")
        return
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "tokumei", "svg.fonttype": "none"})
    from matplotlib import pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    X, orders = drawing()
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.6), layout="constrained")
    for axis, (name, order) in zip(axes, orders.items(), strict=True):
        labels = tk.cut(X, order, 5)
        if name != "NPN":
            lower, upper = X.min(axis=0), X.max(axis=0)
            for share in np.arange(5) / 4:
                axis.axvline(lower[0] + share * (upper - lower)[0], color="0.85", lw=0.8)
                axis.axhline(lower[1] + share * (upper - lower)[1], color="0.85", lw=0.8)
        path = X[order]
        for step in range(len(path) - 1):
            same = labels[order[step]] == labels[order[step + 1]]
            axis.plot(*path[step : step + 2].T, color="0.3", lw=1.6 if same else 0.5)
        axis.scatter(*X.T, c=mpl.colormaps["tab20"](labels % 20), s=26, zorder=3)
        axis.plot(*path[0], marker="s", ms=9, mfc="none", mec="black")
        axis.set(title=f"{name}: {loss_of(X, order, 5):.1f} % lost", xticks=[], yticks=[])
        axis.set_aspect("equal")
    figure.savefig(folder / "path_figure5.svg", metadata={"Date": None})
    plt.close(figure)

    rows = -(-len(results) // 3)
    figure, axes = plt.subplots(rows, 3, figsize=(10, 3.1 * rows), layout="constrained")
    for axis, (name, found) in zip(axes.flat, results.items(), strict=False):
        axis.axhline(1, color="0.8", lw=0.8)
        base = np.array(found["NPN"][1])
        for path, (_, losses) in found.items():
            style = "k:" if path == "MDAV" else "o-"
            axis.semilogx(GROUP_SIZES, np.array(losses) / base, style, ms=3, lw=1, label=path)
        axis.set_title(name, fontsize=9)
        axis.set_xticks(GROUP_SIZES, [str(k) for k in GROUP_SIZES])
        axis.minorticks_off()
        axis.tick_params(labelsize=8)
    for axis in axes.flat[len(results) :]:
        axis.axis("off")
    axes.flat[0].legend(fontsize=7, frameon=False)
    figure.supylabel("loss, NPN = 1", fontsize=9)
    figure.supxlabel("k", fontsize=9)
    figure.savefig(folder / "path_losses.svg", metadata={"Date": None})
    plt.close(figure)
    print(f"\ndrew path_figure5.svg and path_losses.svg in {folder}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--figures", type=Path, help="folder to draw into")
    parser.add_argument("--data", type=Path, default=find_data(), help="folder of public tables")
    parser.add_argument("--quick", action="store_true", help="small tables only")
    add_options(parser)
    arguments = parser.parse_args()

    cells = [outer_block(), *squares(5), *squares(10)]
    cells += search_costs((3_000, 10_000) if arguments.quick else (3_000, 10_000, 30_000, 100_000))
    n = 3_000 if arguments.quick else 30_000
    tables = {f"{make.__name__}, d = {d}": make(n, d) for make in (normal, mixture) for d in (2, 8)}
    tables["normal, d = 50"] = normal(n, 50)
    for name, columns in FILES.items():
        if arguments.data is not None and (path := arguments.data / f"{name}.csv").is_file():
            tables[name] = read(path, columns)
        else:
            print(f"{name}: no file {name}.csv")
    results = {name: compare(name, table) for name, table in tables.items()}
    if not arguments.quick:
        compare("normal, d = 8", normal(300_000, 8))
        compare("normal, d = 50", normal(100_000, 50), npn=False)  # it would take half a minute
    if arguments.figures is not None:
        draw(results, arguments.figures)
    return certify("path_figure5", cells, write=arguments.write)


if __name__ == "__main__":
    sys.exit(main())
