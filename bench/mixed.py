"""Tables of numbers and categories beside the same tables as numbers: what categories cost.

    python -m bench.mixed [rows] [work,work,...] [problem]

Each problem is drawn twice from one seed: with its nominal attributes, and with those as numbers
(their codes, standardized). CPU seconds are the least of three (of more below a twentieth of a
second, of one above a second), and the ratio of both is what counts. The last columns are the
memory that the work takes beside the data, in bytes a record, and the time of the dense embedding,
a coordinate for each category, where a small table has no more than 512.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.mixed_problems import PROBLEMS, Drawn, drawn
from bench.problems import Absent
from tokumei import _check
from tokumei.microaggregation import records
from tokumei.microaggregation.methods.by_name import form
from tokumei.microaggregation.search.search import SearchTask, search
from tokumei.microaggregation.standardize import standardize_of

RUN = _check.run(1)
METHODS = (
    "mdav",
    "vmdav",
    "block_mdav",
    "npn",
    "hilbert",
    "grid",
    "flexdice",
    "principal",
    "mondrian",
    "kmember",
)
# Those that tables of any size are given to.
OF_LARGE = ("block_mdav", "flexdice", "hilbert", "mondrian", "fast")
MANY_ROWS = 100_000
# Of an attribute in the dense embedding.
MOST_CORNERS = 512


def both(drawing: Drawn) -> tuple[Any, Any]:
    """The records with codes, and with the codes as numbers."""
    x, codes = drawing
    x = standardize_of(np.asfortranarray(x), RUN)
    attributes = [records.Embedded(x), *(records.nominal(code, "refuse") for code in codes)]
    ranks = standardize_of(np.asfortranarray(np.column_stack(codes).astype(float)), RUN)
    return records.join(attributes, len(x)), np.asfortranarray(np.hstack([x, ranks]))


def seconds(work: Callable[[], Any]) -> float:
    """CPU time, the least of three, of more where they are short; long work is not repeated."""
    times: list[float] = []
    while (len(times) < 3 or sum(times) < 0.05) and not (times and times[0] > 1):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def bytes_of(work: Callable[[], Any]) -> int:
    """How much more memory a process of its own takes at most while it works (Linux)."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from now on
        before = resident("VmRSS")
        work()
        os.write(writing, str(resident("VmHWM") - before).encode())
        os._exit(0)
    os.waitpid(child, 0)
    return int(os.read(reading, 32))


def resident(name: str) -> int:
    """Memory of this process, in bytes."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split(f"{name}:")[1].split()[0])


def works(k: int) -> dict[str, Callable[[Any], Any]]:
    """What is asked of a table."""

    def refined(effort: str) -> Callable[[Any], Any]:
        task = SearchTask(effort, "squares", 2 * k - 1)
        return lambda x: search(x, form("block_mdav", x, k, RUN), k, task, RUN, None)

    methods = {name: (lambda x, name=name: form(name, x, k, RUN)) for name in METHODS}
    return {**methods, "fast": refined("fast"), "balanced": refined("balanced")}


def main(rows: int, names: list[str], problems: list[str]) -> None:
    asked = works(5)
    names = names or list(OF_LARGE if rows >= MANY_ROWS else asked)
    columns = ("codes", "numbers", "ratio", "bytes", "dense")
    print(f"{'problem':28}{'work':12}" + "".join(f"{column:>9}" for column in columns))
    for problem in problems or PROBLEMS:
        try:
            mixed, numbers = both(drawn(problem, rows))
        except Absent as absent:
            print(f"{problem:28}{absent}")
            continue
        dense = None
        if rows <= 2000 and int(mixed.codes.max()) < MOST_CORNERS:
            dense = records.coordinates(mixed)
        for name in names:
            work = asked[name]
            taken = bytes_of(partial(work, mixed)) / len(mixed)
            own = seconds(partial(work, mixed))
            plain = seconds(partial(work, numbers))
            line = f"{problem:28}{name:12}{own:9.4f}{plain:9.4f}{own / plain:9.2f}{taken:9.0f}"
            if dense is not None and name != "balanced":
                line += f"{seconds(partial(work, dense)):9.4f}"
            print(line, flush=True)


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 1000,
        sys.argv[2].split(",") if len(sys.argv) > 2 else [],
        sys.argv[3:],
    )
