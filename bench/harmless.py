"""Tables in which nobody can be found once they are masked: the gate is of use if it passes them.

Public files under sensible roles, a table with continuous incomes, and tables drawn at random: any
number of rows and columns of any kind, dependent or not, secrets that depend on what others know or
do not. They are harmless by how they are made: all that others may know is masked, at a k of 5 or
more; or it is so coarse, with the columns that are released as they are, that every record has many
equals in the table itself.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from bench import problems

DRAWN = 50
FEW, MANY = 6, 20  # categories of a column


@dataclass(frozen=True)
class Harmless:
    """A table and what is asked of its release."""

    name: str
    table: pa.Table
    asked: dict[str, Any]


# What others may know is masked, what they want to learn is sensitive, the rest is not released.
PUBLIC: dict[str, dict[str, Any]] = {
    "adult": {
        "quasi": ["age", "education", "marital-status", "race", "sex", "native-country"],
        "sensitive": ["occupation", "hours-per-week", "income"],
        "drop": "*",
    },
    "census": {
        "quasi": ["AFNLWGT", "AGI", "EMCONTRB", "PTOTVAL"],
        "sensitive": ["TAXINC", "POTHVAL", "INTVAL"],
        "drop": "*",
    },
    "tarragona": {
        "quasi": ["FIXED.ASSETS", "SALES", "LABOR.COSTS"],
        "sensitive": ["OPERATING.PROFIT", "NET.PROFIT", "SHORT.TERM.DEBT"],
        "drop": "*",
    },
    "eia": {
        "identifier": ["UTILITYID", "UTILNAME"],
        "quasi": ["STATE", "RESREVENUE", "RESSALES", "TOTREVENUE", "TOTSALES"],
        "sensitive": ["INDREVENUE", "INDSALES"],
        "drop": "*",
    },
    "testdata": {
        "quasi": ["urbrur", "roof", "sex", "age"],
        "sensitive": ["expend", "income", "savings"],
        "household": "ori_hid",
        "weight": "sampling_weight",
        "drop": "*",
    },
}


def public() -> Iterator[Harmless]:
    """The public files that are here."""
    for name, roles in PUBLIC.items():
        with (problems.folder() / f"{name}.csv").open(newline="") as lines:
            head, *rows = csv.reader(lines, skipinitialspace=True)
        cells = zip(*rows, strict=True)
        table = pa.table({column: _read(texts) for column, texts in zip(head, cells, strict=True)})
        yield Harmless(name, table, roles)


def incomes(rows: int = 2000, seed: int = 0) -> Harmless:
    """People with a continuous income, which is their secret."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, rows)
    table = {
        "age": age,
        "town": rng.choice(list("abcdefgh"), rows),
        "sex": rng.choice(["f", "m"], rows),
        "income": np.round(np.exp(rng.normal(9.5 + age / 100, 0.7, rows)), 2),
    }
    roles = {"quasi": ["age", "town", "sex"], "sensitive": ["income"]}
    return Harmless("continuous income", pa.table(table), roles)


def drawn(number: int, kinds: int = FEW) -> Harmless:
    """One of the tables drawn at random; columns that others may know have so many categories."""
    rng = np.random.default_rng(10_000 + number)
    k = int(rng.choice([5, 10]))
    rows = int(np.exp(rng.uniform(np.log(80 * k), np.log(12_000))))
    coarse = number % 5 == 0
    if coarse:
        rows = max(rows, 4000)
    factor = rng.normal(size=rows)
    width = int(rng.integers(2, 4 if coarse else 7))
    most = 3 if coarse else kinds
    table = {f"q{j}": _known(rng, factor, most, coarse) for j in range(width)}
    secrets = {f"s{j}": _secret(rng, factor) for j in range(int(rng.integers(0, 3)))}
    others = {"other": _known(rng, factor, 3, coarse)} if coarse else {}
    asked = {"k": k, "quasi": list(table), "sensitive": list(secrets), "other": list(others)}
    return Harmless(f"drawn {number}", pa.table(table | secrets | others), asked)


def _known(rng: np.random.Generator, factor: Any, most: int, coarse: bool) -> Any:
    """Whole numbers, amounts, or categories; more or less dependent on the rest."""
    mixed = rng.uniform(0, 0.3 if coarse else 0.8) * factor + rng.normal(size=len(factor))
    kind = 2 if coarse else rng.integers(3)
    if kind == 0:
        return np.clip(np.round(45 + 15 * mixed), 0, 100).astype(int)
    if kind == 1:
        return np.round(np.exp(8 + 0.6 * mixed), 1)
    return _cut(mixed, int(rng.integers(2, most + 1)))


def _secret(rng: np.random.Generator, factor: Any) -> Any:
    """An amount or a category that the factor behind all columns tells something of."""
    mixed = rng.uniform(0, 0.8) * factor + rng.normal(size=len(factor))
    return (
        np.round(np.exp(9 + mixed), 2) if rng.integers(2) else _cut(mixed, int(rng.integers(2, 11)))
    )


def _cut(values: Any, kinds: int) -> Any:
    """Categories of about as many records each, as words."""
    ends = np.quantile(values, np.arange(1, kinds) / kinds)
    return np.array([f"c{place}" for place in range(kinds)])[np.searchsorted(ends, values)]


def _read(texts: tuple[str, ...]) -> list[Any]:
    """A column of a public file: numbers where all cells are, a question mark is missing."""
    cells = [None if text in ("", "?", "NA") else text for text in texts]
    try:
        return [None if cell is None else float(cell) for cell in cells]
    except ValueError:
        return cells
