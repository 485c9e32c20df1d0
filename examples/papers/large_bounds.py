"""How low the loss of large tables can be: bounds of made tables beside what the search reaches.

For normal records and a mixture of fifty clouds, 8 attributes, standardised: 100 SSE/SST of
`tokumei.partition`, the proven bounds of both methods, by how many per cent the loss can be above
the least possible, and seconds of processor time.

    python examples/papers/large_bounds.py [--rows 10000] [--k 3 4 5] [--effort best]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import tokumei as tk
from tokumei.bounds import LowerBound

ATTRIBUTES, CLOUDS = 8, 50


def made(kind: str, rows: int) -> np.ndarray:
    """The standardised table of that kind."""
    rng = np.random.default_rng(1)
    if kind == "normal":
        return tk.standardize(rng.normal(size=(rows, ATTRIBUTES)))
    centres = 3 * rng.normal(size=(CLOUDS, ATTRIBUTES))
    clouds = rng.integers(0, CLOUDS, rows)
    widths = rng.uniform(0.3, 1.0, CLOUDS)
    spread = rng.normal(size=(rows, ATTRIBUTES)) * widths[clouds, None]
    return tk.standardize(centres[clouds] + spread)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", nargs="+", type=int, default=[10_000])
    parser.add_argument("--k", nargs="+", type=int, default=[3, 4, 5])
    parser.add_argument("--effort", default="best", help="of partition")
    parser.add_argument("--kinds", nargs="+", default=["normal", "mixture"])
    parser.add_argument("--time-limit", type=float)
    words = parser.parse_args()
    print(
        f"{'':>10}{'n':>8}{'k':>4}{'loss':>10}{'columns':>10}{'gap %':>8}{'CPU s':>9}{'s':>8}"
        f"{'neighbours':>12}{'gap %':>8}{'CPU s':>9}"
    )
    for kind in words.kinds:
        for rows in words.rows:
            X = made(kind, rows)
            for k in words.k:
                loss = tk.loss.ilssdm(X, tk.partition(X, k, effort=words.effort))
                print(f"{kind:>10}{rows:>8}{k:>4}{100 * loss:>10.4f}", end="", flush=True)
                for method, limit in (("columns", words.time_limit), ("neighbours", None)):
                    begun, clock = time.process_time(), time.monotonic()
                    value = tk.lower_bound(X, k, method=method, time_limit=limit)
                    seconds = time.process_time() - begun
                    wall = f"{time.monotonic() - clock:>8.0f}" if method == "columns" else ""
                    wide = 10 if method == "columns" else 12
                    gap = 100 * LowerBound(value, method).gap(loss)
                    print(
                        f"{100 * value:>{wide}.4f}{gap:>8.2f}{seconds:>9.1f}{wall}",
                        end="",
                        flush=True,
                    )
                print(flush=True)


if __name__ == "__main__":
    main()
