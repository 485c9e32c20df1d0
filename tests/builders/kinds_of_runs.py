"""Every kind of run of a data set, on a small table: what it reads, and how it is asked for."""

import csv

import numpy as np
import pyarrow as pa
from builders.datasets import ACCEPTED, folder_of, mask, people

import tokumei as tk
from tokumei.noise import Attribute

SEALED = bytes(range(32))
KNOWN = {
    "age": Attribute(17, 90, integer=True),
    "ill": Attribute(0, 8, mechanism="square-wave", cells=9),
    "region": Attribute(categories=("n", "e", "s", "w")),
}
RECODED = {
    "quasi": ["age", "region"],
    "bins": {"age": [0, 30, 60, 100]},
    "share": {"region": 0.05},
    "pram": {"region": 0.8},
}


def persons(rows, seed=0):
    """People of households, with weights and illnesses."""
    rng = np.random.default_rng(seed)
    home = rng.permutation(np.repeat(np.arange(rows), rng.integers(1, 4, rows))[:rows])
    table = people(rows, seed)
    for name, values in (
        ("home", home),
        ("weight", rng.integers(1, 9, rows).astype(np.float64)),
        ("ill", rng.integers(0, 5, rows)),
    ):
        table = table.append_column(name, pa.array(values))
    return table


def csv_of(folder, table, files=4):
    """The rows in so many files of CSV."""
    folder.mkdir()
    ends = np.linspace(0, len(table), files + 1).astype(int)
    for number in range(files):
        part = table.slice(ends[number], ends[number + 1] - ends[number])
        with (folder / f"f{number}.csv").open("w", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(part.column_names)
            lines.writerows(zip(*(column.to_pylist() for column in part.columns), strict=True))
    return folder


def _recode(source, target, **more):
    asked = RECODED | {"k": 3, "drop": "*", "accept_risk": ACCEPTED} | more
    return tk.release.recode_dataset(source, target, **asked)


def _perturb(source, target, **more):
    return tk.release.perturb_dataset(source, target, k=5, attributes=KNOWN, drop="*", **more)


def _mask(**how):
    return lambda source, target, **more: mask(source, target, drop="*", **(how | more))


WORK = {
    "plain": _mask(),
    "csv": _mask(),
    "households": _mask(household="home"),
    "weights": _mask(weight="weight"),
    "closeness": _mask(
        quasi=["age", "income"], sensitive=["ill"], t_closeness=0.5, method="auto", effort="fast"
    ),
    "sealed": _mask(encryption_key=SEALED),
    "recoded": _recode,
    "perturbed": _perturb,
}


def source_of(kind, folder, rows):
    """What a run of that kind reads."""
    if kind == "csv":
        return csv_of(folder, persons(rows))
    return folder_of(folder, persons(rows), files=4, group=300)
