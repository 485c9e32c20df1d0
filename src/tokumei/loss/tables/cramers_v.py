"""How strongly two categorical attributes hang together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.loss.tables.counts import cells, combine, total, weighed
from tokumei.values import tables
from tokumei.values.columns import coded, column


def cramers_v(a: Any, b: Any, *, record_weights: ArrayLike | None = None) -> float:
    """Cramer's V of two categorical attributes, from 0 (independent) to 1 (one fixes the other).

    It is ``sqrt(chi2 / (n * (min(q, r) - 1)))`` for n records and q and r categories that occur.
    Of an attribute with one category nothing can be associated: V is 0 then.

    Parameters
    ----------
    a, b : sequence of shape (n,)
        The categories of each record, values of any kind.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.cramers_v(["x", "x", "y", "y"], [1, 1, 2, 2])
    1.0
    >>> tk.loss.cramers_v(["x", "x", "y", "y"], [1, 2, 1, 2])
    0.0
    """
    a, b = column(a, "a"), column(b, "b")
    if len(a) != len(b):
        msg = f"a and b must be of one length, got {len(a)} and {len(b)}"
        raise ValueError(msg)
    return association(coded(a, "a")[0], coded(b, "b")[0], weighed(record_weights, len(a)))


def cramers_matrix(table: Any, *, record_weights: ArrayLike | None = None) -> _check.Floats:
    """Cramer's V of every pair of columns of a table.

    Parameters
    ----------
    table : table of n records
        A mapping of columns, a dataframe, or an array of two dimensions; every distinct value is a
        category.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.

    Returns
    -------
    ndarray of shape (d, d)
        Symmetric, columns in the order of the table. The diagonal is 1, or 0 for a column with one
        category (see `cramers_v`).

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.cramers_matrix({"a": ["x", "x", "y", "y"], "b": [1, 1, 2, 2], "c": [0, 0, 0, 0]})
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 0., 0.]])
    """
    columns = tables.table(table, "table")
    codes = [coded(one, tables.label("table", key))[0] for key, one in columns.items()]
    weights = weighed(record_weights, tables.records(columns))
    matrix = np.zeros((len(codes), len(codes)))
    for i, first in enumerate(codes):
        for j, second in enumerate(codes[: i + 1]):
            matrix[i, j] = matrix[j, i] = association(first, second, weights)
    return matrix


def association(a: _check.Labels, b: _check.Labels, weights: _check.Floats | None = None) -> float:
    """Cramer's V of two columns of codes.

    Deviations from independence are whole numbers here, so that independence gives exactly 0;
    weights that are not whole leave a rounding error.
    """
    of_a, of_b = np.bincount(a, weights), np.bincount(b, weights)
    least = min(int(np.count_nonzero(of_a)), int(np.count_nonzero(of_b)))
    if least < 2:
        return 0.0
    n = total(weights, len(a))
    cell, count = cells(*combine([a, b], [len(of_a), len(of_b)]), weights)
    cell, count = cell[count > 0], count[count > 0]
    product = of_a[cell // len(of_b)] * of_b[cell % len(of_b)]
    deviation = (n * count - product).astype(np.float64)
    empty = n * n - product.sum().item()  # what independence expects in the cells that are empty
    phi2 = (math.fsum(deviation * deviation / product) + empty) / (n * n)
    return min(math.sqrt(phi2 / (least - 1)), 1.0)
