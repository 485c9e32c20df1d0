"""The linear relaxation solved, climbed to, and raised by subset rows: bounds and seconds of each.

    python -m bench.bound_ways [PROBLEM] [ROWS] [K]

Bounds in 100 SSE/SST, CPU seconds of one thread for each, and how often the climbed one's seconds
go into those of the solved one. ROWS are those of a drawn table (8 columns); a file is taken whole.
"""

from __future__ import annotations

import sys
import time

from bench.problems import DRAWN, Absent, table
from tokumei import _check, loss
from tokumei.microaggregation.search import column_ascent, column_generation, row_generation

COLUMNS = 8
WAYS = {"climbed": column_ascent, "solved": column_generation, "rows": row_generation}


def main(problem: str = "normal", rows: str = "2000", k: str = "3") -> int:
    """One line for each way."""
    try:
        x = table(problem, *((int(rows), COLUMNS) if problem in DRAWN else ()))
    except Absent as absent:
        print(f"{problem}: {absent}")
        return 0
    total, run = loss.sst(x), _check.run(1)
    print(f"{problem}, {len(x):,} rows, k = {k}")
    seconds = {}
    for name, way in WAYS.items():
        begin = time.process_time()
        value = 100 * way.bound(x, int(k), run).least / total
        seconds[name] = time.process_time() - begin
        print(f"{name:>8} {value:9.4f} in {seconds[name]:7.1f} s", flush=True)
    print(f"solved / climbed: {seconds['solved'] / seconds['climbed']:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
