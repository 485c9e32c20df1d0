"""A release from Parquet to verified Parquet, audit and report: what each phase takes.

    python -m bench.release_phases --rows 1000000 --columns 8

Prints for each phase the seconds of the clock and of the processor, and their sums; how long after
the start of the command its first phase is named; and ends with 1 where the whole takes longer
than `--most` seconds by the clock.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import tokumei as tk
from tokumei.release import phases

ACCEPTED = {"too few records": "a measurement of invented records"}


def table(rows: int, columns: int) -> pa.Table:
    """Numbers that hang together in part, whole numbers and amounts, as registers have them."""
    rng = np.random.default_rng(1)
    hidden = rng.normal(size=(rows, 2))
    made = {}
    for j in range(columns):
        x = hidden @ rng.normal(size=2) + rng.normal(size=rows)
        made[f"q{j}"] = np.rint(40 + 12 * x).astype(np.int64) if j % 2 else np.round(1e3 * x, 2)
    made["ill"] = rng.integers(0, 9, rows)
    return pa.table(made)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--effort", default="fast")
    parser.add_argument("--most", type=float, default=30.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pq.write_table(table(asked.rows, asked.columns), folder / "in.parquet")
        first: list[float] = []
        wall, processor = time.perf_counter(), time.process_time()
        with phases.heard_by(lambda _: first.append(time.perf_counter() - wall)) as heard:
            release = tk.release.mask_file(
                folder / "in.parquet",
                folder / "out.parquet",
                asked.k,
                quasi=[f"q{j}" for j in range(asked.columns)],
                sensitive=["ill"],
                effort=asked.effort,
                accept_risk=ACCEPTED,
            )
            with phases.phase("verifying"):
                tk.release.verify(release.table)
            with phases.phase("reporting"):
                page = tk.release.report(release.table)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
    for phase, seconds in heard.seconds.items():
        print(f"{phase:<18}{seconds:8.2f} s{heard.processor[phase]:10.2f} s of the processor")
    print(f"{'all of it':<18}{wall:8.2f} s{processor:10.2f} s of the processor")
    print(f"first phase named after {first[0]:.2f} s; the report has {len(page):,} letters")
    return int(wall > asked.most)


if __name__ == "__main__":
    sys.exit(main())
