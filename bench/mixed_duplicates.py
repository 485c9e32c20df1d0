"""What equal records cost: how many of a table's records differ, and what those alone cost.

    python -m bench.mixed_duplicates [ROWS]

A method that sees equal records as one point takes at best as long as it takes for the records that
differ, and somewhat longer for the groups there are more of. CPU seconds are the least of three.
"""

from __future__ import annotations

import sys
from functools import partial

import numpy as np

from bench.mixed import both, seconds, works
from bench.mixed_problems import PROBLEMS, drawn
from bench.problems import Absent

METHODS = ("mdav", "vmdav", "npn", "balanced")


def main(rows: int) -> None:
    asked = works(5)
    print(f"{'problem':28}{'differ':>8}{'work':>12}{'all':>9}{'differing':>11}{'ratio':>7}")
    for problem in PROBLEMS:
        try:
            x, codes = drawn(problem, rows)
        except Absent as absent:
            print(f"{problem:28}{absent}")
            continue
        cells = np.column_stack([x, *codes])
        first = np.sort(np.unique(cells, axis=0, return_index=True)[1])
        mixed, _ = both((x, codes))
        some, _ = both((x[first], [column[first] for column in codes]))
        share = len(first) / len(x)
        for name in METHODS:
            whole = seconds(partial(asked[name], mixed))
            least = seconds(partial(asked[name], some))
            line = f"{problem:28}{share:8.2f}{name:>12}{whole:9.3f}{least:11.3f}"
            print(f"{line}{whole / least:7.2f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
