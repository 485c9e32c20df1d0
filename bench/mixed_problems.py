"""Tables of numbers and categories by name, drawn alike each time: numbers, columns of codes."""

from __future__ import annotations

import csv
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bench.problems import SEED, Floats, folder

Drawn = tuple[Floats, list[NDArray[np.int64]]]
Draw = Callable[[int, np.random.Generator], Drawn]


def categories(*counts: int, numbers: int = 4) -> Draw:
    """Normal numbers and categories that depend on them a little, some far more frequent."""

    def draw(rows: int, rng: np.random.Generator) -> Drawn:
        x = rng.normal(size=(rows, numbers))
        lean = np.abs(x[:, 0])
        drawn = [(rng.random(rows) ** 2 * count + lean).astype(np.int64) for count in counts]
        return x, [np.minimum(one, count - 1) for one, count in zip(drawn, counts, strict=True)]

    return draw


def flights(rows: int, rng: np.random.Generator) -> Drawn:
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


def connections(rows: int, rng: np.random.Generator) -> Drawn:
    """Network connections: 66 services, 3 protocols, 11 flags, counters mostly at an end, a
    constant."""
    service = np.minimum(rng.geometric(0.4, rows) - 1, 65)
    protocol = (service % 7 == 0) + (service % 11 == 3).astype(np.int64)
    flag = np.where(rng.random(rows) < 0.9, 0, rng.integers(0, 11, rows))
    count = np.where(rng.random(rows) < 0.6, 511.0, np.minimum(rng.geometric(0.2, rows), 511))
    size = np.where(service < 2, 1032.0, np.round(np.exp(rng.normal(4, 2, rows))))
    return np.column_stack([count, size, np.zeros(rows)]), [service, protocol, flag]


def adult(rows: int, rng: np.random.Generator) -> Drawn:
    """The first records of Adult: eight quasi-identifiers, three of them numbers."""
    with (folder() / "adult.csv").open(newline="") as lines:
        records = list(csv.DictReader(lines, skipinitialspace=True))[:rows]
    numbers = ("age", "education-num", "hours-per-week")
    nominal = ("workclass", "marital-status", "occupation", "race", "sex")
    codes = [np.unique([one[name] for one in records], return_inverse=True)[1] for name in nominal]
    return np.array([[float(one[name]) for name in numbers] for one in records]), codes


PROBLEMS: dict[str, Draw] = {
    "4 + (10, 50, 150, 300)": categories(10, 50, 150, 300),
    "4 + 5,000": categories(5000),
    "4 + (3, 20, 300, 10,000)": categories(3, 20, 300, 10_000),
    "4 + 1,000,000": categories(1_000_000),
    "flights": flights,
    "connections": connections,
    "adult": adult,
}


def drawn(name: str, rows: int) -> Drawn:
    """A problem's numbers and codes."""
    return PROBLEMS[name](rows, np.random.default_rng(SEED))
