"""Does "balanced" keep its time, whatever the table holds?

    python -m bench.effort [--large]

Effort is an amount of counted work, so that labels do not depend on a machine; how much work is
decided here. A table of 1,000 rows of any kind is to take about a second of one core, and a million
rows of eight attributes, half of them categories, about a minute (``--large``). "About" is at most
double. Ends with 1 where that does not hold.
"""

from __future__ import annotations

import sys
import time

from bench.mixed import RUN, both
from bench.mixed_problems import PROBLEMS, drawn
from bench.problems import Absent
from tokumei.microaggregation.partition import partition_of, task

SMALL, LARGE = 1000, 1_000_000
OF_LARGE = "4 + (3, 20, 300, 10,000)"
SIZES = (3, 5, 10, 25)
SECONDS = {SMALL: 1.0, LARGE: 60.0}


def seconds(table: object, k: int) -> float:
    """CPU time of the whole step, from records to groups."""
    begin = time.process_time()
    partition_of(task(table, k, RUN))  # type: ignore[arg-type]
    return time.process_time() - begin


def slow(problem: str, rows: int) -> int:
    """How many partitions of a problem take more than twice their time; each is printed."""
    count = 0
    try:
        pair = both(drawn(problem, rows))
    except Absent as absent:
        print(f"{problem:28}{absent}")
        return 0
    for kind, table in zip(("codes", "numbers"), pair, strict=True):
        for k in SIZES if rows == SMALL else (5,):
            taken = seconds(table, k)
            late = taken > 2 * SECONDS[rows]
            remark = "  more than twice as long as it should" if late else ""
            print(f"{problem:28}{kind:9}{rows:9,}{k:5}{taken:9.2f} s{remark}", flush=True)
            count += late
    return count


def main(asked: list[str]) -> int:
    """Every problem at 1,000 rows, or the large one."""
    if asked == ["--large"]:
        return min(1, slow(OF_LARGE, LARGE))
    return min(1, sum(slow(problem, SMALL) for problem in PROBLEMS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
