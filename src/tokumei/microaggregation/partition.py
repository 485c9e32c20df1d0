"""The whole step from a table to groups, by the name of a method."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.microaggregation.methods.by_name import (
    QUICKEST,
    choose_for,
    form,
    form_in_time,
    largest,
)
from tokumei.microaggregation.methods.univariate import univariate_of
from tokumei.microaggregation.mixed import is_mixed, records_of
from tokumei.microaggregation.options import (
    Cost,
    Effort,
    Kind,
    Method,
    Partitioning,
    Rest,
    Search,
)
from tokumei.microaggregation.records import Records, Table, in_scale, of_rows
from tokumei.microaggregation.search import units
from tokumei.microaggregation.search.rules import rules
from tokumei.microaggregation.search.search import (
    SearchTask,
    search,
    unless_alike,
    weights_for,
)
from tokumei.values.columns import of_rows as codes_of_rows

_log = logging.getLogger("tokumei")

# One code a record, and how many codes there are.
Codes = tuple[_check.Labels, int]


def partition(
    X: ArrayLike,
    k: int,
    *,
    categorical: Sequence[Any] | None = None,
    method: Method = "auto",
    effort: Effort | float = "balanced",
    cost: Cost = "squares",
    random_state: int | np.random.Generator | None = None,
    time_limit: float | None = None,
    gamma: float | Literal["auto"] | None = None,
    rest: Rest | None = None,
    c1: int | Literal["paper"] | None = None,
    c2: int | None = None,
    axes: int | None = None,
    blocks_per_axis: int | Sequence[int] | None = None,
    bits: int | None = None,
    by_column: int | None = None,
    strict: bool | None = None,
    attribute_weights: ArrayLike | None = None,
    record_weights: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    sensitive: ArrayLike | None = None,
    l_diversity: int | None = None,
    t_closeness: float | None = None,
    t_kind: Kind = "equal",
    households: ArrayLike | None = None,
    min_households: int | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Partition records into groups of at least k.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, on a common scale (see `standardize`).
    k : int
        Smallest group size, from 1 to n.
    categorical : sequence, optional
        Columns of `X`, by number or name, that hold categories: any values. A category is as far
        from every other, and its attribute has variance 1, as a standardized one has. Of a table
        with named columns (dataframes, mappings) all that hold no numbers are taken by default;
        ordered ones become ranks, standardized.
    method : str
        How groups are formed. "auto" begins with the method that `microaggregation.choose` names by
        n, d and k (the logger ``tokumei`` says which) and refines its groups. Others give their own
        groups as they are: "mdav", "vmdav", "block_mdav" (MDAV inside blocks of neighbours),
        "mondrian", "kmember"; the best cut of a path, "npn", "grid", "flexdice", "hilbert",
        "principal", "column"; or "univariate", the optimum for one attribute.
    effort : {"fast", "balanced", "best", "optimal"} or float
        How long "auto" refines, see `refine`.
    cost : {"squares", "absolute"}
        What "auto" makes small, see `refine`.
    random_state : int or Generator, optional
        Which of many good answers "auto" finds; the same one each time by default.
    time_limit : float, optional
        Seconds after which "auto" returns the best found so far; where there is no time for the
        groups that it begins with, these are cut from "principal", which takes seconds for millions
        of records. A single method that has not ended by then raises TimeoutError. Strata get their
        share of the time.
    gamma, rest, c1, c2, axes, blocks_per_axis, bits, by_column, strict
        Options of single methods, which go with these alone: "vmdav" (gamma, rest), "flexdice"
        (c1, c2, axes; c1="paper" is d k C2, the choice of the path paper), "grid"
        (blocks_per_axis), "hilbert" (bits), "column" (by_column) and "mondrian" (strict); see
        their functions.
    attribute_weights : array_like of shape (d,), optional
        How much each attribute counts in squared distances; 0 leaves it out. "mondrian" and
        "kmember" ask only for shares of ranges, which other weights do not change.
    record_weights : array_like of shape (n,), optional
        Survey weights, all positive: squares count so many times.
    strata : array_like of shape (n,), optional
        Any values; groups never hold records of two strata. Each stratum needs k records.
    sensitive : array_like of shape (n,), ndarray of shape (n, s) or mapping, optional
        Values of a sensitive variable, or a column for each of several, of which each group must
        hold at least ``l_diversity`` different ones, or whose distribution must be within
        ``t_closeness`` of the table's; see `refine`. Or from a model, `privacy.LDiversity` or
        `privacy.TCloseness`, to the values that it speaks of. These, weights of records and the
        next but one ask for ``method="auto"``.
    l_diversity, t_closeness, t_kind
        See ``sensitive``.
    households : array_like of shape (n,), optional
        Any values; members of one household stay together, and k counts households. "auto" weighs
        a household by its members.
    min_households : int, optional
        Members of a household need not stay together: each group has at least k records, of at
        least so many households.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no label.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record; groups are numbered from 0 in the order of their first record.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.partition([[1], [2], [10], [11]], k=2)
    array([0, 0, 1, 1])

    Groups that keep to their stratum:

    >>> tk.partition([[1], [2], [10], [11]], k=2, strata=["a", "b", "b", "a"])
    array([0, 1, 1, 0])
    """
    options = locals()
    run = _check.run(options.pop("n_threads"), options.pop("callback"))
    return partition_of(task(**options, run=run))


@dataclass(frozen=True, slots=True)
class PartitionTask:
    """A partition that is asked for, checked."""

    table: Table
    distances: Table  # the table as distances see it
    k: int
    method: str
    searching: SearchTask
    strata: Codes | None
    households: Codes | None  # whose members stay together
    end: _check.Deadline | None
    run: _check.Run
    of_method: dict[str, Any]

    @property
    def numbers(self) -> _check.Floats:
        """The table, if it holds nothing else."""
        if isinstance(self.table, Records):
            msg = (
                "X holds categories, which have no mean; publish each column by "
                "microaggregation.represent, or mask the table by release.mask"
            )
            raise TypeError(msg)
        return self.table


def task(
    X: ArrayLike | Records, k: int, run: _check.Run, **options: Unpack[Partitioning]
) -> PartitionTask:
    """The arguments of `partition`, checked; those that are not there have their defaults."""
    wanted = {each.name: options[each.name] for each in fields(Search) if each.name in options}  # type: ignore[literal-required]
    asked = Search(**wanted)
    method = asked.method
    table, x = _tables(X, method, options.get("categorical"), options.get("attribute_weights"))
    n, k = len(x), _check.group_size(k, len(x))
    together, households = None, options.get("households")
    if households is not None and options.get("min_households") is None:
        together, households = codes_of_rows(households, n, "households"), None
    searching = SearchTask(
        asked.effort,
        asked.cost,
        2 * k - 1,
        weights_for(options.get("record_weights"), n, asked.cost),
        rules(
            n,
            options.get("sensitive"),
            options.get("l_diversity"),
            options.get("t_closeness"),
            options.get("t_kind", "equal"),
            households,
            options.get("min_households"),
        ),
        asked.random_state or 0,
    )
    if not searching.plain and method != "auto":
        msg = f"cost, weights of records and rules go with method='auto', got {method!r}"
        raise ValueError(msg)
    if together is not None and searching.rules.asked:
        msg = "households that stay together go without rules; min_households lets them part"
        raise ValueError(msg)
    strata = options.get("strata")
    stratum = None if strata is None else codes_of_rows(strata, n, "strata")
    return PartitionTask(
        table, x, k, method, searching, stratum, together, _check.deadline(asked.time_limit), run,
        asked.of_method(),
    )  # fmt: skip


def _tables(X: Any, method: str, categorical: Any, weights: Any) -> tuple[Table, Table]:
    """The table, and as distances see it."""
    if isinstance(X, Records):  # checked and weighted where it was made
        return X, X
    X, _ = _check.collected(X)
    if categorical is not None or is_mixed(X):
        found = records_of(X, categorical, weights)
        numbers = found.numbers if isinstance(found, Records) else found
        _check.table_in_place(numbers, largest=largest(method))
        return found, in_scale(found)
    table = x = _check.table(X, largest=largest(method))
    if method == "univariate":
        _check.one_attribute(x, "X")
    if weights is not None:
        scales = np.sqrt(_check.weights(weights, x.shape[1], "attribute_weights"))
        x = _check.table(x * scales, "X times attribute_weights", largest=largest(method))
    return table, _check.in_scale(x)


def partition_of(task: PartitionTask) -> _check.Labels:
    """The groups of a checked task: within strata, members of a household together."""
    x, k, searching, strata, households = (
        task.distances, task.k, task.searching, task.strata, task.households
    )  # fmt: skip
    if households is not None:
        units.check_households(households, k)
        x, mass = units.as_records(x, searching.weights, households, task.run)
        if searching.cost == "squares":
            searching = replace(searching, weights=unless_alike(mass))
        strata = None if strata is None else units.strata_of(households, strata)
    if strata is None:
        labels = _form(x, k, task, searching, task.run, task.end)
    else:
        units.check_strata(strata, k)

        def within(
            rows: _check.Labels, run: _check.Run, end: _check.Deadline | None
        ) -> _check.Labels:
            return _form(of_rows(x, rows), k, task, searching.of(rows), run, end)

        labels = units.by_stratum(within, strata, task.run, task.end)
    if households is not None:
        return units.in_order_of_first_record(labels[households[0]])
    return labels


def _form(
    x: Table,
    k: int,
    task: PartitionTask,
    searching: SearchTask,
    run: _check.Run,
    end: _check.Deadline | None,
) -> _check.Labels:
    if task.method != "auto":
        return form_in_time(task.method, x, k, run, end, **task.of_method)
    # Groups that could not show what is asked would have to be torn up again.
    size = min(searching.rules.least_size(k), len(x))
    start = choose_for(x, size)
    _log.info("partition: %s for %d rows, %d columns, k = %d", start, *x.shape, size)
    if start == "univariate" and searching.exact and not isinstance(x, Records):
        return univariate_of(x[:, 0], k, run, searching.cost)
    try:
        labels = form(start, x, size, run.part(0.0, 0.2).until(end))
    except StopIteration:
        if end is None or not end.cut:  # it is the caller's
            raise
        _log.info("partition: no time for %s, %s instead", start, QUICKEST)
        labels = form(QUICKEST, x, size, run.part(0.0, 0.2))
    return search(x, labels, k, searching, run.part(0.2, 1.0), end)
