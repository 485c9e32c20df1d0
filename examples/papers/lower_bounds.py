"""How low the loss can be at all: bounds for the data sets that microaggregation papers use.

For Census and Tarragona (the CASC project) and EIA (UTILITYID and ten amounts), k = 3, 4 and 5:
100 SSE/SST of MDAV, the least that `tokumei.refine` finds over some seeds, the proven lower bounds
of all methods, and by how many per cent ours can be above the best possible. Beside "columns"
stand the values of the same linear program that an earlier program found. By how much "rows" is
above "columns" is the gap of that program; what is left is of the search, or of both.

    python examples/papers/lower_bounds.py [FOLDER] [--data EIA] [--k 3 4 5] [--seeds 5]

FOLDER holds census.csv, tarragona.csv and eia.csv; shared/data of a folder above is the default.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import tokumei as tk
from tokumei.bounds import LowerBound

COLUMNS = {"Census": None, "Tarragona": None, "EIA": [0, *range(5, 15)]}
# Found once before, by another program.
KNOWN = {
    ("Tarragona", 3): 13.857,
    ("Tarragona", 4): 17.043,
    ("Tarragona", 5): 20.120,
    ("Census", 3): 4.6460,
    ("Census", 4): 6.0020,
    ("Census", 5): 7.2095,
    ("EIA", 3): 0.3233,
    ("EIA", 4): 0.4704,
    ("EIA", 5): 0.6893,
}


def find_data() -> Path | None:
    """The folder shared/data of this folder or one above."""
    places = (up / "shared" / "data" for up in Path(__file__).resolve().parents)
    return next((place for place in places if (place / "census.csv").is_file()), None)


def read(folder: Path, name: str) -> np.ndarray:
    """The standardised table."""
    path = folder / f"{name.lower()}.csv"
    table = np.loadtxt(path, delimiter=",", skiprows=1, usecols=COLUMNS[name], quotechar='"')
    return tk.standardize(table)


def timed_bound(Z: np.ndarray, k: int, method: str) -> tuple[LowerBound, float]:
    """The bound by that method, and seconds of processor time."""
    begun = time.process_time()
    return LowerBound(tk.lower_bound(Z, k, method=method), method), time.process_time() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=find_data())
    parser.add_argument("--k", nargs="+", type=int, default=[3, 4, 5])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--effort", default="best", help="of refine, or 'optimal'")
    parser.add_argument("--data", nargs="+", choices=list(COLUMNS), default=list(COLUMNS))
    words = parser.parse_args()
    if words.folder is None:
        parser.error("name the folder of the data")

    print("100 SSE/SST; seconds of processor time for the bounds by columns and by rows")
    print(
        f"{'':>10}{'k':>3}{'MDAV':>10}{'ours':>10}{'columns':>10}{'known':>9}{'gap %':>8}"
        f"{'seconds':>9}{'rows':>10}{'program %':>11}{'left %':>8}{'seconds':>9}"
        f"{'neighbours':>12}{'gap %':>8}"
    )
    lower_than_known = 0
    for name in words.data:
        Z = read(words.folder, name)
        for k in words.k:
            start = tk.mdav(Z, k)
            ours = min(
                tk.loss.ilssdm(Z, tk.refine(Z, start, k, effort=words.effort, random_state=seed))
                for seed in range(words.seeds)
            )
            near = LowerBound(tk.lower_bound(Z, k, method="neighbours"), "neighbours")
            bound, seconds = timed_bound(Z, k, "columns")
            raised, more = timed_bound(Z, k, "rows")
            program = 100 * bound.gap(raised.value)
            known = KNOWN.get((name, k), 0.0)
            lower_than_known += 100 * bound.value < known * (1 - 1e-4)
            print(
                f"{name:>10}{k:>3}{100 * tk.loss.ilssdm(Z, start):>10.4f}{100 * ours:>10.4f}"
                f"{100 * bound.value:>10.4f}{known or '':>9}{100 * bound.gap(ours):>8.2f}"
                f"{seconds:>9.1f}{100 * raised.value:>10.4f}{program:>11.2f}"
                f"{100 * raised.gap(ours):>8.2f}{more:>9.1f}"
                f"{100 * near.value:>12.4f}{100 * near.gap(ours):>8.2f}",
                flush=True,
            )
    return 1 if lower_than_known else 0


if __name__ == "__main__":
    sys.exit(main())
