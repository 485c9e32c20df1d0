"""What a data set costs as it grows: a line a size, and the drawing of all that are known.

`--kept FILE` is JSON to which sizes are added as they end, so that a large one can be measured on
another day; `--plot FILE` draws what is in it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

GIB = 2**30
Sizes = dict[int, dict[str, float]]
HEADINGS = f"{'rows':>14}{'CPU s per million':>20}{'rows/s':>12}{'memory GiB':>12}{'disk GiB':>10}"


def of(rows: float, found: dict[str, Any]) -> dict[str, float]:
    """What is kept of a run."""
    kept = ("wall", "cpu", "made", "others", "memory", "disk", "bytes")
    return {"rows": rows} | {name: round(float(found[name]), 3) for name in kept}


def line(kept: dict[str, float]) -> str:
    rows = kept["rows"]
    return (
        f"{rows:>14,.0f}{1e6 * kept['cpu'] / rows:>20.3f}{rows / kept['wall']:>12,.0f}"
        f"{kept['memory'] / GIB:>12.2f}{kept['disk'] / GIB:>10.2f}"
    )


def read(path: Path | None) -> Sizes:
    """Sizes that were measured before."""
    if path is None or not path.exists():
        return {}
    return {int(each["rows"]): each for each in json.loads(path.read_text(encoding="utf-8"))}


def write(path: Path, sizes: Sizes) -> None:
    lines = ",\n".join(json.dumps(sizes[rows]) for rows in sorted(sizes))
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def power(sizes: Iterable[dict[str, float]]) -> float:
    """Of the rows with which processor time grows, between the two largest sizes."""
    a, b = sorted(sizes, key=lambda each: each["rows"])[-2:]
    return math.log(b["cpu"] / a["cpu"]) / math.log(b["rows"] / a["rows"])


def draw(sizes: Sizes, path: Path) -> None:
    """Seconds over rows, beside a line through the largest size that is straight."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "tokumei", "svg.fonttype": "none", "font.size": 9})
    import matplotlib.pyplot as plt

    rows = sorted(sizes)
    figure, axis = plt.subplots(figsize=(6.5, 4), layout="constrained")
    for name, label in (("cpu", "processor, all threads"), ("wall", "clock")):
        axis.loglog(rows, [sizes[each][name] for each in rows], "o-", ms=4, lw=1.2, label=label)
    least = sizes[rows[-1]]["cpu"] / rows[-1]
    axis.loglog(rows, [least * each for each in rows], ":", color="0.5", label="linear")
    axis.set(title="FlexDice, 4 numbers, k = 5", xlabel="records", ylabel="seconds")
    axis.grid(color="0.92")
    axis.legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
