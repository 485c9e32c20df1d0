"""Every kind of data set once: seconds, processor time, memory and disk of a run to its end.

    python -m bench.dataset_models 1e6            # all of them, a line each
    python -m bench.dataset_models 1e6 csv noise  # some

Each works in a child, as in `bench.dataset`; the files that it reads are made before.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from bench.dataset import GIB, measured, size_of
from bench.dataset_child import spent

FILES = 8
QUASI = ["income", "age", "weeks", "region"]
ACCEPTED = ("singling out", "linkability", "inference", "linkage through unmasked columns",
            "linkage through masked columns", "masked columns told by others",
            "dominance of one weight", "too few records")  # fmt: skip


def people(rows: int, number: int) -> Any:
    """Numbers, dates, categories, households and weights."""
    rng = np.random.default_rng(number)
    days = np.datetime64("1930-01-01") + rng.integers(0, 30_000, rows)
    return pa.table(
        {
            "income": np.round(rng.lognormal(10, 1, rows), 2),
            "age": rng.integers(18, 95, rows),
            "weeks": rng.integers(0, 53, rows),
            "born": pa.array(days),
            "region": rng.choice([f"r{n:02}" for n in range(40)], rows),
            "home": rng.integers(0, 1 << 40, rows // 2)[rng.integers(0, rows // 2, rows)],
            "weight": np.round(rng.uniform(0.5, 3, rows), 2),
            "ill": rng.integers(0, 12, rows),
        }
    )


def write(folder: Path, rows: int, *, csv: bool) -> None:
    """The table in some files."""
    folder.mkdir()
    for number in range(FILES):
        part = people(rows // FILES, number)
        if csv:
            pa.csv.write_csv(part, folder / f"{number}.csv")
        else:
            pq.write_table(part, folder / f"{number}.parquet", row_group_size=1 << 17)


def _masked(**more: Any) -> Callable[[Any, Path, Path], Any]:
    return lambda tk, source, target: tk.release.mask_dataset(
        source, target, 5, accept_risk=dict.fromkeys(ACCEPTED, "a benchmark"), n_threads=2,
        **({"quasi": QUASI, "drop": "*"} | more),
    )  # fmt: skip


def _recoded(tk: Any, source: Path, target: Path) -> Any:
    return tk.release.recode_dataset(
        source, target, 5, quasi=["age", "region", "income"], drop="*", n_threads=2,
        share={"region": 0.03}, bins={"income": [0, 3e4, 1e9], "age": [0, 40, 60, 120]},
        accept_risk=dict.fromkeys(ACCEPTED, "a benchmark"),
    )  # fmt: skip


def _noisy(tk: Any, source: Path, target: Path) -> Any:
    known = {
        "age": tk.noise.Attribute(0, 120, integer=True),
        "weeks": tk.noise.Attribute(0, 52, mechanism="square-wave", cells=53),
        "region": tk.noise.Attribute(categories=[f"r{n:02}" for n in range(40)]),
    }
    return tk.release.perturb_dataset(source, target, 5, attributes=known, drop="*", n_threads=2)


WORK: dict[str, Callable[[Any, Path, Path], Any]] = {
    "plain": _masked(),
    "csv": _masked(),
    "dates": _masked(quasi=["income", "age", "born"]),
    "weights": _masked(weight="weight"),
    "households": _masked(household="home"),
    "apart": _masked(household="home", min_households=3),
    "closeness": _masked(quasi=QUASI[:3], sensitive=["ill"], t_closeness=0.4),
    "sealed": _masked(encryption_key="fresh"),
    "recode": _recoded,
    "noise": _noisy,
}


def work(asked: argparse.Namespace, folder: str, said: Any) -> None:
    """The work of the child."""
    import tokumei as tk

    begin = time.perf_counter()
    release = WORK[asked.name](tk, asked.source, Path(folder) / "out")
    said.put(
        {
            "wall": time.perf_counter() - begin,
            "cpu": spent(),
            "bytes": size_of(release.table),
            "phases": release.record["run"]["processor"],
        }
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=float)
    parser.add_argument("names", nargs="*", default=list(WORK))
    parser.add_argument("--limit", type=float, default=6.0, help="GiB of memory that end the work")
    parser.add_argument("--folder", type=Path, default=None)
    asked = parser.parse_args()
    rows = int(asked.rows)
    print(f"{'':<12}{'clock s':>9}{'CPU s':>9}{'memory GiB':>12}{'disk GiB':>10}  most of it")
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix="tokumei-bench-") as place:
        for kind in ("csv", "parquet"):
            write(Path(place) / kind, rows, csv=kind == "csv")
        for name in asked.names:
            asked.name = name
            asked.source = Path(place) / ("csv" if name == "csv" else "parquet")
            found = measured(work, asked)
            longest = sorted(found["phases"].items(), key=lambda one: -one[1])[:3]
            told = ", ".join(f"{phase} {spent:.1f}" for phase, spent in longest)
            print(f"{name:<12}{found['wall']:>9.1f}{found['cpu']:>9.1f}", end="")
            print(f"{found['memory'] / GIB:>12.2f}{found['disk'] / GIB:>10.2f}  {told}", flush=True)


if __name__ == "__main__":
    main()
