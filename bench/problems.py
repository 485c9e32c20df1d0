"""Tables by name and size, always the same ones.

Attributes share a scale (mean 0, standard deviation 1), so that distances mean something; "ties"
keeps its whole numbers, which makes many distances exactly equal. Drawn tables have as many rows
and columns as asked; public files are cut to the rows asked and come whole otherwise.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SEED = 0
FOLDER_VARIABLE = "TOKUMEI_DATA"


class Absent(Exception):
    """A public file is not on this machine."""


def normal(rows: int, columns: int, rng: np.random.Generator) -> Floats:
    """No structure at all."""
    return rng.normal(size=(rows, columns))


def microdata(rows: int, columns: int, rng: np.random.Generator) -> Floats:
    """Skewed and correlated as incomes and turnovers are: lognormal, three factors behind them."""
    loadings = rng.normal(size=(3, columns))
    factors = rng.normal(size=(rows, 3))
    return np.exp(0.5 * (factors @ loadings + 0.4 * rng.normal(size=(rows, columns))))


def mixture(rows: int, columns: int, rng: np.random.Generator) -> Floats:
    """Fifty Gaussian clouds, each with its own covariance."""
    clouds = 50
    centres = rng.normal(scale=4.0, size=(clouds, columns))
    shapes = rng.normal(size=(clouds, columns, columns)) / np.sqrt(columns)
    cloud_of = rng.integers(clouds, size=rows)
    table = rng.normal(size=(rows, columns))
    for cloud in range(clouds):
        members = cloud_of == cloud
        table[members] = centres[cloud] + table[members] @ shapes[cloud]
    return table


def ties(rows: int, columns: int, rng: np.random.Generator) -> Floats:
    """Three values an attribute: duplicates and equal distances everywhere."""
    return rng.integers(3, size=(rows, columns)).astype(np.float64)


DRAWN: dict[str, Callable[[int, int, np.random.Generator], Floats]] = {
    "normal": normal,
    "microdata": microdata,
    "mixture": mixture,
    "ties": ties,
}

# The numeric columns of public files; none named: all of them.
FILES: dict[str, tuple[str, ...]] = {
    "census": (),
    "tarragona": (),
    "eia": (
        "RESREVENUE",
        "RESSALES",
        "COMREVENUE",
        "COMSALES",
        "INDREVENUE",
        "INDSALES",
        "OTHREVENUE",
        "OTHRSALES",
        "TOTREVENUE",
        "TOTSALES",
    ),
    "adult": (
        "age",
        "fnlwgt",
        "education-num",
        "capital-gain",
        "capital-loss",
        "hours-per-week",
    ),
}

NAMES = (*DRAWN, *FILES)


def table(name: str, rows: int | None = None, columns: int | None = None) -> Floats:
    """A problem's table: column-major, read-only. Raises Absent where its file is not here."""
    if name in DRAWN:
        if rows is None or columns is None:
            msg = f"the problem {name!r} needs a number of rows and of columns"
            raise ValueError(msg)
        values = DRAWN[name](rows, columns, np.random.default_rng(SEED))
    else:
        values = read(name)[:rows, :columns]
    if name != "ties":
        values = on_one_scale(values)
    values = np.array(values, order="F")
    values.flags.writeable = False
    return values


def rows_of(name: str, rows: int | None = None) -> int:
    """How many rows the table of that name has, where so many are asked."""
    return rows if name in DRAWN and rows is not None else len(table(name, rows))


def on_one_scale(values: Floats) -> Floats:
    """Mean 0 and standard deviation 1; constant attributes 0."""
    centred = values - values.mean(axis=0)
    deviation = values.std(axis=0)
    scaled: Floats = centred / np.where(deviation > 0, deviation, 1.0)
    return scaled


def folder() -> Path:
    """Where public files are: TOKUMEI_DATA, or shared/data of the nearest parent that has it."""
    asked = os.environ.get(FOLDER_VARIABLE)
    places = [Path(asked)] if asked else [p / "shared" / "data" for p in Path(__file__).parents]
    for place in places:
        if place.is_dir():
            return place
    msg = f"no folder of public files; set {FOLDER_VARIABLE} to one that holds {', '.join(FILES)}"
    raise Absent(msg)


def read(name: str) -> Floats:
    """The numeric columns of a public file, as they are."""
    path = folder() / f"{name}.csv"
    if not path.is_file():
        msg = f"no file {path.name} in the folder of public files"
        raise Absent(msg)
    with path.open(newline="") as lines:
        head, *records = csv.reader(lines, skipinitialspace=True)
    wanted = FILES[name] or tuple(head)
    places = [head.index(column) for column in wanted]
    return np.array([_numbers(record, places) for record in records if record])


def _numbers(record: Sequence[str], places: Sequence[int]) -> list[float]:
    return [float(record[place]) for place in places]
