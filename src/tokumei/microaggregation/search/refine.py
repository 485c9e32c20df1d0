"""Groups of lower loss from groups of any origin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.microaggregation.mixed import scaled_records
from tokumei.microaggregation.options import Cost, Effort, Kind, Search
from tokumei.microaggregation.records import of_rows as records_of_rows
from tokumei.microaggregation.search import units
from tokumei.microaggregation.search.rules import rules
from tokumei.microaggregation.search.search import SearchTask, search, weights_for
from tokumei.values.columns import of_rows


def refine(
    X: ArrayLike,
    labels: ArrayLike,
    k: int,
    *,
    categorical: Sequence[Any] | None = None,
    effort: Effort | float = "balanced",
    cost: Cost = "squares",
    largest: int | None = None,
    record_weights: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    sensitive: ArrayLike | None = None,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    t_kind: Kind = "equal",
    households: ArrayLike | None = None,
    min_households: int | None = None,
    random_state: int | np.random.Generator | None = None,
    time_limit: float | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Lower the loss of a partition by moving, swapping and regrouping records.

    A local search moves and swaps single records between neighbouring groups while that lowers the
    sum of squares; then groups are perturbed near one record after another and searched again, and
    what costs more is undone, or at first kept now and then (simulated annealing). Groups keep at
    least k records, those of 2k or more are split, and the cost never ends above the start's. Where
    rules are asked for, groups that break them exchange records or are merged with the nearest,
    which may cost, and no change may break them again.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, on a common scale (see `standardize`).
    labels : array_like of int, shape (n,)
        Groups of at least k records, from any method.
    k : int
        Smallest group size, from 1 to n.
    categorical : sequence, optional
        Columns of `X` that hold categories, see `partition`.
    effort : {"fast", "balanced", "best", "optimal"} or float
        "fast" is the local search alone; a number is the perturbations a record (fewer where rules
        make groups large). "balanced" takes about a second on a thousand records, with half as many
        perturbations where there are categories and fewer beyond k = 10, "best" some seconds;
        above 8,192 records perturbations a record become fewer, down to 3 and 20. "optimal", for
        up to 5,000 records and with scipy, is four times "best" and then the best mix of all groups
        met, searched from and mixed again, which is often, not always, the optimum; it may take
        minutes, and knows no other cost, weights or rules.
    cost : {"squares", "absolute"}
        What is made small: squared distances to the group's mean, or absolute deviations from its
        median, attribute by attribute (then publish medians, see `aggregate`). A category is a
        corner, the median of a group that corner which more than half of its records have.
    largest : int, optional
        Most records a group, at least 2k-1, which is the default.
    record_weights : array_like of shape (n,), optional
        Survey weights, all positive: squares count so many times, and means are weighted.
    strata : array_like of shape (n,), optional
        Any values; groups never hold records of two strata.
    sensitive : array_like of shape (n,), ndarray of shape (n, s) or mapping, optional
        Values of a sensitive variable, for the next three; of several, a column for each. Or from
        a model, `privacy.LDiversity` or `privacy.TCloseness`, to the values that it speaks of.
    l_diversity : int, optional
        Each group holds at least so many different sensitive values.
    t_closeness : float, optional
        The distribution of sensitive values in each group is at most so far, 0 to 1, from that in
        the table (or in the stratum): half the sum of absolute differences of shares.
    t_kind : {"equal", "ordered"}
        "ordered": sensitive values are numbers in an order, and the distance is the earth mover's,
        neighbours being 1/(values-1) apart.
    households : array_like of shape (n,), optional
        Any values; with `min_households`.
    min_households : int, optional
        Each group holds records of at least so many households.
    random_state : int or Generator, optional
        Which of many good answers is found; the same one each time by default.
    time_limit : float, optional
        Seconds after which the best found so far is returned, which then depends on the machine.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no label.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1. If it raises StopIteration, the
        best found so far is returned.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record; groups are numbered from 0 in the order of their first record.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.refine([[1], [2], [10], [11]], [0, 1, 0, 1], k=2)
    array([0, 0, 1, 1])
    """
    x = scaled_records(X, categorical)
    n = len(x)
    k = _check.group_size(k, n)
    given, _ = _check.labels(labels, n)
    _check.groups_of(given, k)
    asked = Search("auto", effort, cost, random_state, time_limit)  # type: ignore[arg-type]
    task = SearchTask(
        effort=asked.effort,
        cost=asked.cost,
        largest=2 * k - 1 if largest is None else _check.at_least(largest, 2 * k - 1, "largest"),
        weights=weights_for(record_weights, n, cost),
        rules=rules(
            n,
            sensitive,
            l_diversity,
            t_closeness,
            t_kind,
            households,
            min_households,
        ),
        seed=asked.random_state or 0,
    )
    end = _check.deadline(asked.time_limit)
    run = _check.run(n_threads, callback)
    if strata is None:
        return search(x, given, k, task, run, end)
    stratum = of_rows(strata, n, "strata")
    across = len(np.unique(stratum[0] + given * stratum[1])) - len(np.unique(given))
    if across:
        msg = f"labels must keep to strata; groups cross a border of strata {across} times"
        raise ValueError(msg)

    def within(rows: _check.Labels, run: _check.Run, end: _check.Deadline | None) -> _check.Labels:
        return search(records_of_rows(x, rows), given[rows], k, task.of(rows), run, end)

    return units.by_stratum(within, stratum, run, end)
