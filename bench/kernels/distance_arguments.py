"""What the kernels of distances are given: tables, categories, mixed records, words."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tokumei as tk
from bench import problems
from bench.kernel import Case, Labels
from bench.kernels.groups import shuffled_groups
from bench.problems import SEED, Floats

Words = NDArray[np.str_]

LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"))
# A tree of 16 leaves, numbered so that half of a node, rounded down, is its parent.
LEAVES = 16
PARENT_OF = {node: node // 2 for node in range(2, 2 * LEAVES)}


@dataclass(frozen=True, eq=False)
class Mixed:
    """Records of numbers and categories: a column is one of numbers if its values are."""

    columns: dict[str, NDArray[Any]]

    @property
    def shape(self) -> tuple[int, int]:
        return len(next(iter(self.columns.values()))), len(self.columns)

    def is_number(self, name: str) -> bool:
        return self.columns[name].dtype.kind == "f"


def table_alone(table: Floats, _case: Case) -> tuple[Floats]:
    return (table,)


def first_of_group(rows: int, case: Case) -> Labels:
    """For each record the first one of its group."""
    _, first, group = np.unique(
        shuffled_groups(rows, case.k or 1), return_index=True, return_inverse=True
    )
    return first[group]


def table_and_masked(table: Floats, case: Case) -> tuple[Floats, Floats]:
    """The table, and the means of groups anywhere in it."""
    return table, tk.aggregate(table, shuffled_groups(len(table), case.k or 1))


def codes_of(column: Floats, categories: int) -> Labels:
    """Categories of about equal size, by rank."""
    rank = np.argsort(np.argsort(column, kind="stable"), kind="stable")
    return rank * min(categories, len(rank)) // len(rank)


def codes_and_masked(table: Floats, case: Case) -> tuple[Labels, Labels]:
    codes = codes_of(table[:, 0], 50)
    return codes[:, np.newaxis], codes[first_of_group(len(codes), case), np.newaxis]


def leaves_and_masked(table: Floats, _case: Case) -> tuple[Labels, Labels]:
    """Leaves, and the nodes two edges above them."""
    nodes = LEAVES + codes_of(table[:, 0], LEAVES)
    return nodes[:, np.newaxis], nodes[:, np.newaxis] // 4


def records_and_masked(table: Floats, case: Case) -> tuple[Mixed, Mixed]:
    """All attributes of Adult, or attributes that are numbers and categories in turn."""
    if case.problem == "adult":
        columns = read_adult(len(table))
    else:
        names = np.array([f"category {code:02}" for code in range(20)])
        columns = {
            f"x{j}": names[codes_of(column, 20)] if j % 2 else np.array(column)
            for j, column in enumerate(table.T)
        }
    first = first_of_group(len(table), case)
    return Mixed(columns), Mixed({name: values[first] for name, values in columns.items()})


def read_adult(rows: int) -> dict[str, NDArray[Any]]:
    """The first records of Adult; the class, its last attribute, is left out."""
    with (problems.folder() / "adult.csv").open(newline="") as lines:
        head, *records = csv.reader(lines, skipinitialspace=True)
    numeric = set(problems.FILES["adult"])
    return {
        name: np.array([record[j] for record in records[:rows]]).astype(
            np.float64 if name in numeric else np.str_
        )
        for j, name in enumerate(head[:14])
    }


def words_alone(table: Floats, _case: Case) -> tuple[Words]:
    """Strings of about twelve letters, 24 at most."""
    rng = np.random.default_rng(SEED)
    lengths = np.clip(np.round(12 + 4 * rng.normal(size=len(table))), 1, 24).astype(int)
    words = ["".join(rng.choice(LETTERS, size=length)) for length in lengths]
    return (np.array(words)[:, np.newaxis],)
