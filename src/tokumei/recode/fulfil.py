"""Suppression beyond k: cells go until every class of records shows what models ask of it.

A class that shows too little is merged with others that do, by suppressing in all of them the
cells that tell them apart: those that cost least first. What is left in the end has no cell, and
takes in classes that showed enough, the cheapest first, until it shows enough itself. The whole
table is the last such class; where that does not hold a model, nothing can.

Cost: one look at all records for each set of columns, of which there are at most 1,023.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tokumei._check import Floats, Labels, Run
from tokumei.recode.questions import Flags, Question

ALL_SETS = 10  # of so many columns; of more, one and two at a time, and all of them


def alike(rows: Labels) -> tuple[Labels, Labels]:
    """A number for each row, equal for equal rows, and the row of each number."""
    code = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        code = np.unique(code * (int(column.max()) + 2) + column + 1, return_inverse=True)[1]
    first = np.empty(int(code.max()) + 1, dtype=np.int64)
    first[code[::-1]] = np.arange(len(code))[::-1]
    return code, rows[first]


def fulfil(codes: Labels, costs: Floats, question: Question, run: Run) -> Flags | None:
    """The cells to suppress beside those that are gone; None where the whole table falls short.

    `codes` are the cells of each record, -1 for none.
    """
    found, cells = alike(codes)
    enough = question(found, cells)
    sets = _sets(costs)
    for place, columns in enumerate(sets):
        if enough.all():
            break
        run.tell(place / len(sets))
        # Classes as they would be, were these cells gone wherever too little is shown.
        merged = cells.copy()
        merged[np.ix_(~enough, columns)] = -1
        into, after = alike(merged)
        solved = question(into[found], after)[into] & ~enough
        if solved.any():
            into, cells = alike(np.where(solved[:, None], merged, cells))
            of_merged = np.zeros(len(cells), dtype=bool)
            np.logical_or.at(of_merged, into, enough | solved)
            found, enough = into[found], of_merged
    if not enough.all():
        empty = _empty(found, cells, costs, enough, question)
        if empty is None:
            return None
        cells = np.where(empty[:, None], -1, cells)
    return (cells[found] < 0) & (codes >= 0)


def _empty(
    found: Labels, cells: Labels, costs: Floats, enough: Flags, question: Question
) -> Flags | None:
    """The classes that lose every cell: those that show too little, and others beside them."""
    price = np.bincount(found) * ((cells >= 0) @ costs)
    waiting = np.flatnonzero(enough)
    waiting = waiting[np.argsort(price[waiting], kind="stable")]
    empty, taken, step = ~enough, 0, 1
    while True:
        into, after = alike(np.where(empty[:, None], -1, cells))
        if question(into[found], after).all():
            return empty
        if taken >= len(waiting):
            return None
        empty[waiting[taken : taken + step]] = True
        taken, step = taken + step, 2 * step


def _sets(costs: Floats) -> list[Labels]:
    """Sets of columns, from the cheapest."""
    count = len(costs)
    sizes = range(1, count + 1) if count <= ALL_SETS else (1, 2, count)
    every = [
        np.array(each, dtype=np.int64)
        for size in sizes
        for each in combinations(range(count), size)
    ]
    return sorted(every, key=lambda columns: float(costs[columns].sum()))
