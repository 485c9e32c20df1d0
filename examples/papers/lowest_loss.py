"""How low the loss of microaggregation goes, and how soon: the reference sets and a million rows.

    python examples/papers/lowest_loss.py sets [--data FOLDER] [--effort balanced best]
    python examples/papers/lowest_loss.py known [--data FOLDER] [--names census] [--k 3 4]
    python examples/papers/lowest_loss.py time [--rows 1000000]
    python examples/papers/lowest_loss.py growth [--rows 1000000]
    python examples/papers/lowest_loss.py draw PRINTED --figure FILE.svg

``sets`` prints 100 SSE/SST of MDAV and of `tokumei.refine` (mean and least of five seeds, seconds
of one core) for Census, Tarragona and EIA beside the least values known so far. ``known`` prints
whether effort="optimal" reaches these, or goes below, and seconds of one core. ``time`` prints
the loss over time, as a ratio to MDAV's, for two kinds of large tables: a mixture of fifty clouds,
and two factors with half of the attributes log-normal. ``growth`` prints how time grows with the
rows. ``draw`` draws what ``time`` or ``growth`` has printed.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tokumei as tk

SIZES = (3, 4, 5, 10)
# Columns of each file, and the least 100 SSE/SST found so far by any method and budget.
SETS = {
    "census": (None, (4.6679, 6.0310, 7.2445, 11.3476)),
    "tarragona": (None, (14.4673, 17.0803, 20.1459, 30.1083)),
    "eia": ((0, *range(5, 15)), (0.34890, 0.48302, 0.72941, 1.93135)),
}
EFFORTS = ("fast", 0.3, 1, 2, 4, 8)
SEVERAL = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)


def mixture(rows: int, rng: np.random.Generator) -> np.ndarray:
    """Fifty Gaussian clouds in eight dimensions, each with its own covariance."""
    centres = rng.normal(scale=3.0, size=(50, 8))
    shapes = rng.normal(size=(50, 8, 8)) / np.sqrt(8)
    cloud_of = rng.integers(50, size=rows)
    table = rng.normal(size=(rows, 8))
    for cloud in range(50):
        members = cloud_of == cloud
        table[members] = centres[cloud] + table[members] @ shapes[cloud]
    return table


def skewed(rows: int, rng: np.random.Generator) -> np.ndarray:
    """Two factors behind eight attributes, four of them log-normal."""
    loadings = rng.normal(size=(2, 8))
    loadings /= np.sqrt((loadings**2).sum(axis=0))
    table = rng.normal(size=(rows, 2)) @ loadings + 0.5 * rng.normal(size=(rows, 8))
    table[:, :4] = np.exp(table[:, :4])
    return table


TABLES: dict[str, Callable[[int, np.random.Generator], np.ndarray]] = {
    "mixture": mixture,
    "skewed": skewed,
}


def timed(work: Callable[[], np.ndarray]) -> tuple[np.ndarray, float]:
    """What the work gives, and the seconds of processor time it takes."""
    begin = time.process_time()
    return work(), time.process_time() - begin


def sets(folder: Path, efforts: list[str], names: list[str]) -> Iterator[str]:
    yield "set        k      MDAV   effort       mean     least   seconds   least known"
    for name in names:
        table = read(folder, name)
        for k, floor in zip(SIZES, SETS[name][1], strict=True):
            start = tk.mdav(table, k)
            for effort in efforts:
                runs = [
                    timed(
                        lambda seed=seed, k=k, start=start, effort=effort, table=table: tk.refine(
                            table, start, k, effort=effort, random_state=seed, n_threads=1
                        )
                    )
                    for seed in range(5)
                ]
                losses = [100 * tk.loss.ilssdm(table, labels) for labels, _ in runs]
                yield (
                    f"{name:9s} {k:2d}  {100 * tk.loss.ilssdm(table, start):8.4f}   {effort:8s} "
                    f"{np.mean(losses):8.4f}  {min(losses):8.4f}  "
                    f"{np.mean([seconds for _, seconds in runs]):8.2f}  {floor:12.4f}"
                )


def known(folder: Path, names: list[str], ks: list[int]) -> Iterator[str]:
    """Whether the least values known are reached to their last digit, or left above."""
    yield "set        k      ours   least known            seconds"
    for name in names:
        table = read(folder, name)
        for k, floor in zip(SIZES, SETS[name][1], strict=True):
            if k not in ks:
                continue
            start = tk.mdav(table, k)
            labels, seconds = timed(
                lambda table=table, start=start, k=k: tk.refine(
                    table, start, k, effort="optimal", n_threads=1
                )
            )
            loss = 100 * tk.loss.ilssdm(table, labels)
            digit = 10.0 ** -len(str(floor).split(".")[1])
            away = "not reached" if loss > floor + digit else "reached"
            said = "below" if loss < floor - digit else away
            yield f"{name:9s} {k:2d}  {loss:8.5f}  {floor:12.5f}  {said:11s}  {seconds:6.0f}"


def read(folder: Path, name: str) -> np.ndarray:
    """The standardised table."""
    place = folder / f"{name}.csv"
    columns = SETS[name][0]
    return tk.standardize(
        np.loadtxt(place, delimiter=",", skiprows=1, usecols=columns, quotechar='"')
    )


def curve(name: str, rows: int) -> Iterator[str]:
    """What was done, the seconds it took from nothing, the loss by MDAV's."""
    table = np.asfortranarray(tk.standardize(TABLES[name](rows, np.random.default_rng(0))))
    groups, seconds = timed(lambda: tk.mdav(table, 5, n_threads=1))
    floor = tk.loss.sse(table, groups)

    def line(done: str, seconds: float, groups: np.ndarray) -> str:
        return f"{name:8s} {done:10s} {seconds:7.2f} s  {tk.loss.sse(table, groups) / floor:.4f}"

    yield line("mdav", seconds, groups)
    start, begin = timed(lambda: tk.partition(table, 5, method="block_mdav", n_threads=1))
    yield line("block_mdav", begin, start)
    for effort in EFFORTS:
        groups, seconds = timed(
            lambda effort=effort: tk.refine(table, start, 5, effort=effort, n_threads=1)
        )
        yield line(str(effort), begin + seconds, groups)


def growth(name: str, rows: int) -> Iterator[str]:
    """What was done, to how many rows, the seconds it took and the loss by MDAV's."""
    for n in (n for n in SEVERAL if n <= rows):
        table = np.asfortranarray(tk.standardize(TABLES[name](n, np.random.default_rng(0))))
        groups, seconds = timed(lambda table=table: tk.mdav(table, 5, n_threads=1))
        floor = tk.loss.sse(table, groups)
        yield f"{name:8s} mdav     {n:8d} {seconds:8.3f} s  1.0000"
        for effort in ("fast", "balanced"):
            groups, seconds = timed(
                lambda table=table, effort=effort: tk.partition(
                    table, 5, effort=effort, n_threads=1
                )
            )
            ratio = tk.loss.sse(table, groups) / floor
            yield f"{name:8s} {effort:8s} {n:8d} {seconds:8.3f} s  {ratio:.4f}"


def draw(printed: Path, figure_path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "tokumei"
    mpl.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot as plt

    points = [line.split() for line in printed.read_text(encoding="utf-8").splitlines()]
    figure, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
    if len(points[0]) == 6:
        draw_growth(axes, points)
    else:
        draw_time(axes, points)
    figure.legend(frameon=False, loc="outside right upper")
    figure.savefig(figure_path, metadata={"Date": None})


def draw_time(axes: Any, points: list[list[str]]) -> None:
    for name in TABLES:
        mine = [(float(seconds), float(ratio)) for of, _, seconds, _, ratio in points if of == name]
        mdav, *ours = mine
        (curve_line,) = axes.plot(*zip(*ours, strict=True), marker="o", markersize=3, label=name)
        axes.plot(*mdav, marker="x", color=curve_line.get_color())
    axes.axhline(1.0, color="0.7", linewidth=0.8, zorder=0)
    axes.set(xscale="log", xlabel="seconds of one core", ylabel="loss; 1 is MDAV's (x)")


def draw_growth(axes: Any, points: list[list[str]]) -> None:
    styles = {"mdav": ":", "fast": "--", "balanced": "-"}
    for colour, name in zip(("C0", "C1"), TABLES, strict=True):
        for done, style in styles.items():
            mine = [
                (int(rows), float(seconds))
                for of, what, rows, seconds, _, _ in points
                if (of, what) == (name, done)
            ]
            axes.plot(*zip(*mine, strict=True), style, color=colour, label=f"{name}, {done}")
    axes.set(xscale="log", yscale="log", xlabel="records", ylabel="seconds of one core")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("sets", "known", "time", "growth", "draw"))
    parser.add_argument("printed", type=Path, nargs="?")
    parser.add_argument("--data", type=Path, default=Path())
    parser.add_argument("--names", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--k", nargs="+", type=int, default=list(SIZES), choices=SIZES)
    parser.add_argument("--effort", nargs="+", default=["balanced"])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    if options.what == "draw":
        if options.printed is None or options.figure is None:
            parser.error("draw needs what was printed and --figure")
        draw(options.printed, options.figure)
        return
    lines = [sets(options.data, options.effort, options.names)]
    if options.what == "known":
        lines = [known(options.data, options.names, options.k)]
    elif options.what != "sets":
        measure = curve if options.what == "time" else growth
        lines = [measure(name, options.rows) for name in TABLES]
    for line in itertools.chain(*lines):
        print(line, flush=True)


if __name__ == "__main__":
    main()
