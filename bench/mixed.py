"""Tables of numbers and categories beside the same tables as numbers: what categories cost.

    python -m bench.mixed [rows]

Each problem is drawn twice from one seed: with its nominal attributes, and with those as numbers
(their codes, standardized). CPU seconds are the least of three, and the ratio of both is what
counts. The last column is the time of the dense embedding, a coordinate for each category, where it
has no more than 512.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.microaggregation import records
from tokumei.microaggregation.methods.by_name import form
from tokumei.microaggregation.search.search import SearchTask, search
from tokumei.microaggregation.standardize import standardize_of

RUN = _check.run(1)
MANY = "10, 50, 150, 300"


def drawn(rows: int, categories: list[int], numbers: int, seed: int = 0) -> tuple[Any, Any]:
    """Normal numbers and categories that depend on them a little, some far more frequent."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, numbers))
    codes = [
        np.minimum((rng.random(rows) ** 2 * count + np.abs(x[:, 0])).astype(int), count - 1)
        for count in categories
    ]
    return x, codes


def flights(rows: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Departures: 16 carriers, 3 origins, 105 destinations, 4,000 tail numbers of one carrier each.

    Times are whole hours and distances those of the pair of airports: many records agree.
    """
    carrier = np.minimum(rng.geometric(0.2, rows) - 1, 15)
    tail = carrier * 250 + np.minimum(rng.geometric(0.02, rows) - 1, 249)
    origin = rng.integers(0, 3, rows)
    destination = np.minimum(rng.geometric(0.05, rows) - 1, 104)
    distance = (origin * 37 + destination * 91) % 2500 + 100.0
    hour = np.clip(np.round(rng.normal(13, 4, rows)), 5, 23)
    delay = np.round(rng.exponential(12, rows) - 5)
    return np.column_stack([hour, distance, delay]), [carrier, tail, origin, destination]


def connections(rows: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Network connections: 66 services, 3 protocols, 11 flags, counters mostly at an end."""
    service = np.minimum(rng.geometric(0.4, rows) - 1, 65)
    protocol = (service % 7 == 0) + (service % 11 == 3).astype(int)
    flag = np.where(rng.random(rows) < 0.9, 0, rng.integers(0, 11, rows))
    count = np.where(rng.random(rows) < 0.6, 511.0, np.minimum(rng.geometric(0.2, rows), 511))
    size = np.where(service < 2, 1032.0, np.round(np.exp(rng.normal(4, 2, rows))))
    return np.column_stack([count, size, np.zeros(rows)]), [service, protocol, flag]


def both(x: Any, codes: Any) -> tuple[Any, Any]:
    """The records with codes, and with the codes as numbers."""
    x = standardize_of(np.asfortranarray(x), RUN)
    attributes = [records.Embedded(x), *(records.nominal(code, "refuse") for code in codes)]
    ranks = standardize_of(np.asfortranarray(np.column_stack(codes).astype(float)), RUN)
    return records.join(attributes, len(x)), np.asfortranarray(np.hstack([x, ranks]))


def seconds(work: Callable[[], Any]) -> float:
    """CPU time, the least of three."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def works(k: int) -> dict[str, Callable[[Any], Any]]:
    """What is asked of a table."""

    def refined(effort: str) -> Callable[[Any], Any]:
        task = SearchTask(effort, "squares", 2 * k - 1)
        return lambda x: search(x, form("block_mdav", x, k, RUN), k, task, RUN, None)

    methods = {
        name: (lambda x, name=name: form(name, x, k, RUN))
        for name in ("mdav", "vmdav", "block_mdav", "npn", "hilbert", "flexdice")
    }
    return {**methods, "fast": refined("fast"), "balanced": refined("balanced")}


def problems(rows: int) -> dict[str, tuple[Any, Any]]:
    rng = np.random.default_rng(1)
    return {
        f"4 + ({MANY})": drawn(rows, [10, 50, 150, 300], 4),
        "4 + 5,000": drawn(rows, [5000], 4),
        "4 + (3, 20, 300, 10,000)": drawn(rows, [3, 20, 300, 10_000], 4),
        "flights": flights(rows, rng),
        "connections": connections(rows, rng),
    }


def main(rows: int) -> None:
    print(f"{'problem':28}{'work':12}{'codes':>9}{'numbers':>9}{'ratio':>7}{'dense':>9}")
    for problem, drawing in problems(rows).items():
        mixed, numbers = both(*drawing)
        dense = None
        if rows <= 2000 and int(mixed.codes.max()) < records.MOST_CORNERS:
            dense = records.coordinates(mixed)
        for name, work in works(5).items():
            own = seconds(partial(work, mixed))
            plain = seconds(partial(work, numbers))
            line = f"{problem:28}{name:12}{own:9.4f}{plain:9.4f}{own / plain:7.2f}"
            if dense is not None and name != "balanced":
                line += f"{seconds(partial(work, dense)):9.4f}"
            print(line, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
