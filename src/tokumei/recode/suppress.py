"""Local suppression: few cells go, so that every published row is in a class that shows enough."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei._kernels import lattice as _kernels
from tokumei.privacy import Model
from tokumei.recode.fulfil import fulfil
from tokumei.recode.questions import Question, all_of, questions_of
from tokumei.recode.rewrite import rewritten
from tokumei.values.columns import coded
from tokumei.values.containers import listed
from tokumei.values.tables import label, records, table

# Steps of the exact search: about a second of records that cannot be solved.
STEPS = 200_000


@dataclass(frozen=True, eq=False)
class Suppression:
    """Which cells were suppressed, and the table that is left.

    Attributes
    ----------
    table : same kind as the original
        All records, suppressed cells replaced.
    cells : ndarray of bool, shape (n, columns)
        Which cells were suppressed.
    cost : float
        The weight of the suppressed cells; their number where no weights are given.
    bound : float
        No other suppression costs less than this: equal to the cost where that is the least. It
        speaks of k alone, whatever else was asked.
    """

    table: Any
    cells: NDArray[np.bool_]
    cost: float
    bound: float

    @property
    def gap(self) -> float:
        """How far the cost may be above the least, as a share of it."""
        return (self.cost - self.bound) / self.cost if self.cost > 0 else 0.0


def suppress_cells(
    data: Any,
    k: int,
    *,
    columns: Iterable[Any] | None = None,
    models: Iterable[Model] = (),
    weights: Mapping[Any, float] | None = None,
    mark: Hashable = "*",
    callback: _check.Callback | None = None,
) -> Suppression:
    """Suppress the fewest cells that leave every row of some columns at least k times.

    A suppressed cell equals only other suppressed cells of its column. The least is looked for in
    tables of at most 64 records and 12 columns, and proven where that search ends; in others a good
    suppression is found. `bound` says how far it may be off. Cells that models ask for besides are
    few, not the fewest.

    Parameters
    ----------
    data : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    k : int
        Smallest number of records that are published alike.
    columns : iterable of names, optional
        The quasi-identifiers; all columns by default, others are carried along.
    models : iterable of privacy models
        What else is asked of all records that are published alike, such as
        ``tk.privacy.LDiversity("disease", 2)``, of a column that is carried along.
    weights : mapping, optional
        ``{column: weight}`` of a cell, positive and 1 by default.
    mark : hashable
        What stands for a suppressed cell; None leaves it missing.
    callback : callable, optional
        Called now and then; an exception in it ends the search.

    Examples
    --------
    >>> import tokumei as tk
    >>> data = {"town": ["Tokyo", "Tokyo", "Kobe", "Kobe"], "job": ["cook", "cook", "cook", "it"]}
    >>> found = tk.recode.suppress_cells(data, 2)
    >>> found.table["job"].tolist()
    ['cook', 'cook', '*', '*']
    >>> found.cost, found.gap
    (2.0, 0.0)
    """
    read = table(data, "data")
    n = records(read)
    k = _check.group_size(k, n)
    run = _check.run(1, callback)
    run.tell(0.0)
    names = list(read) if columns is None else list(columns)
    unknown = sum(name not in read for name in names)
    if unknown or not names or len(set(names)) < len(names):
        msg = "columns must name columns of data, each once"
        raise ValueError(msg)
    given = {} if weights is None else weights
    if any(name not in names for name in given):
        msg = f"weights names {sum(name not in names for name in given)} columns that are not there"
        raise ValueError(msg)
    costs = _check.weights([given.get(name, 1.0) for name in names], len(names), "weights")
    questions = questions_of(k, models, read, names)
    codes = np.empty((n, len(names)), dtype=np.int64, order="F")
    for j, name in enumerate(names):
        codes[:, j], known = coded(read[name], label("data", name))
        if mark is not None and mark in known:
            msg = f"data: column {name!r} holds the mark of suppressed cells; choose another mark"
            raise ValueError(msg)
    found = suppressed_cells(codes, costs, k, all_of(questions), run)
    if found is None:
        msg = "no suppression reaches the models: not even the whole table does"
        raise ValueError(msg)
    cells, bound = found
    new = {}
    for j, name in enumerate(names):
        values = np.empty(n, dtype=object)
        values[:] = listed(read[name].source)
        values[cells[:, j]] = mark
        new[name] = values
    cost = float(cells.sum(axis=0) @ costs)
    return Suppression(rewritten(data, new), cells, cost, bound)


def suppressed_cells(
    codes: _check.Labels, costs: _check.Floats, k: int, question: Question, run: _check.Run
) -> tuple[NDArray[np.bool_], float] | None:
    """Which cells are suppressed, and what cannot cost less; None where nothing is enough.

    `codes` are the cells of each record, -1 for one that is missing: it is like a suppressed one.
    """
    masks, figures = np.zeros(len(codes), dtype=np.int64), np.zeros(2)
    if k > 1:
        _kernels.fewest_cells(np.asfortranarray(codes), costs, k, STEPS, masks, figures, run)
    gone = (masks[:, None] >> np.arange(len(costs)) & 1).astype(bool) & (codes >= 0)
    left = np.where(gone, -1, codes)
    more = fulfil(left, costs, question, run)
    return None if more is None else (gone | more, float(figures[1]))
